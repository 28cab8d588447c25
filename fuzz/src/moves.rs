//! Games from any starting position.

use arbitrary::Arbitrary;
use tabiya_board::{
    Bitboard, Board, Color, File, GameHistory, Move, Piece, Rank, Role, Setup, Square,
};

use crate::board::{check_children, check_round_trips, legal_moves};

/// A starting position and what to try from there.
#[derive(Arbitrary, Debug)]
pub struct Game {
    start: Start,
    steps: Vec<Step>,
}

#[derive(Arbitrary, Debug)]
enum Start {
    Standard,
    Chess960(u16),
    Pieces {
        kings: [u8; 2],
        others: Vec<(u8, u8)>,
        black_to_move: bool,
        /// The files of rooks with castling rights, one byte per back rank.
        castling: [u8; 2],
        en_passant: Option<u8>,
        clocks: (u8, u16),
    },
}

#[derive(Arbitrary, Debug)]
enum Step {
    /// Play a legal move.
    Legal(u8),
    /// Try to play these bits as a move.
    Bits(u16),
    /// Ask for a move by its squares.
    Ask(u8, u8, Option<u8>),
    /// Take a move back.
    Undo,
}

fn square(number: u8) -> Square {
    Square::from_index(usize::from(number % 64)).expect("below 64")
}

fn role(number: u8) -> Role {
    Role::ALL[usize::from(number) % Role::ALL.len()]
}

impl Start {
    fn board(&self) -> Option<Board> {
        match *self {
            Self::Standard => Some(Board::start()),
            Self::Chess960(number) => Some(Board::chess960_start(number)),
            Self::Pieces {
                kings,
                ref others,
                black_to_move,
                castling,
                en_passant,
                clocks,
            } => {
                let mut setup = Setup {
                    turn: Color::ALL[usize::from(black_to_move)],
                    castling_rooks: Bitboard(u64::from(castling[0]) | u64::from(castling[1]) << 56),
                    halfmove_clock: u32::from(clocks.0),
                    fullmove_number: 1 + u32::from(clocks.1) % 32_768,
                    ..Setup::default()
                };
                for &(place, kind) in others {
                    let color = Color::ALL[usize::from(kind >> 7)];
                    let piece = Piece::new(color, role(kind % 5));
                    setup.pieces.put(square(place), piece);
                }
                for (color, place) in Color::ALL.into_iter().zip(kings) {
                    let king = Piece::new(color, Role::King);
                    setup.pieces.put(square(place), king);
                }
                // Most positions would be invalid if rights were given without a rook.
                let rooks = setup.pieces.by_role(Role::Rook);
                setup.castling_rooks &= rooks;
                setup.en_passant = en_passant.map(|file| {
                    let file = File::ALL[usize::from(file % 8)];
                    Square::new(file, setup.turn.relative_rank(Rank::Sixth))
                });
                let board = Board::new(&setup);
                if board.is_err() {
                    setup.en_passant = None;
                }
                board.or_else(|_| Board::new(&setup)).ok()
            }
        }
    }
}

/// Checks that no step panics, that all ways to ask for a legal move agree, and that taking everything back leads to
/// the start.
///
/// # Panics
///
/// If a check fails.
pub fn check_game(game: &Game) {
    let Some(start) = game.start.board() else {
        return;
    };
    let mut line = GameHistory::new(start);
    let mut boards = vec![start];
    check_round_trips(&start);
    for step in game.steps.iter().take(400) {
        let board = *line.board();
        let moves = legal_moves(&board);
        match *step {
            Step::Legal(number) => {
                let Some(&mv) = moves.get(usize::from(number) % moves.len().max(1)) else {
                    assert!(board.outcome().is_some(), "{board}");
                    continue;
                };
                line.play(mv);
                let next = *line.board();
                assert_eq!(next, board.after_unchecked(mv), "{mv} on {board}");
                check_round_trips(&next);
                boards.push(next);
            }
            Step::Bits(bits) => check_bits(&board, &moves, Move::from_bits(bits)),
            Step::Ask(from, to, promotion) => {
                check_query(
                    &board,
                    &moves,
                    square(from),
                    square(to),
                    promotion.map(role),
                );
            }
            Step::Undo => {
                let undone = line.undo();
                assert_eq!(undone.is_some(), boards.len() > 1);
                if undone.is_some() {
                    boards.pop();
                }
                assert_eq!(Some(line.board()), boards.last());
            }
        }
        let _ = (line.outcome(), line.claim());
    }
    check_children(line.board(), &legal_moves(line.board()));
    while line.undo().is_some() {
        boards.pop();
        assert_eq!(Some(line.board()), boards.last());
    }
    assert_eq!(*line.board(), start);
}

fn check_bits(board: &Board, moves: &[Move], mv: Move) {
    let is_legal = moves.binary_search(&mv).is_ok();
    assert_eq!(board.is_legal(mv), is_legal, "{mv:?} on {board}");
    let mut played = *board;
    let answer = played.try_play(mv);
    assert_eq!(answer, board.validate(mv), "{mv:?} on {board}");
    assert_eq!(answer.is_ok(), is_legal, "{mv:?} on {board}");
    if let Err(refusal) = answer {
        assert!(!refusal.to_string().is_empty());
        assert_eq!(played, *board, "{mv:?} refused on {board}");
    } else {
        assert_eq!(played, board.after(mv), "{mv:?} on {board}");
    }
}

fn check_query(board: &Board, moves: &[Move], from: Square, to: Square, promotion: Option<Role>) {
    match board.legal_move(from, to, promotion) {
        Ok(mv) => {
            assert!(moves.binary_search(&mv).is_ok(), "{mv:?} on {board}");
            assert_eq!((mv.from(), mv.promotion()), (from, promotion));
            // Castling may be given by the rook's square.
            let onto_rook = mv.is_castling() && board.castling_rooks().contains(to);
            assert!(
                mv.to() == to || onto_rook,
                "{mv:?} for {from}{to} on {board}"
            );
        }
        Err(refusal) => {
            assert!(!refusal.to_string().is_empty());
            let missed = moves.iter().find(|mv| {
                !mv.is_castling() && (mv.from(), mv.to(), mv.promotion()) == (from, to, promotion)
            });
            // A king move to the square of its own rook means castling, so no legal move is missed.
            assert_eq!(missed, None, "{refusal}: {from}{to} on {board}");
        }
    }
}
