//! Compares legal moves, the positions after them, keys, ends of games and errors in setups with shakmaty, an
//! independent library, on random boards and setups.

mod common;

use std::num::NonZeroU32;

use common::other::{Other, Plain, play_along};
use common::{Census, Start, alone, census_at_all_simd_levels, random_setup};
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, CastlingSide, Chess, EnPassantMode, FromSetup, PositionErrorKinds};
use shakmaty::{Position as _, Square as TheirSquare};
use tabiya_board::{Board, Color, Role, Setup, SetupError, Square};

fn our_square(square: TheirSquare) -> Square {
    Square::from_index(square.to_usize()).unwrap()
}

fn their_square(square: Square) -> TheirSquare {
    TheirSquare::new(square.index() as u32)
}

fn our_role(role: shakmaty::Role) -> Role {
    Role::ALL[role as usize - 1]
}

fn their_role(role: Role) -> shakmaty::Role {
    shakmaty::Role::ALL[role.index()]
}

fn their_color(color: Color) -> shakmaty::Color {
    shakmaty::Color::from_white(color.is_white())
}

fn their_setup(setup: &Setup) -> shakmaty::Setup {
    let mut theirs = shakmaty::Setup::empty();
    for square in setup.pieces.occupied() {
        let piece = setup.pieces.piece_at(square).unwrap();
        theirs.board.set_piece_at(
            their_square(square),
            shakmaty::Piece {
                color: their_color(piece.color),
                role: their_role(piece.role),
            },
        );
    }
    theirs.turn = their_color(setup.turn);
    theirs.castling_rights = shakmaty::Bitboard(setup.castling_rooks.0);
    theirs.ep_square = setup.en_passant.map(their_square);
    theirs.halfmoves = setup.halfmove_clock;
    theirs.fullmoves = NonZeroU32::new(setup.fullmove_number).unwrap();
    theirs
}

impl Other for Chess {
    type Move = shakmaty::Move;

    fn moves(&self) -> Vec<(Plain, shakmaty::Move)> {
        self.legal_moves()
            .into_iter()
            .map(|mv| {
                let from = mv.from().expect("no drops");
                let to = match mv {
                    shakmaty::Move::Castle { king, rook } => {
                        CastlingSide::from_king_side(king < rook).king_to(self.turn())
                    }
                    _ => mv.to(),
                };
                let plain = Plain {
                    from: our_square(from),
                    to: our_square(to),
                    promotion: mv.promotion().map(our_role),
                    is_castle: mv.is_castle(),
                };
                (plain, mv)
            })
            .collect()
    }

    fn play(&mut self, mv: shakmaty::Move) {
        self.play_unchecked(mv);
    }

    fn compare(&self, board: &Board) {
        let pieces = self.board();
        for role in Role::ALL {
            let theirs = pieces.by_role(their_role(role));
            assert_eq!(board.by_role(role).0, theirs.0, "{role}s of {board}");
        }
        for color in Color::ALL {
            let theirs = pieces.by_color(their_color(color));
            assert_eq!(board.by_color(color).0, theirs.0, "{color} of {board}");
        }
        assert_eq!(their_color(board.turn()), self.turn(), "{board}");
        let rights = self.castles().castling_rights();
        assert_eq!(board.castling_rooks().0, rights.0, "castling: {board}");
        let passed = self.pseudo_legal_ep_square().map(our_square);
        assert_eq!(board.en_passant(), passed, "en passant: {board}");
        assert_eq!(u32::from(board.halfmove_clock()), self.halfmoves());
        assert_eq!(u32::from(board.fullmove_number()), self.fullmoves().get());
        assert_eq!(board.checkers().0, self.checkers().0, "checkers: {board}");
        // They use the same numbers for standard chess and for both castling sides of Chess960.
        let Zobrist64(key) = self.zobrist_hash(EnPassantMode::PseudoLegal);
        assert_eq!(board.key(), key, "key of {board}");
    }

