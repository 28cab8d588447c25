//! The verdict on a game.
