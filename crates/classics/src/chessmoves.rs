//! A game from notation, board by board.