    fn compare_more(&self, board: &Board) {
        assert_eq!(board.is_check(), self.is_check(), "{board}");
        assert_eq!(board.is_checkmate(), self.is_checkmate(), "{board}");
        assert_eq!(board.is_stalemate(), self.is_stalemate(), "{board}");
        assert_eq!(
            board.is_insufficient_material(),
            self.is_insufficient_material(),
            "{board}"
        );
        for color in Color::ALL {
            let cannot = self.has_insufficient_material(their_color(color));
            assert_eq!(board.has_mating_material(color), !cannot, "{board}");
        }
        let Zobrist64(key) = self.zobrist_hash(EnPassantMode::Legal);
        assert_eq!(board.repetition_key(), key, "repetition key of {board}");
        let fen = Fen::try_from_setup(self.to_setup(EnPassantMode::PseudoLegal)).unwrap();
        assert_eq!(board.to_string(), fen.to_string());

        let passed = board.null_move();
        assert_eq!(passed.is_none(), board.is_check(), "{board}");
        let mut setup = self.to_setup(EnPassantMode::Always);
        setup.swap_turn();
        // A null move counts for our clocks, but not for theirs.
        setup.halfmoves = (setup.halfmoves + 1).min(255);
        let after_black = u32::from(!board.turn().is_white());
        setup.fullmoves = setup.fullmoves.saturating_add(after_black);
        match (passed, Self::from_setup(setup, CastlingMode::Chess960)) {
            (Some(passed), Ok(theirs)) => theirs.compare(&passed),
            (None, Err(error)) => assert_eq!(error.kinds(), PositionErrorKinds::OPPOSITE_CHECK),
            (passed, theirs) => panic!("after a null move on {board}: {passed:?}, {theirs:?}"),
        }
    }
}

fn compare_games(start: Start, boards: usize) -> Census {
    let total = census_at_all_simd_levels(0x51ac_0000, 400, |_, rng, seen| {
        let board = start.board(rng);
        let theirs = Chess::from_setup(their_setup(&board.setup()), CastlingMode::Chess960)
            .unwrap_or_else(|error| panic!("{board}: {error}"));
        let plies = 1 + rng.below(250);
        play_along(rng, board, theirs, plies, seen);
    });
    eprintln!("{start:?}: {} boards", total.boards);
    assert!(total.boards >= boards, "only {} boards", total.boards);
    total
}

#[test]
fn random_games() {
    let _alone = alone();
    let mut total = compare_games(Start::Standard, 100_000);
    total.add(&compare_games(Start::Chess960, 100_000));
    total.expect(200_000, 5);
}

/// The error of shakmaty for ours.
fn expected_error(invalid: SetupError) -> PositionErrorKinds {
    match invalid {
        SetupError::NoKing(_) => PositionErrorKinds::MISSING_KING,
        SetupError::TooManyKings(_) => PositionErrorKinds::TOO_MANY_KINGS,
        SetupError::PawnOnBackRank(_) => PositionErrorKinds::PAWNS_ON_BACKRANK,
        SetupError::TooManyPieces(_) => PositionErrorKinds::TOO_MUCH_MATERIAL,
        SetupError::OpponentInCheck { .. } => PositionErrorKinds::OPPOSITE_CHECK,
        SetupError::TooManyCheckers(_) => PositionErrorKinds::IMPOSSIBLE_CHECK,
        SetupError::CastlingKing(_)
        | SetupError::CastlingRook(..)
        | SetupError::TwoCastlingRooks(..) => PositionErrorKinds::INVALID_CASTLING_RIGHTS,
        SetupError::EnPassant(_) => PositionErrorKinds::INVALID_EP_SQUARE,
        other => panic!("no random set-up has this fault: {other}"),
    }
}

/// Compares the verdicts on a setup, and returns both positions if both libraries accept it.
///
/// They agree except for checks that no move can give. shakmaty rejects two checking pawns or knights, two checkers on
/// one line with the king, and a check that a double push cannot have given. We reject only more than two checkers.
fn compare_setups(setup: &Setup) -> Option<(Board, Chess)> {
    let ours = Board::new(setup);
    let theirs = Chess::from_setup(their_setup(setup), CastlingMode::Chess960);
    let faults = theirs.as_ref().err().map(shakmaty::PositionError::kinds);
    let faults = faults.unwrap_or(PositionErrorKinds::empty());
    match ours {
        Ok(board) => {
            let graver = faults - PositionErrorKinds::IMPOSSIBLE_CHECK;
            assert!(graver.is_empty(), "{board} has {graver:?}");
            assert!(board.checkers().len() <= 2, "{board}");
            let strange = !faults.is_empty();
            let theirs = theirs
                .or_else(shakmaty::PositionError::ignore_impossible_check)
                .unwrap_or_else(|error| panic!("{board}: {error}"));
            // If a double push cannot have given the check, shakmaty does not test all captures en passant.
            if strange && board.en_passant().is_some() {
                return None;
            }
            Some((board, theirs))
        }
        Err(invalid) => {
            let expected = expected_error(invalid);
            assert!(
                faults.contains(expected),
                "{setup:?}: {invalid}, but theirs are {faults:?}"
            );
            None
        }
    }
}

#[test]
fn random_setups() {
    let _alone = alone();
    let total = census_at_all_simd_levels(0x5e70_0000, 200, |_, rng, seen| {
        for _ in 0..300 {
            if let Some((board, theirs)) = compare_setups(&random_setup(rng)) {
                play_along(rng, board, theirs, 3, seen);
            }
        }
    });
    total.expect(200_000, 100);
}
