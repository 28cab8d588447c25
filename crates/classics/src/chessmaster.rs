//! Where a lone piece can go.
