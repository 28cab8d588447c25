//! The moves that lead to a node of a game.

use tabiya_board::GameHistory;
use tabiya_notation::pgn::{Game, NodeId};

/// Returns the moves up to a node. A history cannot contain a null move, so it starts after the last one.
pub fn history_to(game: &Game, node: NodeId) -> GameHistory {
    let path = std::iter::successors(Some(node), |&id| game.parent(id));
    let mut path: Vec<NodeId> = path.collect();
    path.reverse();
    let mut history = GameHistory::new(*game.start());
    for &id in path.iter().skip(1) {
        if let Some(mv) = game.move_to(id) {
            if history.try_play(mv).is_err() {
                return GameHistory::new(game.board(node));
            }
        } else {
            let board = history.board();
            history = GameHistory::new(board.null_move().unwrap_or(*board));
        }
    }
    history
}
