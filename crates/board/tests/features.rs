//! Tests the optional features `serde` and `arbitrary`.

mod common;

use std::fmt::Debug;

use arbitrary::{Arbitrary, Unstructured};
use common::{Rng, Start, random_game, random_setup};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tabiya_board::{
    Bitboard, Board, ByColor, ByRole, CastlingSide, Color, File, GameHistory, Move, Piece,
    Placement, Rank, Role, Setup, Square,
};

#[track_caller]
fn json<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
    let json = serde_json::to_string(value).unwrap();
    assert_eq!(serde_json::from_str::<T>(&json).unwrap(), *value, "{json}");
    json
}

#[test]
fn small_types_are_texts() {
    assert_eq!(json(&Square::E4), "\"e4\"");
    assert_eq!(json(&File::E), "\"e\"");
    assert_eq!(json(&Rank::Fourth), "\"4\"");
    assert_eq!(json(&Color::Black), "\"black\"");
    assert_eq!(json(&Role::Knight), "\"knight\"");
    assert_eq!(json(&Piece::new(Color::White, Role::Knight)), "\"N\"");
    assert_eq!(json(&CastlingSide::QueenSide), "\"queenside\"");
    assert_eq!(json(&Bitboard::FULL), u64::MAX.to_string());
    assert_eq!(
        json(&ByColor { white: 1, black: 2 }),
        r#"{"white":1,"black":2}"#
    );
    json(&ByRole::from_fn(|role| role));
    for text in ["\"e9\"", "\"\"", "4", "null"] {
        assert!(serde_json::from_str::<Square>(text).is_err(), "{text}");
    }
    let error = serde_json::from_str::<Board>("\"8/8/8/8/8/8/8/8 w - - 0 1\"").unwrap_err();
    assert!(error.to_string().contains("White has no king"), "{error}");
}

#[test]
fn boards_setups_and_moves_survive_serde() {
    let mut rng = Rng::new(0x5e7d);
    for start in [Start::Standard, Start::Chess960] {
        random_game(&mut rng, start, |_, board| {
            assert_eq!(json(board), format!("\"{board}\""));
            json(board.position());
            json(&board.setup());
            for mv in board.legal_moves() {
                assert_eq!(json(&mv), mv.to_bits().to_string());
            }
        });
    }
    let back_ranks = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
    for _ in 0..1000 {
        let mut setup = random_setup(&mut rng);
        setup.castling_rooks &= back_ranks;
        json(&setup);
    }
    let puzzle = Board::from_fen_forgiving(
        "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
        |_| true,
    );
    json(&puzzle.unwrap());
}

#[test]
fn arbitrary_values_are_valid() {
    let mut rng = Rng::new(0xa2b1);
    let (mut chess960, mut longest, mut pieces) = (0, 0, Bitboard::EMPTY);
    for _ in 0..500 {
        let bytes: Vec<u8> = (0..rng.below(700)).map(|_| rng.number() as u8).collect();
        let mut u = Unstructured::new(&bytes);
        let game = GameHistory::arbitrary(&mut u).unwrap();
        let board = *game.board();
        assert_eq!(board.to_string().parse(), Ok(board));
        chess960 += usize::from(*game.start() != Board::start());
        longest = longest.max(game.moves().len());
        assert!(Board::arbitrary(&mut Unstructured::new(&bytes)).is_ok());
        let placement = Placement::arbitrary(&mut u).unwrap();
        pieces |= placement.occupied();
        let setup = Setup::arbitrary(&mut u).unwrap();
        let _ = Board::new_forgiving(&setup, |_| true);
        let mv = Move::arbitrary(&mut u).unwrap();
        assert_eq!(board.legal_moves().contains(&mv), board.is_legal(mv));
        Square::arbitrary(&mut u).unwrap();
        ByColor::<ByRole<Piece>>::arbitrary(&mut u).unwrap();
    }
    assert!(chess960 > 50 && longest > 100 && pieces == Bitboard::FULL);
}
