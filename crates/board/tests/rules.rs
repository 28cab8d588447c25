//! Tests the rules one by one: valid positions, reading and writing FEN, the ends of games, and the small types.

mod common;

use std::collections::{BTreeSet, HashSet};
use std::fmt::Display;

use common::naive;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tabiya_board::unkeyed::Position;
use tabiya_board::{
    Bitboard, Board, CastlingSide, Color, DrawClaim, FenError, FenErrorKind, FenField, File,
    GameHistory, Move, Outcome, ParseSquareError, Piece, Placement, Rank, Role, Setup, SetupError,
    Square, attacks,
};

#[track_caller]
fn board(fen: &str) -> Board {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Finds a legal move by its UCI text.
#[track_caller]
fn find(board: &Board, text: &str) -> Move {
    let moves = board.legal_moves();
    let found = moves.iter().find(|mv| mv.to_string() == text);
    *found.unwrap_or_else(|| panic!("{text} is not legal in {board}"))
}

/// Plays moves given as UCI text.
#[track_caller]
fn play(line: &mut GameHistory, moves: &str) {
    for text in moves.split_whitespace() {
        line.play(find(line.board(), text));
    }
}

#[track_caller]
fn says(value: impl Display, sentence: &str) {
    assert_eq!(value.to_string(), sentence);
}

mod positions {
    use super::*;

    #[track_caller]
    fn invalid(fen: &str, expected: SetupError, sentence: &str) {
        let setup = Setup::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(Board::new(&setup), Err(expected), "{fen}");
        let error = FenError {
            at: 0,
            kind: FenErrorKind::Invalid(expected),
        };
        assert_eq!(fen.parse::<Board>(), Err(error), "{fen}");
        says(expected, sentence);
        says(error, sentence);
    }

    #[test]
    fn each_side_needs_one_king() {
        invalid(
            "4k3/8/8/8/8/8/8/8 w - - 0 1",
            SetupError::NoKing(Color::White),
            "White has no king",
        );
        invalid(
            "8/8/8/8/8/8/8/4K3 w - - 0 1",
            SetupError::NoKing(Color::Black),
            "Black has no king",
        );
        invalid(
            "4k2k/8/8/8/8/8/8/4K3 w - - 0 1",
            SetupError::TooManyKings(Color::Black),
            "Black has more than one king",
        );
        assert_eq!(
            Board::new(&Setup::default()),
            Err(SetupError::NoKing(Color::White))
        );
    }

    #[test]
    fn pawns_on_the_back_ranks_are_an_error() {
        invalid(
            "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
            SetupError::PawnOnBackRank(Square::A1),
            "there is a pawn on a1: pawns cannot be on the first or last rank",
        );
        invalid(
            "4k2p/8/8/8/8/8/8/4K3 w - - 0 1",
            SetupError::PawnOnBackRank(Square::H8),
            "there is a pawn on h8: pawns cannot be on the first or last rank",
        );
    }

    #[test]
    fn too_many_pieces_are_an_error() {
        let sentence = "White has more pieces than promotions can explain";
        for fen in [
            // Nine pawns; eight and a second queen, third rook, third knight, second dark bishop.
            "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
            "4k3/8/8/8/8/8/PPPPPPPP/RRR1K3 w - - 0 1",
            "4k3/8/8/8/8/8/PPPPPPPP/NNN1K3 w - - 0 1",
            "4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - - 0 1",
        ] {
            invalid(fen, SetupError::TooManyPieces(Color::White), sentence);
        }
        // One pawn has promoted. Bishops on both colours are there from the start.
        board("4k3/8/8/8/8/8/PPPPPPP1/QQ2K3 w - - 0 1");
        board("4k3/8/8/8/8/8/PPPPPPP1/B1B1K3 w - - 0 1");
        board("4k3/8/8/8/8/8/PPPPPPPP/BB2K3 w - - 0 1");
    }

    #[test]
    fn the_side_not_to_move_cannot_be_in_check() {
        invalid(
            "4k3/8/8/8/8/8/8/K3R3 w - - 0 1",
            SetupError::OpponentInCheck {
                king: Square::E8,
                by: Square::E1,
            },
            "the side not to move is in check: its king on e8 is attacked from e1",
        );
        invalid(
            "8/8/8/8/8/3k4/4K3/8 b - - 0 1",
            SetupError::OpponentInCheck {
                king: Square::E2,
                by: Square::D3,
            },
            "the side not to move is in check: its king on e2 is attacked from d3",
        );
        board("4k3/8/8/8/8/8/8/K3R3 b - - 0 1");
    }

    #[test]
    fn three_checkers_are_an_error() {
        let checkers = [Square::C2, Square::F3, Square::E8].into_iter().collect();
        invalid(
            "k3r3/8/8/8/8/5n2/2n5/4K3 w - - 0 1",
            SetupError::TooManyCheckers(checkers),
            "no single move can give check from all of these squares: c2, f3, e8",
        );
        board("k3r3/8/8/8/8/5n2/8/4K3 w - - 0 1");
    }

    #[test]
    fn castling_rights_need_king_and_rook() {
        invalid(
            "4k3/8/8/8/8/8/4K3/7R w H - 0 1",
            SetupError::CastlingKing(Color::White),
            "White has the right to castle, but its king is not on its back rank",
        );
        invalid(
            "4k3/8/8/8/8/8/8/4K2R w A - 0 1",
            SetupError::CastlingRook(Color::White, Square::A1),
            "White has the right to castle with a rook on a1, but has no rook there",
        );
        invalid(
            "4k2R/8/8/8/8/8/8/4K3 b h - 0 1",
            SetupError::CastlingRook(Color::Black, Square::H8),
            "Black has the right to castle with a rook on h8, but has no rook there",
        );
        invalid(
            "4k3/8/8/8/8/8/8/4K1RR w GH - 0 1",
            SetupError::TwoCastlingRooks(Color::White, CastlingSide::KingSide),
            "White has the right to castle kingside with two rooks, but can have it with one only",
        );
        // A setup can contain any square.
        let mut setup = board("4k3/8/8/8/7r/7R/8/4K3 w - - 0 1").setup();
        setup.castling_rooks = Bitboard::from(Square::H3);
        let invalid = SetupError::CastlingRook(Color::White, Square::H3);
        assert_eq!(Board::new(&setup), Err(invalid));
        setup.castling_rooks = Bitboard::from(Square::H5);
        let invalid = SetupError::CastlingRook(Color::Black, Square::H5);
        assert_eq!(Board::new(&setup), Err(invalid));
    }

    #[test]
    fn castling_rights_need_a_rook_on_that_side() {
        let error = "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1"
            .parse::<Board>()
            .unwrap_err();
        let kind = FenErrorKind::Invalid(SetupError::NoCastlingRook(
            Color::White,
            CastlingSide::QueenSide,
        ));
        assert_eq!(error, FenError { at: 24, kind });
        says(
            error,
            "White has the right to castle queenside, but has no rook on that side",
        );
    }

    #[test]
    fn en_passant_squares_need_a_passed_pawn() {
        let sentence = "e3 cannot be an en passant square: no pawn can have just passed over it";
        for fen in [
            // White to move; no pawn on e4; a black pawn on e4; a piece on e3; a piece on e2.
            "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1",
            "4k3/8/8/8/8/8/8/4K3 b - e3 0 1",
            "4k3/8/8/8/4p3/8/8/4K3 b - e3 0 1",
            "4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1",
            "4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1",
        ] {
            invalid(fen, SetupError::EnPassant(Square::E3), sentence);
        }
    }

    /// If no pawn can capture, the en passant square makes no difference and is dropped.
    #[test]
    fn useless_en_passant_squares_are_dropped() {
        let with = board("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1");
        assert_eq!(with, board("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"));
        assert_eq!(with.en_passant(), None);
        let ready = board("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
        assert_eq!(ready.en_passant(), Some(Square::E3));
        let mut line = GameHistory::default();
        play(&mut line, "e2e4");
        assert_eq!(line.board().en_passant(), None);
        play(&mut line, "a7a6 e4e5 d7d5");
        assert_eq!(line.board().en_passant(), Some(Square::D6));
    }

    #[test]
    fn clocks_have_limits() {
        invalid(
            "4k3/8/8/8/8/8/8/4K3 w - - 4096 1",
            SetupError::HalfmoveClock(4096),
            "the halfmove clock is 4096, but it can be at most 4095",
        );
        invalid(
            "4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999",
            SetupError::FullmoveNumber(u32::MAX),
            "the move number is 4294967295, but it must be from 1 to 32768",
        );
        let mut setup = Board::start().setup();
        setup.fullmove_number = 0;
        assert_eq!(Board::new(&setup), Err(SetupError::FullmoveNumber(0)));
        setup.fullmove_number = 32_768;
        setup.halfmove_clock = 4095;
        let last = Board::new(&setup).unwrap();
        assert_eq!(last.fullmove_number(), 32_768);
        assert_eq!(last.halfmove_clock(), 4095);
        // The clock stops there.
        let next = last.after(find(&last, "g1f3"));
        assert_eq!(next.halfmove_clock(), 4095);
        assert_eq!(next.turn(), Color::Black);
    }

    /// A game that nobody ended at 150 goes on counting, and its FEN says so.
    #[test]
    fn clocks_above_255_are_kept() {
        for clock in [255, 256, 1000, 4094] {
            let fen = format!("4k2n/8/8/8/8/8/8/R3K3 w Q - {clock} 2000");
            let board = board(&fen);
            assert_eq!(board.halfmove_clock(), clock);
            assert_eq!(board.to_string(), fen);
            assert_eq!(board.outcome(), Some(Outcome::SeventyFiveMoves));
            let fresh: Board = "4k2n/8/8/8/8/8/8/R3K3 w Q - 0 1".parse().unwrap();
            assert_eq!(board.key(), fresh.key());
            let next = board.after(find(&board, "e1c1"));
            assert_eq!(next.halfmove_clock(), clock + 1);
            let captured = board.after(find(&board, "a1a8")).null_move();
            assert_eq!(captured, None, "the rook gives check");
        }
        let board = board("4k3/8/8/8/3p4/8/4P3/4K3 w - - 3000 2000");
        let next = board.after(find(&board, "e2e4"));
        assert_eq!(next.to_string(), "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 2000");
        let passed = next.null_move().unwrap();
        assert_eq!(passed.to_string(), "4k3/8/8/8/3pP3/8/8/4K3 w - - 1 2001");
    }
}

mod fen {
    use super::*;

    #[track_caller]
    fn error(fen: &str, at: usize, problem: FenErrorKind, sentence: &str) {
        let error = FenError { at, kind: problem };
        assert_eq!(fen.parse::<Board>(), Err(error), "{fen:?}");
        assert_eq!(Setup::from_fen(fen), Err(error), "{fen:?}");
        says(error, sentence);
    }

    #[test]
    fn pieces() {
        error(
            "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            13,
            FenErrorKind::NotAPiece('x'),
            "unexpected 'x' among the pieces: use PNBRQK, pnbrqk, 1 to 8 and / (character 14)",
        );
        error(
            "4k3/8/8/♜7/8/8/8/4K3 w - - 0 1",
            8,
            FenErrorKind::NotAPiece('♜'),
            "unexpected '♜' among the pieces: use PNBRQK, pnbrqk, 1 to 8 and / (character 9)",
        );
        error(
            "4k3/9/8/8/8/8/8/4K3 w - - 0 1",
            4,
            FenErrorKind::NotAPiece('9'),
            "unexpected '9' among the pieces: use PNBRQK, pnbrqk, 1 to 8 and / (character 5)",
        );
        error(
            "4k3/8/ppppppppp/8/8/8/8/4K3 w - - 0 1",
            14,
            FenErrorKind::RankTooLong(Rank::Sixth),
            "rank 6 has more than 8 squares (character 15)",
        );
        error(
            "4k3/8/8/8/8/8/7p2/4K3 w - - 0 1",
            16,
            FenErrorKind::RankTooLong(Rank::Second),
            "rank 2 has more than 8 squares (character 17)",
        );
        error(
            "4k3/7/8/8/8/8/8/4K3 w - - 0 1",
            5,
            FenErrorKind::RankTooShort(Rank::Seventh, 7),
            "rank 7 has 7 squares instead of 8 (character 6)",
        );
        error(
            "4k3/8/8/8/8/8/8/4K2 w - - 0 1",
            19,
            FenErrorKind::RankTooShort(Rank::First, 7),
            "rank 1 has 7 squares instead of 8 (character 20)",
        );
        // 64 squares in total are not enough.
        error(
            "4k4/7/8/8/8/8/8/4K3 w - - 0 1",
            2,
            FenErrorKind::RankTooLong(Rank::Eighth),
            "rank 8 has more than 8 squares (character 3)",
        );
        error(
            "4k2/18/8/8/8/8/8/4K3 w - - 0 1",
            3,
            FenErrorKind::RankTooShort(Rank::Eighth, 7),
            "rank 8 has 7 squares instead of 8 (character 4)",
        );
        error(
            "4k3/8/8/8/8/4K3/ w - - 0 1",
            16,
            FenErrorKind::RankTooShort(Rank::Second, 0),
            "rank 2 has 0 squares instead of 8 (character 17)",
        );
        error(
            "4k3/8/8/8/8/8/8/4K3/8 w - - 0 1",
            19,
            FenErrorKind::TooManyRanks,
            "there are more than 8 ranks (character 20)",
        );
        error(
            "4k3/8/8/8/8/8/4K3 w - - 0 1",
            17,
            FenErrorKind::TooFewRanks(7),
            "there are 7 ranks instead of 8 (character 18)",
        );
    }

    #[test]
    fn missing_fields() {
        for (fen, field, sentence) in [
            ("", FenField::Pieces, "the pieces are missing (character 1)"),
            (
                "4k3/8/8/8/8/8/8/4K3",
                FenField::Turn,
                "the side to move is missing (character 20)",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 w",
                FenField::Castling,
                "the castling field is missing (character 22)",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 w -",
                FenField::EnPassant,
                "the en passant field is missing (character 24)",
            ),
        ] {
            error(fen, fen.len(), FenErrorKind::Missing(field), sentence);
        }
    }

    #[test]
    fn unreadable_fields() {
        let unreadable = FenErrorKind::Unreadable;
        error(
            "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
            20,
            unreadable(FenField::Turn),
            "cannot read the side to move: write w or b (character 21)",
        );
        error(
            "r3k2r/8/8/8/8/8/8/R3K2R w KQxq - 0 1",
            28,
            unreadable(FenField::Castling),
            "cannot read the castling field: write letters of KQkq, the files of the rooks, or - \
             (character 29)",
        );
        for square in ["e9", "e", "e33", "33"] {
            error(
                &format!("4k3/8/8/8/8/8/8/4K3 b - {square} 0 1"),
                24,
                unreadable(FenField::EnPassant),
                "cannot read the en passant field: write the square that a pawn just passed over, or - \
                 (character 25)",
            );
        }
        error(
            "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
            26,
            unreadable(FenField::HalfmoveClock),
            "cannot read the halfmove clock: write a number (character 27)",
        );
        error(
            "4k3/8/8/8/8/8/8/4K3 w - - 0 one",
            28,
            unreadable(FenField::FullmoveNumber),
            "cannot read the move number: write a number (character 29)",
        );
        error(
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 bm",
            30,
            FenErrorKind::TrailingText,
            "there is more text after the six fields (character 31)",
        );
    }

    /// FENs as other programs write them and people type them.
    #[test]
    fn lenient_reading() {
        let plain = board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for text in [
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 0",
            "r3k2r/8/8/8/8/8/8/R3K2R W qkQK - 0 1",
            "  r3k2r/8/8/8/8/8/8/R3K2R  w\tKQkq - 0 1  ",
            "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
            "r3k2r/44/8/8/8/8/8/R3K2R w HQka - 0 1",
        ] {
            assert_eq!(text.parse(), Ok(plain), "{text:?}");
        }
        let passed = board("4k3/8/8/8/3pP3/8/8/4K3 b - E3 0 1");
        assert_eq!(passed.en_passant(), Some(Square::E3));
    }

    /// Lines of files with their line breaks.
    #[test]
    fn line_breaks() {
        for end in ["\n", "\r\n", " \n"] {
            let text = format!("4k3/8/8/8/8/8/8/4K3 w - - 0 1{end}");
            assert_eq!(
                text.parse(),
                Ok(board("4k3/8/8/8/8/8/8/4K3 w - - 0 1")),
                "{text:?}"
            );
        }
    }

    /// FENs are written in their shortest standard form.
    #[test]
    fn writing() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "4k3/8/8/8/8/8/8/4K2R w K - 99 12345",
            // X-FEN: a file letter if the rook is not the outermost one.
            "1r2k1rr/8/8/8/8/8/8/RR2K1R1 w KBgq - 3 40",
            "4k3/8/8/8/8/8/8/4K1RR w G - 0 1",
        ] {
            says(board(text), text);
        }
        let inner = board("4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
        assert_eq!(
            inner.castling_rook(Color::White, CastlingSide::KingSide),
            Some(Square::G1)
        );
        says(
            board("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1").shredder_fen(),
            "r3k2r/8/8/8/8/8/8/R3K2R w Ha - 0 1",
        );
        assert_eq!(
            format!("{:?}", Board::start()),
            Board::start().to_string(),
            "for people who debug"
        );
        let padded = format!("{:>60}|", board("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
        assert_eq!(padded.len(), 61);
    }

    /// Move numbers continue after the largest one that a setup allows, and can still be read.
    #[test]
    fn last_move_number() {
        let mut board = board("4k3/8/8/8/8/8/8/4K3 b - - 0 32768");
        for text in ["e8d8", "e1d1", "d8e8"] {
            board.play(find(&board, text));
            assert_eq!(board.to_string().parse(), Ok(board));
            assert_eq!(Board::new(&board.setup()), Ok(board));
        }
    }
}

mod ends {
    use super::*;

    #[test]
    fn checkmate_and_stalemate() {
        let mut line = GameHistory::default();
        play(&mut line, "f2f3 e7e5 g2g4 d8h4");
        let mate = Outcome::Checkmate {
            winner: Color::Black,
        };
        assert_eq!(line.outcome(), Some(mate));
        assert_eq!(line.board().outcome(), Some(mate));
        assert!(line.board().is_checkmate() && !line.board().is_stalemate());
        assert_eq!((mate.winner(), mate.result()), (Some(Color::Black), "0-1"));
        says(mate, "Black wins by checkmate");

        let stalemate = board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        assert_eq!(stalemate.outcome(), Some(Outcome::Stalemate));
        assert!(stalemate.is_stalemate() && !stalemate.is_checkmate());
        assert_eq!(Outcome::Stalemate.result(), "1/2-1/2");
        assert_eq!(Outcome::Stalemate.winner(), None);
        says(Outcome::Stalemate, "draw by stalemate");
    }

    #[test]
    fn insufficient_material() {
        // Pieces besides the kings. Bishops on a1 are on dark squares, on b1 on light ones.
        for (pieces, is_dead) in [
            ("", true),
            ("N", true),
            ("n", true),
            ("B", true),
            ("b", true),
            ("B1B", true),
            ("B1b1B", true),
            ("BB", false),
            ("Bb", false),
            ("NN", false),
            ("Nn", false),
            ("NB", false),
            ("Nb", false),
            ("R", false),
            ("q", false),
        ] {
            let width: usize = pieces
                .chars()
                .map(|c| c.to_digit(10).unwrap_or(1) as usize)
                .sum();
            let fen = format!("6k1/8/8/8/8/8/{pieces}{}/6K1 b - - 0 1", 8 - width);
            let board = board(&fen);
            assert_eq!(board.is_insufficient_material(), is_dead, "{fen}");
            let outcome = is_dead.then_some(Outcome::InsufficientMaterial);
            assert_eq!(board.outcome(), outcome, "{fen}");
        }
        assert!(!board("k7/8/8/8/8/8/P7/7K w - - 0 1").is_insufficient_material());
        says(
            Outcome::InsufficientMaterial,
            "draw by insufficient material",
        );
    }

    /// After fifty moves by each side a draw may be claimed; after seventy-five the game ends.
    #[test]
    fn fifty_and_seventy_five_move_rules() {
        let ends = |clock: u32| {
            let fen = format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 100");
            let mut line = GameHistory::new(board(&fen));
            assert_eq!(u32::from(line.board().halfmove_clock()), clock);
            play(&mut line, "a1a2");
            (line.claim(), line.outcome())
        };
        assert_eq!(ends(98), (None, None));
        assert_eq!(ends(99), (Some(DrawClaim::FiftyMoves), None));
        assert_eq!(ends(148), (Some(DrawClaim::FiftyMoves), None));
        let draw = Some(Outcome::SeventyFiveMoves);
        assert_eq!(ends(149), (Some(DrawClaim::FiftyMoves), draw));
        assert_eq!(ends(254), (Some(DrawClaim::FiftyMoves), draw));
        says(DrawClaim::FiftyMoves, "draw by the fifty-move rule");
        says(
            Outcome::SeventyFiveMoves,
            "draw by the seventy-five-move rule",
        );
    }

    #[test]
    fn mate_beats_the_seventy_five_move_rule() {
        let mut line = GameHistory::new(board("k7/8/1K6/8/8/8/8/7R w - - 149 100"));
        play(&mut line, "h1h8");
        assert_eq!(line.board().halfmove_clock(), 150);
        let mate = Outcome::Checkmate {
            winner: Color::White,
        };
        assert_eq!(line.outcome(), Some(mate));
    }

    #[test]
    fn captures_and_pawn_moves_reset_the_clock() {
        let before = board("r3k3/8/8/4p3/3P4/8/8/R3K2R w KQq - 40 30");
        for (text, clock) in [
            ("a1a8", 0),
            ("d4d5", 0),
            ("d4e5", 0),
            ("e1g1", 41),
            ("h1h8", 41),
        ] {
            let after = before.after(find(&before, text));
            assert_eq!(after.halfmove_clock(), clock, "{text}");
        }
    }

    #[test]
    fn repetition() {
        let mut line = GameHistory::default();
        assert_eq!(line.repetitions(), 1);
        for times in 2..=5 {
            play(&mut line, "g1f3 g8f6 f3g1");
            // The side to move is part of the position.
            assert_eq!(line.repetitions(), times - 1);
            play(&mut line, "f6g8");
            assert_eq!(line.repetitions(), times);
            let claim = (times >= 3).then_some(DrawClaim::ThreefoldRepetition);
            assert_eq!(line.claim(), claim);
            let outcome = (times >= 5).then_some(Outcome::FivefoldRepetition);
            assert_eq!(line.outcome(), outcome);
        }
        says(
            DrawClaim::ThreefoldRepetition,
            "draw by threefold repetition",
        );
        says(Outcome::FivefoldRepetition, "draw by fivefold repetition");
        // After a pawn move no earlier position can occur again.
        play(&mut line, "e2e3");
        assert_eq!(line.repetitions(), 1);
        assert_eq!((line.claim(), line.outcome()), (None, None));
    }

    /// The rook returns, but the castling right does not.
    #[test]
    fn repetition_with_fewer_rights() {
        let mut line = GameHistory::new(board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"));
        play(&mut line, "h1g1 e8d8 g1h1 d8e8");
        assert_eq!(line.repetitions(), 1);
        play(&mut line, "h1g1 e8d8 g1h1 d8e8");
        assert_eq!(line.repetitions(), 2);
    }

    /// An en passant square makes a different position only if the capture is legal.
    #[test]
    fn repetition_with_en_passant() {
        // The rook on h5 pins both pawns on the rank.
        let mut pinned = GameHistory::new(board("8/2p5/8/K2P3r/8/8/8/4k3 b - - 0 1"));
        play(&mut pinned, "c7c5");
        assert_eq!(pinned.board().en_passant(), Some(Square::C6));
        let first = *pinned.board();
        play(&mut pinned, "a5a4 e1d1 a4a5 d1e1");
        assert_eq!(pinned.repetitions(), 2);
        assert_ne!(pinned.board().key(), first.key());
        assert_eq!(pinned.board().repetition_key(), first.repetition_key());
        play(&mut pinned, "a5a4 e1d1 a4a5 d1e1");
        assert_eq!(pinned.claim(), Some(DrawClaim::ThreefoldRepetition));

        // Without the rook, the capture is legal the first time only.
        let mut free = GameHistory::new(board("8/2p5/8/K2P4/8/8/8/4k3 b - - 0 1"));
        play(&mut free, "c7c5");
        assert_eq!(free.board().repetition_key(), free.board().key());
        play(&mut free, "a5a4 e1d1 a4a5 d1e1");
        assert_eq!(free.repetitions(), 1);
        play(&mut free, "a5a4 e1d1 a4a5 d1e1");
        assert_eq!(free.repetitions(), 2);
    }

    #[test]
    fn undo() {
        let mut line = GameHistory::new(Board::start());
        play(&mut line, "e2e4 e7e5 g1f3");
        let texts: Vec<String> = line.moves().map(|mv| mv.to_string()).collect();
        assert_eq!(texts, ["e2e4", "e7e5", "g1f3"]);
        assert_eq!(line.played().len(), 3);
        assert_eq!(*line.start(), Board::start());
        let last = line.undo().unwrap();
        says(last, "g1f3");
        says(
            line.board(),
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        );
        // An illegal move leaves the game unchanged.
        let before = line.clone();
        let castle = board("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert!(line.try_play(find(&castle, "e1g1")).is_err());
        assert_eq!(line, before);
        assert!(line.undo().is_some() && line.undo().is_some());
        assert_eq!(line.undo(), None);
        assert_eq!(line, GameHistory::default());
    }

    #[test]
    #[should_panic(expected = "e1g1 is illegal in rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w")]
    fn playing_an_illegal_move_panics() {
        let castle = board("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        Board::start().play(find(&castle, "e1g1"));
    }
}

mod chess960 {
    use super::*;

    fn back_rank(board: &Board, color: Color) -> String {
        Bitboard::rank(color.relative_rank(Rank::First))
            .into_iter()
            .filter_map(|square| board.role_at(square))
            .map(Role::upper_char)
            .collect()
    }

    #[test]
    fn starting_positions_have_scharnagls_numbers() {
        for (number, expected) in [
            (0, "BBQNNRKR"),
            (1, "BQNBNRKR"),
            (518, "RNBQKBNR"),
            (959, "RKRNNQBB"),
        ] {
            let start = Board::chess960_start(number);
            assert_eq!(back_rank(&start, Color::White), expected);
        }
        assert_eq!(Board::chess960_start(518), Board::start());
        assert_eq!(Board::chess960_start(960), Board::chess960_start(0));
        assert_eq!(Board::default(), Board::start());
    }

    #[test]
    fn all_starting_positions_are_valid_and_different() {
        let mut seen = HashSet::new();
        for number in 0..960 {
            let start = Board::chess960_start(number);
            let rank = back_rank(&start, Color::White);
            assert_eq!(back_rank(&start, Color::Black), rank);
            let files = |letter: char| -> Vec<usize> {
                rank.match_indices(letter).map(|(file, _)| file).collect()
            };
            let (rooks, king, bishops) = (files('R'), files('K'), files('B'));
            assert!(rooks[0] < king[0] && king[0] < rooks[1], "{rank}");
            assert_ne!(bishops[0] % 2, bishops[1] % 2, "{rank}");
            assert_eq!((files('N').len(), files('Q').len()), (2, 1), "{rank}");
            assert_eq!(start.castling_rooks(), start.by_role(Role::Rook));
            // Another library has the same number for it.
            let theirs = cozy_chess::Board::chess960_startpos(u32::from(number));
            assert_eq!(start.shredder_fen().to_string(), format!("{theirs:#}"));
            seen.insert(rank);
        }
        assert_eq!(seen.len(), 960);
    }

    /// The rook jumps over the king or stays; the king may stay too.
    #[test]
    fn castling_ends_on_the_same_squares() {
        for (fen, after) in [
            (
                "7k/8/8/8/8/8/8/RK6 w A - 0 1",
                "7k/8/8/8/8/8/8/2KR4 b - - 1 1",
            ),
            (
                "7k/8/8/8/8/8/8/1RK5 w B - 0 1",
                "7k/8/8/8/8/8/8/2KR4 b - - 1 1",
            ),
            (
                "7k/8/8/8/8/8/8/3RK3 w D - 0 1",
                "7k/8/8/8/8/8/8/2KR4 b - - 1 1",
            ),
            (
                "k7/8/8/8/8/8/8/1KR5 w C - 0 1",
                "k7/8/8/8/8/8/8/5RK1 b - - 1 1",
            ),
            (
                "1k6/8/8/8/8/8/8/6KR w H - 0 1",
                "1k6/8/8/8/8/8/8/5RK1 b - - 1 1",
            ),
            (
                "5kr1/8/8/8/8/8/8/7K b g - 0 1",
                "5rk1/8/8/8/8/8/8/7K w - - 1 2",
            ),
        ] {
            let before = board(fen);
            let moves = before.legal_moves();
            let castle = moves.iter().find(|mv| mv.is_castling());
            let castle = *castle.unwrap_or_else(|| panic!("no castling in {fen}"));
            says(before.after(castle), after);
        }
    }
}

mod keys {
    use super::*;

    /// The examples from the description of the Polyglot book format.
    #[test]
    fn published_keys() {
        assert_eq!(Board::start().key(), 0x463b_9618_1691_fc9c);
        for game in [
            &[
                ("e2e4", 0x823c_9b50_fd11_4196),
                ("d7d5", 0x0756_b944_61c5_0fb0),
                ("e4e5", 0x662f_afb9_65db_29d4),
                ("f7f5", 0x22a4_8b5a_8e47_ff78),
                ("e1e2", 0x652a_607c_a3f2_42c1),
                ("e8f7", 0x00fd_d303_c946_bdd9),
            ][..],
            &[
                ("a2a4", 0),
                ("b7b5", 0),
                ("h2h4", 0),
                ("b5b4", 0),
                ("c2c4", 0x3c81_23ea_7b06_7637),
                ("b4c3", 0),
                ("a1a3", 0x5c3f_9b82_9b27_9560),
            ],
        ] {
            let mut board = Board::start();
            for &(text, key) in game {
                board.play(find(&board, text));
                let from_fen: Board = board.to_string().parse().unwrap();
                assert_eq!(from_fen.key(), board.key(), "after {text}");
                if key != 0 {
                    assert_eq!(board.key(), key, "after {text}");
                }
            }
        }
    }

    #[test]
    fn clocks_do_not_change_the_key() {
        let (young, old) = (
            board("4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            board("4k3/8/8/8/8/8/8/4K3 w - - 30 70"),
        );
        assert_eq!(young.key(), old.key());
        assert_ne!(young, old);
    }

    #[test]
    fn everything_else_changes_the_key() {
        let keys: HashSet<u64> = [
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b Qkq - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b Kkq - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQq - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQk - 0 1",
            "r3k2r/8/8/8/3Pp3/8/8/R3K2R b KQkq - 0 1",
            "r3k2r/8/8/8/3pP3/8/8/R3K1R1 b Qkq - 0 1",
        ]
        .into_iter()
        .map(|fen| board(fen).key())
        .collect();
        assert_eq!(keys.len(), 9);
    }
}

mod small_types {
    use super::*;

    #[test]
    fn type_sizes() {
        assert_eq!(size_of::<Move>(), 2);
        assert_eq!(size_of::<Position>(), 56);
        assert_eq!(size_of::<Board>(), 64);
        assert_eq!(size_of::<Square>(), 1);
    }

    #[test]
    fn squares() {
        assert_eq!(Square::all().len(), 64);
        for (index, square) in Square::all().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::from_index(index), Some(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(square.flip().flip(), square);
            assert_eq!(square.flip().file(), square.file());
            assert_ne!(square.is_light(), square.flip().is_light());
            assert_eq!(Bitboard::LIGHT.contains(square), square.is_light());
            assert_eq!(Bitboard::DARK.contains(square), !square.is_light());
        }
        assert_eq!(Square::from_index(64), None);
        assert!(Square::H1.is_light() && !Square::A1.is_light());
        for text in ["", "e", "e44", "i4", "e0", "é4"] {
            assert_eq!(text.parse::<Square>(), Err(ParseSquareError), "{text}");
        }
        says(
            ParseSquareError,
            "a square is a letter from a to h and a digit from 1 to 8, as in e4",
        );
    }

    #[test]
    fn letters() {
        for role in Role::ALL {
            assert_eq!(Role::from_char(role.char()), Some(role));
            assert_eq!(Role::from_char(role.upper_char()), Some(role));
            for color in Color::ALL {
                let piece = Piece::new(color, role);
                assert_eq!(Piece::from_char(piece.char()), Some(piece));
            }
        }
        assert_eq!(Role::from_char('x'), None);
        says(Piece::new(Color::White, Role::Queen), "White queen");
        for (file, letter) in File::ALL.into_iter().zip("abcdefgh".chars()) {
            assert_eq!(file.char(), letter);
            assert_eq!(File::from_char(letter), Some(file));
            assert_eq!(File::from_char(letter.to_ascii_uppercase()), Some(file));
        }
        for (rank, digit) in Rank::ALL.into_iter().zip("12345678".chars()) {
            assert_eq!(rank.char(), digit);
            assert_eq!(Rank::from_char(digit), Some(rank));
            assert_eq!(Color::White.relative_rank(rank), rank);
            assert_eq!(Color::Black.relative_rank(rank).index(), 7 - rank.index());
        }
        assert_eq!((File::from_char('i'), Rank::from_char('9')), (None, None));
    }

    #[test]
    fn properties_of_moves() {
        let castle = board("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
        let castle = find(&castle, "e8c8");
        assert!(castle.is_castling() && !castle.is_en_passant());
        assert_eq!((castle.role(), castle.promotion()), (Role::King, None));
        let promotion = board("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        let promotion = find(&promotion, "a7a8n");
        assert_eq!(promotion.role(), Role::Pawn);
        assert_eq!(promotion.promotion(), Some(Role::Knight));
        let passing = board("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
        let passing = find(&passing, "d4e3");
        assert!(passing.is_en_passant() && !passing.is_castling());
        let start = Board::start();
        assert!(find(&start, "e2e4").is_double_push());
        assert!(!find(&start, "e2e3").is_double_push());
        assert_eq!(find(&start, "b1c3").role(), Role::Knight);
    }
}

/// Compares the attack tables with attacks found step by step.
mod attack_tables {
    use super::*;

    fn seen_by(piece: Piece, from: Square, occupied: Bitboard) -> Bitboard {
        let mut pieces = Placement::EMPTY;
        for square in occupied {
            pieces.put(square, Piece::new(Color::White, Role::Pawn));
        }
        pieces.put(from, piece);
        Square::all()
            .filter(|&to| naive::attacks(&pieces, from, to))
            .collect()
    }

    #[test]
    fn of_pieces() {
        let mut rng = common::Rng::new(0xa77ac);
        for from in Square::all() {
            for role in Role::ALL {
                for color in Color::ALL {
                    let piece = Piece::new(color, role);
                    for _ in 0..50 {
                        // From few to many pieces.
                        let mut occupied = rng.number();
                        for _ in 0..rng.below(4) {
                            occupied &= rng.number();
                        }
                        let occupied = Bitboard(occupied);
                        assert_eq!(
                            attacks::of(role, color, from, occupied),
                            seen_by(piece, from, occupied),
                            "{piece} on {from} among\n{occupied:?}"
                        );
                    }
                }
            }
        }
    }

    /// Every set of blockers on the lines of a rook or a bishop on a few squares.
    #[test]
    fn of_sliders_with_all_blockers() {
        for from in [Square::A1, Square::D4, Square::H5, Square::C8] {
            for (role, attack) in [
                (
                    Role::Bishop,
                    attacks::bishop as fn(Square, Bitboard) -> Bitboard,
                ),
                (Role::Rook, attacks::rook),
            ] {
                let piece = Piece::new(Color::White, role);
                let lines = attack(from, Bitboard::EMPTY);
                let mut blockers = Bitboard::EMPTY;
                loop {
                    let expected = seen_by(piece, from, blockers);
                    assert_eq!(
                        attack(from, blockers),
                        expected,
                        "{from} among\n{blockers:?}"
                    );
                    // The next subset.
                    blockers = Bitboard(blockers.0.wrapping_sub(lines.0) & lines.0);
                    if blockers.is_empty() {
                        break;
                    }
                }
            }
        }
    }

    #[test]
    fn of_lines() {
        for a in Square::all() {
            for b in Square::all() {
                let between: Bitboard = naive::between(a, b).collect();
                assert_eq!(attacks::between(a, b), between, "{a} {b}");
                let queen = Piece::new(Color::White, Role::Queen);
                let line: Bitboard = if naive::has_attack_shape(queen, a, b) {
                    Square::all().filter(|&c| on_one_line(a, b, c)).collect()
                } else {
                    Bitboard::EMPTY
                };
                assert_eq!(attacks::line(a, b), line, "{a} {b}");
            }
        }
    }

    /// Whether the third square is on the straight line through the first two.
    fn on_one_line(a: Square, b: Square, c: Square) -> bool {
        let ((ab_files, ab_ranks), (ac_files, ac_ranks)) =
            (naive::distance(a, b), naive::distance(a, c));
        ab_files * ac_ranks == ab_ranks * ac_files
    }

    #[test]
    fn of_pawns() {
        let mut rng = common::Rng::new(0x9a37);
        for color in Color::ALL {
            for _ in 0..1_000 {
                let (pawns, occupied) = (Bitboard(rng.number()), Bitboard(rng.number()));
                let attacked: Bitboard = pawns
                    .into_iter()
                    .flat_map(|pawn| attacks::pawn(color, pawn))
                    .collect();
                assert_eq!(attacks::pawns(color, pawns), attacked);
                let from = rng.square();
                let mut pieces = Placement::EMPTY;
                for square in occupied {
                    pieces.put(square, Piece::new(!color, Role::King));
                }
                pieces.put(from, Piece::new(color, Role::Pawn));
                let steps: Bitboard = Bitboard::file(from.file())
                    .into_iter()
                    .filter(|&to| naive::reaches(&pieces, from, to))
                    .collect();
                assert_eq!(attacks::pawn_pushes(color, from, occupied), steps, "{from}");
            }
        }
    }
}

/// The same inputs in every run, and no files of failures.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x7ab1_7a00),
        failure_persistence: None,
        max_local_rejects: 1_000_000,
        ..ProptestConfig::default()
    }
}

fn any_square() -> impl Strategy<Value = Square> {
    (0..64_usize).prop_map(|index| Square::from_index(index).unwrap())
}

fn any_piece() -> impl Strategy<Value = Piece> {
    (0..2_usize, 0..6_usize)
        .prop_map(|(color, role)| Piece::new(Color::ALL[color], Role::ALL[role]))
}

/// Any pieces on any squares that are a valid position.
fn any_board() -> impl Strategy<Value = (Setup, Board)> {
    (
        prop::collection::vec((any_square(), any_piece()), 0..24),
        [any_square(), any_square()],
        any::<bool>(),
        prop::collection::vec(any_square(), 0..6),
        (0..256_u32, 1..32_768_u32),
    )
        .prop_map(|(pieces, kings, white, rooks, clocks)| {
            let mut setup = Setup {
                turn: if white { Color::White } else { Color::Black },
                halfmove_clock: clocks.0,
                fullmove_number: clocks.1,
                ..Setup::default()
            };
            for (square, piece) in pieces {
                let at_the_end = [Rank::First, Rank::Eighth].contains(&square.rank());
                if piece.role != Role::King && !(piece.role == Role::Pawn && at_the_end) {
                    setup.pieces.put(square, piece);
                }
            }
            for (square, color) in kings.into_iter().zip(Color::ALL) {
                setup.pieces.put(square, Piece::new(color, Role::King));
            }
            for rook in rooks {
                if setup.pieces.by_role(Role::Rook).contains(rook) {
                    setup.castling_rooks.insert(rook);
                }
            }
            // Perhaps some pawn has just moved two squares.
            let them = !setup.turn;
            setup.en_passant = File::ALL
                .into_iter()
                .map(|file| Square::new(file, them.relative_rank(Rank::Third)))
                .find(|&passed| {
                    setup
                        .pieces
                        .pieces(them, Role::Pawn)
                        .intersects(attacks::pawn_pushes(them, passed, Bitboard::EMPTY))
                });
            setup
        })
        .prop_filter_map("a position", |setup| {
            Some((setup, Board::new(&setup).ok()?))
        })
}

/// The pieces of a FEN, read rank by rank.
fn read_naively(text: &str) -> Option<Placement> {
    let mut pieces = Placement::EMPTY;
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return None;
    }
    for (rank, text) in Rank::ALL.into_iter().rev().zip(ranks) {
        let mut files = File::ALL.into_iter();
        for letter in text.chars() {
            if let Some(gap) = letter.to_digit(9) {
                for _ in 0..gap {
                    files.next()?;
                }
            } else {
                let square = Square::new(files.next()?, rank);
                pieces.put(square, Piece::from_char(letter)?);
            }
        }
        if files.next().is_some() {
            return None;
        }
    }
    Some(pieces)
}

proptest! {
    #![proptest_config(config(20_000))]

    /// A setup survives a round trip through a board and through FEN, except for a useless en passant square.
    #[test]
    fn setups_round_trip((setup, board) in any_board()) {
        let mut again = board.setup();
        if again.en_passant.is_none() {
            again.en_passant = setup.en_passant;
        }
        prop_assert_eq!(again, setup);
        prop_assert_eq!(Setup::from_fen(&board.to_string()), Ok(board.setup()));
        let shredder = board.shredder_fen().to_string();
        prop_assert_eq!(Setup::from_fen(&shredder), Ok(board.setup()));
    }

    /// No text makes the parser panic, and the place of an error is inside the text.
    #[test]
    fn any_text_is_parsed_or_rejected(text in any::<String>()) {
        if let Err(error) = text.parse::<Board>() {
            prop_assert!(text.is_char_boundary(error.at));
            prop_assert!(!error.to_string().is_empty());
        }
    }

    /// The same for texts with small errors.
    #[test]
    fn damaged_fen_is_parsed_or_rejected(
        number in 0..960_u16,
        at in 0..60_usize,
        junk in "[ -~♜\t]{0,3}",
        removed in 0..4_usize,
    ) {
        let mut text = Board::chess960_start(number).to_string();
        let at = at.min(text.len());
        let end = (at + removed).min(text.len());
        text.replace_range(at..end, &junk);
        match text.parse::<Board>() {
            Ok(board) => prop_assert_eq!(board.to_string().parse(), Ok(board)),
            Err(error) => prop_assert!(text.is_char_boundary(error.at), "{} {:?}", text, error),
        }
    }

    /// With two characters exchanged, pieces are read like a naive reader does, or rejected.
    #[test]
    fn pieces_are_parsed_like_a_naive_reader(
        (_, board) in any_board(),
        a in any::<prop::sample::Index>(),
        b in any::<prop::sample::Index>(),
    ) {
        let fen = board.to_string();
        let (pieces, rest) = fen.split_once(' ').unwrap();
        let mut bytes = pieces.as_bytes().to_vec();
        let (a, b) = (a.index(bytes.len()), b.index(bytes.len()));
        bytes.swap(a, b);
        let changed = String::from_utf8(bytes).unwrap();
        let expected = read_naively(&changed);
        // The castling and en passant fields may not fit the new pieces, so they are left out.
        let turn = &rest[..1];
        let setup = Setup::from_fen(&format!("{changed} {turn} - -"));
        prop_assert_eq!(setup.ok().map(|setup| setup.pieces), expected, "{}", changed);
    }

    #[test]
    fn bitboards_are_sets(
        left in prop::collection::btree_set(any_square(), 0..64),
        right in prop::collection::btree_set(any_square(), 0..64),
        square in any_square(),
    ) {
        let set = |squares: &BTreeSet<Square>| squares.iter().copied().collect::<Bitboard>();
        let (a, b) = (set(&left), set(&right));
        prop_assert_eq!(a & b, set(&(&left & &right)));
        prop_assert_eq!(a | b, set(&(&left | &right)));
        prop_assert_eq!(a ^ b, set(&(&left ^ &right)));
        prop_assert_eq!(a - b, set(&(&left - &right)));
        prop_assert_eq!(!a, Bitboard::FULL - a);
        prop_assert_eq!(a.len(), left.len());
        prop_assert_eq!(a.is_empty(), left.is_empty());
        prop_assert_eq!(a.more_than_one(), left.len() > 1);
        prop_assert_eq!(a.intersects(b), !left.is_disjoint(&right));
        prop_assert_eq!(a.first(), left.first().copied());
        prop_assert_eq!(a.last(), left.last().copied());
        prop_assert_eq!(a.contains(square), left.contains(&square));
        let (mut with, mut without) = (a, a);
        with.insert(square);
        without.remove(square);
        prop_assert!(with.contains(square) && !without.contains(square));
        prop_assert_eq!(with - Bitboard::from(square), without);
        prop_assert!(a.into_iter().eq(left.iter().copied()));
        prop_assert!(a.into_iter().rev().eq(left.iter().rev().copied()));
        prop_assert_eq!(a.into_iter().len(), left.len());
    }

    /// Any sixteen bits give a move, and the bits of that move give it again.
    #[test]
    fn moves_round_trip(bits in any::<u16>()) {
        let mv = Move::from_bits(bits);
        prop_assert_eq!(Move::from_bits(mv.to_bits()), mv);
        let text = mv.to_string();
        prop_assert_eq!(text[..2].parse(), Ok(mv.from()));
        prop_assert_eq!(text[2..4].parse(), Ok(mv.to()));
        let promotion = text[4..].chars().next().and_then(Role::from_char);
        prop_assert_eq!(promotion, mv.promotion());
    }

    #[test]
    fn offsets_add_up(
        square in any_square(),
        files in prop_oneof![-8..=8_i8, any::<i8>()],
        ranks in prop_oneof![-8..=8_i8, any::<i8>()],
    ) {
        let file = square.file().index() as i32 + i32::from(files);
        let rank = square.rank().index() as i32 + i32::from(ranks);
        let expected = ((0..8).contains(&file) && (0..8).contains(&rank))
            .then(|| Square::new(File::ALL[file as usize], Rank::ALL[rank as usize]));
        prop_assert_eq!(square.offset(files, ranks), expected);
    }
}
