//! Boards that no game leads to: too many pieces, too many checks. All rules still hold, as shakmaty confirms.

mod common;

use common::{Rng, alone, at_all_simd_levels, sorted};
use shakmaty::{CastlingMode, Chess, FromSetup, Position as _, PositionError};
use tabiya_board::{
    Board, Color, FenErrorKind, Piece, Rank, Role, Setup, SetupError, Square, perft,
};

const PUZZLE: &str = "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1";

#[test]
fn only_whoever_asks_gets_an_impossible_board() {
    let error = PUZZLE.parse::<Board>().unwrap_err();
    let too_many = SetupError::TooManyPieces(Color::White);
    assert_eq!(error.kind, FenErrorKind::Invalid(too_many));
    assert!(too_many.is_forgivable());
    assert_eq!(Board::from_fen_forgiving(PUZZLE, |_| false), Err(error));

    let mut forgiven = Vec::new();
    let board = Board::from_fen_forgiving(PUZZLE, |error| {
        forgiven.push(error);
        true
    })
    .unwrap();
    assert_eq!(forgiven, [too_many]);
    assert_eq!(board.to_string(), PUZZLE);
    assert_eq!(board.legal_moves().iter().count(), 270);
    assert_eq!(board.count_legal(), 270);
    assert_eq!(perft(&board, 1), 270);
}

#[test]
fn three_checks_at_once_are_forgivable() {
    let fen = "4k3/8/8/b3r3/8/5n2/8/4K3 w - - 0 1";
    let mut asked = 0;
    let board = Board::from_fen_forgiving(fen, |error| {
        asked += 1;
        matches!(error, SetupError::TooManyCheckers(_))
    })
    .unwrap();
    assert_eq!((asked, board.checkers().len()), (1, 3));
    assert!(board.legal_moves().iter().all(|mv| mv.role() == Role::King));
}

/// What the legal moves rely on is never forgiven, and nobody is asked.
#[test]
fn other_errors_are_never_forgiven() {
    for fen in [
        "8/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3KK3 w - - 0 1",
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w H - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 9999 1",
    ] {
        let board = Board::from_fen_forgiving(fen, |error| panic!("asked about {error}"));
        let FenErrorKind::Invalid(error) = board.unwrap_err().kind else {
            panic!("{fen} cannot be read");
        };
        assert!(!error.is_forgivable(), "{fen}");
    }
}

/// A board crowded with pieces of mostly one colour.
fn crowded(rng: &mut Rng) -> Setup {
    let mut setup = Setup {
        turn: rng.pick(&Color::ALL),
        ..Setup::default()
    };
    let roles = [
        rng.pick(&Role::ALL[..5]),
        rng.pick(&Role::ALL[1..5]),
        Role::Queen,
        Role::Queen,
    ];
    let share = 1 + rng.below(6);
    for square in Square::all() {
        let role = rng.pick(&roles);
        let is_pawn_on_edge =
            role == Role::Pawn && [Rank::First, Rank::Eighth].contains(&square.rank());
        if rng.once_in(share) && !is_pawn_on_edge {
            let color = if rng.once_in(12) {
                !setup.turn
            } else {
                setup.turn
            };
            setup.pieces.put(square, Piece::new(color, role));
        }
    }
    for color in Color::ALL {
        let square = rng.square();
        setup.pieces.put(square, Piece::new(color, Role::King));
    }
    setup
}

fn of_shakmaty(board: &Board) -> Chess {
    let fen: shakmaty::fen::Fen = board.to_string().parse().unwrap();
    Chess::from_setup(fen.into_setup(), CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap_or_else(|error| panic!("{board}: {error}"))
}

#[test]
fn impossible_boards_follow_the_rules() {
    let _alone = alone();
    at_all_simd_levels(|_| {
        let mut rng = Rng::new(0xf0e6);
        let (mut boards, mut most) = (0, 0);
        while boards < 3000 {
            // Most kings stand in check, so most setups are refused.
            let Ok(mut board) = Board::new_forgiving(&crowded(&mut rng), |_| true) else {
                continue;
            };
            for _ in 0..4 {
                boards += 1;
                let moves = board.legal_moves();
                assert_eq!(moves.len(), moves.iter().count(), "{board}");
                most = most.max(moves.len());
                let again = Board::from_fen_forgiving(&board.to_string(), |_| true);
                assert_eq!(again, Ok(board));
                // The list of shakmaty holds no more.
                if moves.len() <= 256 {
                    let ours = sorted(moves.iter().map(ToString::to_string));
                    let theirs = of_shakmaty(&board).legal_moves();
                    let theirs = sorted(
                        theirs
                            .iter()
                            .map(|mv| mv.to_uci(CastlingMode::Standard).to_string()),
                    );
                    assert_eq!(ours, theirs, "{board}");
                }
                let mut children = 0;
                board.for_each_child(|mv, child| {
                    children += 1;
                    assert_eq!(*child, board.after(mv), "{mv} on {board}");
                    assert_eq!(Board::from(*child.position()).key(), child.key());
                });
                assert_eq!(children, moves.len());
                let Some(&mv) = moves.get(rng.below(moves.len().max(1))) else {
                    break;
                };
                board.play(mv);
            }
        }
        assert!(most > 150, "at most {most} moves");
    });
}

/// Queens on every square but three: the list of moves must hold whatever a board can have.
#[test]
fn lists_hold_the_moves_of_the_fullest_boards() {
    let mut rng = Rng::new(0xf011);
    let mut most = 0;
    for _ in 0..20_000 {
        // Sparse queens have the most moves.
        let mut setup = Setup::default();
        let queens = 8 + rng.below(24);
        for _ in 0..queens {
            setup
                .pieces
                .put(rng.square(), Piece::new(Color::White, Role::Queen));
        }
        setup
            .pieces
            .put(Square::A1, Piece::new(Color::White, Role::King));
        for (square, letter) in [
            (Square::H8, 'k'),
            (Square::G8, 'r'),
            (Square::H7, 'p'),
            (Square::G7, 'p'),
        ] {
            setup.pieces.put(square, Piece::from_char(letter).unwrap());
        }
        if let Ok(board) = Board::new_forgiving(&setup, |_| true) {
            let moves = board.legal_moves();
            assert_eq!(moves.iter().count(), board.count_legal());
            most = most.max(moves.len());
        }
    }
    assert!(most > 218, "at most {most} moves");
}
