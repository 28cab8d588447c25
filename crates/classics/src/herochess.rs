//! A game at the console.
