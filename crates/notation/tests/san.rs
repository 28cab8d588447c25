//! SAN and UCI moves: every legal move of random positions can be read in every spelling, shakmaty writes it in the
//! same way, and text that is not a legal move is an error with the right reason.

#[path = "san/classic_dialects.rs"]
mod classic_dialects;
#[path = "../../board/tests/common/mod.rs"]
mod common;

use std::collections::HashMap;

use classic_dialects::{CASTLING, PAWNS, PIECES};
use common::naive::reaches;
use common::{Census, Rng, Start, alone, census, random_game};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, FromSetup, Position as _};
use tabiya_board::{Bitboard, Board, File, Move, Role, Square};
use tabiya_notation::{
    Dialect, PieceLetters, San, SanError, SanParts, parse_san, parse_san_with, uci, write_san,
};

const DIALECTS: [Dialect; 4] = [
    Dialect::Strict,
    Dialect::Import,
    Dialect::Lenient,
    Dialect::PseudoLegal,
];

#[track_caller]
fn board(fen: &str) -> Board {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[track_caller]
fn uci_move(board: &Board, text: &str) -> Move {
    uci::parse(text, board).unwrap_or_else(|error| panic!("{text} on {board}: {error}"))
}

fn is_capture(board: &Board, mv: Move) -> bool {
    mv.is_en_passant() || !mv.is_castling() && board.color_at(mv.to()) == Some(!board.turn())
}

/// What the text says about the origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Origin {
    file: bool,
    rank: bool,
}

impl Origin {
    const ALL: [Self; 4] = [
        Self {
            file: false,
            rank: false,
        },
        Self {
            file: true,
            rank: false,
        },
        Self {
            file: false,
            rank: true,
        },
        Self {
            file: true,
            rank: true,
        },
    ];

    fn write(self, square: Square, text: &mut String) {
        if self.file {
            text.push(square.file().char());
        }
        if self.rank {
            text.push(square.rank().char());
        }
    }

    fn fits(self, written: Square, square: Square) -> bool {
        (!self.file || written.file() == square.file())
            && (!self.rank || written.rank() == square.rank())
    }
}

/// The origins of all legal moves that a spelling may mean: the same kind of piece to the same square.
fn meant(moves: &[Move], mv: Move, origin: Origin) -> Bitboard {
    let same = |other: &&Move| {
        !other.is_castling()
            && (other.role(), other.to(), other.promotion()) == (mv.role(), mv.to(), mv.promotion())
            && origin.fits(mv.from(), other.from())
    };
    moves.iter().filter(same).map(|mv| mv.from()).collect()
}

/// Reads a spelling, which must give the move, or be ambiguous if it fits others too.
fn check_spelling(board: &Board, mv: Move, text: &str, dialect: Dialect, meant: Bitboard) {
    let read = parse_san(text, board, dialect);
    let wanted = if meant.more_than_one() {
        Err(SanError::Ambiguous {
            role: mv.role(),
            to: mv.to(),
            from: meant,
        })
    } else {
        Ok(mv)
    };
    assert_eq!(read, wanted, "{text:?} ({dialect:?}) on {board}");
}

/// The piece letters in real files: English, and the two figurines.
fn any_letter(rng: &mut Rng, role: Role) -> char {
    let figurines = match role {
        Role::Pawn => ['♙', '♟'],
        Role::Knight => ['♘', '♞'],
        Role::Bishop => ['♗', '♝'],
        Role::Rook => ['♖', '♜'],
        Role::Queen => ['♕', '♛'],
        Role::King => ['♔', '♚'],
    };
    rng.pick(&[role.upper_char(), figurines[0], figurines[1]])
}

/// What may come before a move in real files.
const PREFIXES: [&str; 9] = [
    "", "", "12.", "12...", "1. ", "1... ", "…", "7. ... ", "300.",
];

/// What may come after it.
const SUFFIXES: [&str; 16] = [
    "", "", "+", "#", "++", "!", "?", "!?", "?!", "$5", "+!", "#!!", "$139", "!$10", "†", "=",
];

/// How real files spell a promotion to a role.
fn promotions(role: Role) -> [String; 13] {
    let (capital, small) = (role.upper_char(), role.char());
    let figurine = match role {
        Role::Knight => '♘',
        Role::Bishop => '♝',
        Role::Rook => '♖',
        _ => '♛',
    };
    [
        format!("={capital}"),
        format!("{capital}"),
        format!("({capital})"),
        format!("/{capital}"),
        format!(" ={capital}"),
        format!(" {capital}"),
        format!("  ({capital})"),
        format!("(={capital})"),
        format!("={small}"),
        format!("{small}"),
        format!("={figurine}"),
        format!("{figurine}"),
        format!(" ={figurine}"),
    ]
}

/// The marks between origin and target in real files.
fn marks(origin: Origin) -> &'static [&'static str] {
    if origin.file && origin.rank {
        &["", "x", ":", "×", "-", "–"]
    } else {
        &["", "x", ":"]
    }
}

/// Spellings of a move in real files: any part of its origin, with marks, prefixes and suffixes.
fn check_import(rng: &mut Rng, board: &Board, moves: &[Move], mv: Move) {
    let mut text = String::with_capacity(32);
    if mv.is_castling() {
        let wing = if mv.to().file() == File::G {
            ["O-O", "0-0", "o-o"]
        } else {
            ["O-O-O", "0-0-0", "o-o-o"]
        };
        for castle in wing {
            text.clear();
            text.extend([rng.pick(&PREFIXES), castle, rng.pick(&SUFFIXES)]);
            assert_eq!(
                parse_san(&text, board, Dialect::Import),
                Ok(mv),
                "{text:?} on {board}"
            );
        }
        return;
    }
    let is_pawn = mv.role() == Role::Pawn;
    let capture = is_capture(board, mv);
    for origin in Origin::ALL {
        // A pawn's rank is never written without its file.
        if is_pawn && origin.rank && !origin.file {
            continue;
        }
        let meant = meant(moves, mv, origin);
        for _ in 0..2 {
            let mark = rng.pick(marks(origin));
            // A pawn that captures names its file or the capture.
            if is_pawn && capture && origin == Origin::ALL[0] && mark.is_empty() {
                let text = format!("{}", mv.to());
                let read = parse_san(&text, board, Dialect::Import);
                assert!(read.is_err(), "{text} is {read:?} on {board}");
                continue;
            }
            text.clear();
            text.push_str(rng.pick(&PREFIXES));
            if !is_pawn || rng.once_in(2) {
                text.push(any_letter(rng, mv.role()));
            }
            origin.write(mv.from(), &mut text);
            text.push_str(mark);
            text.extend([mv.to().file().char(), mv.to().rank().char()]);
            if let Some(role) = mv.promotion() {
                let spellings = promotions(role);
                text.push_str(&spellings[rng.below(spellings.len())]);
            }
            if mv.is_en_passant() {
                text.push_str(rng.pick(&["", "e.p.", " e.p.", "ep", " ep", "e.p", "+ e.p."]));
            }
            text.push_str(rng.pick(&SUFFIXES));
            check_spelling(board, mv, &text, Dialect::Import, meant);
            if rng.once_in(16) {
                check_not_standard(board, mv, &text, meant);
            }
        }
    }
    check_wrong_en_passant(board, mv);
}

/// Strict reading rejects every spelling but the standard one, which it suggests if the move is clear.
fn check_not_standard(board: &Board, mv: Move, text: &str, meant: Bitboard) {
    let standard = write_san(board, mv).to_string();
    let read = parse_san(text, board, Dialect::Strict);
    if text == standard {
        assert_eq!(read, Ok(mv), "{text} on {board}");
    } else if meant.more_than_one() {
        assert!(read.is_err(), "{text} is {read:?} on {board}");
    } else {
        let error = SanError::NotStandard { standard };
        assert_eq!(read, Err(error), "{text} on {board}");
    }
}

/// `e.p.` is for en passant captures only.
fn check_wrong_en_passant(board: &Board, mv: Move) {
    if mv.is_en_passant() {
        return;
    }
    let text = format!("{} e.p.", write_san(board, mv));
    let read = parse_san(&text, board, Dialect::Import);
    if mv.role() == Role::Pawn {
        assert_eq!(read, Err(SanError::NotEnPassant), "{text} on {board}");
    } else {
        let error = SanError::Unexpected {
            at: text.len() - 5,
            found: ' ',
        };
        assert_eq!(read, Err(error), "{text} on {board}");
    }
}

/// Spellings of the lenient dialect: an `x` only for captures, everything else is optional.
fn check_chessmoves(rng: &mut Rng, board: &Board, moves: &[Move], mv: Move) {
    let mut text = String::with_capacity(16);
    let suffix = rng.pick(&["", "+", "#", "!", "?", "!!", "+!?"]);
    if mv.is_castling() {
        let is_short = mv.to().file() == File::G;
        for castle in if is_short {
            ["O-O", "0-0"]
        } else {
            ["O-O-O", "0-0-0"]
        } {
            let text = format!("{castle}{suffix}");
            assert_eq!(
                parse_san(&text, board, Dialect::Lenient),
                Ok(mv),
                "{text} on {board}"
            );
        }
        return;
    }
    let is_pawn = mv.role() == Role::Pawn;
    let capture = is_capture(board, mv);
    for origin in Origin::ALL {
        text.clear();
        if !is_pawn || rng.once_in(2) {
            text.push(mv.role().upper_char());
        }
        origin.write(mv.from(), &mut text);
        let unmarked = text.clone();
        let mut ending = mv.to().to_string();
        if let Some(role) = mv.promotion() {
            ending.push_str(rng.pick(&["", "="]));
            ending.push(role.upper_char());
        }
        if mv.is_en_passant() {
            ending.push_str(rng.pick(&["", "e.p.", " e.p.", "ep"]));
        }
        ending.push_str(suffix);
        text.push_str(if capture { "x" } else { "" });
        text.push_str(&ending);
        let meant = meant(moves, mv, origin);
        check_spelling(board, mv, &text, Dialect::Lenient, meant);

        // An x may be missing, though not where a pawn does not say that it leaves its file, nor may it be wrong.
        let text = format!("{unmarked}{}{ending}", if capture { "" } else { "x" });
        if capture && (origin.file || !is_pawn) {
            check_spelling(board, mv, &text, Dialect::Lenient, meant);
        } else {
            let read = parse_san(&text, board, Dialect::Lenient);
            assert!(read.is_err(), "{text} is {read:?} on {board}");
        }
    }
}

/// Spellings of the pseudo-legal dialect, in which a pinned piece still makes a move ambiguous.
fn check_analysis(board: &Board, mv: Move) {
    let standard = write_san(board, mv);
    let text = standard.trim_end_matches(['+', '#']);
    if mv.is_castling() {
        for text in [text.to_owned(), text.replace('O', "0")] {
            assert_eq!(
                parse_san(&text, board, Dialect::PseudoLegal),
                Ok(mv),
                "{text}"
            );
        }
        return;
    }
    if standard.len() > text.len() {
        let found = standard.chars().last().unwrap();
        let at = text.len();
        assert_eq!(
            San::parse(&standard, Dialect::PseudoLegal),
            Err(SanError::Unexpected { at, found })
        );
    }
    if mv.role() == Role::Pawn {
        check_spelling(board, mv, text, Dialect::PseudoLegal, Bitboard::EMPTY);
        return;
    }
    let pieces = board.placement();
    let movers: Bitboard = board
        .pieces(board.turn(), mv.role())
        .into_iter()
        .filter(|&square| reaches(&pieces, square, mv.to()))
        .collect();
    let capture = if is_capture(board, mv) { "x" } else { "" };
    for origin in Origin::ALL {
        let mut text = String::from(mv.role().upper_char());
        origin.write(mv.from(), &mut text);
        text.push_str(capture);
        text.push_str(&mv.to().to_string());
        let meant = movers
            .into_iter()
            .filter(|&square| origin.fits(mv.from(), square))
            .collect();
        check_spelling(board, mv, &text, Dialect::PseudoLegal, meant);
    }
}

/// A move in the letters of a language can be read with these letters.
fn check_language(rng: &mut Rng, board: &Board, mv: Move, san: &str) {
    let number = rng.below(PieceLetters::all().count());
    let letters = PieceLetters::all().nth(number).unwrap();
    let local = letters.localize(san);
    for dialect in [Dialect::Strict, Dialect::Import] {
        let read = parse_san_with(&local, board, dialect, &letters);
        assert_eq!(read, Ok(mv), "{local} in {letters} on {board}");
    }
}

/// The same position in shakmaty, if shakmaty accepts it.
///
/// It rejects some positions with impossible checks, in which its en passant rules differ.
fn shakmaty_position(board: &Board) -> Option<Chess> {
    let fen: Fen = board.shredder_fen().to_string().parse().unwrap();
    let setup = fen.into_setup();
    match Chess::from_setup(setup, CastlingMode::Chess960) {
        Ok(position) => Some(position),
        Err(error) if board.en_passant().is_none() => error.ignore_impossible_check().ok(),
        Err(_) => None,
    }
}

/// What shakmaty writes for each move, by its UCI spelling for Chess960.
fn shakmaty_spellings(position: &Chess) -> HashMap<String, (String, String)> {
    let spellings = position.legal_moves().into_iter().map(|mv| {
        let key = mv.to_uci(CastlingMode::Chess960).to_string();
        let standard = mv.to_uci(CastlingMode::Standard).to_string();
        let san = SanPlus::from_move(position.clone(), mv).to_string();
        (key, (standard, san))
    });
    spellings.collect()
}

fn check_board(rng: &mut Rng, board: &Board, start: Start, seen: &mut Census) {
    let moves = board.legal_moves();
    seen.count(board, &moves);
    let theirs = shakmaty_position(board).map(|position| shakmaty_spellings(&position));
    if let Some(theirs) = &theirs {
        assert_eq!(theirs.len(), moves.len(), "{board}");
    }
    let (try_chessmoves, try_analysis) = (rng.once_in(4), rng.once_in(4));
    for &mv in &moves {
        let san = write_san(board, mv);
        assert_eq!(
            parse_san(&san, board, Dialect::Strict),
            Ok(mv),
            "{san} on {board}"
        );
        let by_rook = uci::write_chess960(board, mv).to_string();
        assert_eq!(uci::parse(&by_rook, board), Ok(mv), "{by_rook} on {board}");
        let written = uci::write(board, mv).to_string();
        assert_eq!(uci::parse(&written, board), Ok(mv), "{written} on {board}");
        if start == Start::Standard {
            let text = mv.to_string();
            assert_eq!(uci::parse(&text, board), Ok(mv), "{text} on {board}");
        }
        if let Some(theirs) = &theirs {
            let wanted = theirs
                .get(&by_rook)
                .unwrap_or_else(|| panic!("shakmaty does not know {by_rook} on {board}"));
            let ours = (mv.to_string(), san.to_string());
            assert_eq!(ours, *wanted, "{board}");
        }
        check_import(rng, board, &moves, mv);
        check_language(rng, board, mv, &san);
        if try_chessmoves {
            check_chessmoves(rng, board, &moves, mv);
        }
        if try_analysis {
            check_analysis(board, mv);
        }
    }
}

#[test]
fn every_spelling_of_every_move_is_read() {
    let _alone = alone();
    let mut total = Census::default();
    for (start, games) in [
        (Start::Standard, 340),
        (Start::Chess960, 340),
        (Start::Sparse, 2000),
    ] {
        let seed = 0x5a17 + start as u64;
        total.add(&census(seed, games, |_, rng, seen| {
            random_game(rng, start, |rng, board| {
                check_board(rng, board, start, seen);
            });
        }));
    }
    total.expect(100_000, 50);
}

/// Returns the error message for a move.
#[track_caller]
fn refusal(fen: &str, text: &str, dialect: Dialect) -> String {
    match parse_san(text, &board(fen), dialect) {
        Ok(mv) => panic!("{text} is {mv:?} on {fen}"),
        Err(error) => error.to_string(),
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
#[allow(clippy::too_many_lines)]
fn illegal_moves_have_the_reason_of_the_board() {
    let pinned = "4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1";
    let check = "4r1k1/8/8/8/8/8/8/4K2N w - - 0 1";
    let passed = "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1";
    let promotion = "8/4P3/8/8/8/8/k7/4K3 w - - 0 1";
    let castling = "r3k2r/8/8/8/8/6n1/8/R3K2R w KQkq - 0 1";
    let cases = [
        (
            START,
            "e5",
            "pawns move one square forward, or two from their starting square",
        ),
        (
            START,
            "d2d5",
            "pawns move one square forward, or two from their starting square",
        ),
        (
            START,
            "exd3",
            "pawns move diagonally only to capture, and d3 is empty",
        ),
        (START, "Ke2", "your own pawn is on e2"),
        (START, "Qd3", "the pawn on d2 is in the way"),
        (START, "Ra1-a3", "the pawn on a2 is in the way"),
        (START, "Ng1e2", "your own pawn is on e2"),
        (
            START,
            "Ng1e4",
            "knights move two squares in one direction and one square to the side",
        ),
        (
            START,
            "Nge4",
            "knights move two squares in one direction and one square to the side",
        ),
        (
            START,
            "O-O",
            "the king can't castle because the bishop on f1 is in the way",
        ),
        (
            START,
            "0-0-0",
            "the king can't castle because the knight on b1 is in the way",
        ),
        (
            START,
            "e4=Q",
            "pawns promote only on the last rank, not on e4",
        ),
        // Of several pieces, the one that could get there if nothing were in its way.
        (START, "Bc4", "the pawn on e2 is in the way"),
        (START, "Nd2", "your own pawn is on d2"),
        (START, "Ne2", "your own pawn is on e2"),
        (START, "Rh3", "the pawn on h2 is in the way"),
        (
            "4k3/8/8/8/8/5K2/8/RR1N4 w - - 0 1",
            "Re1",
            "the knight on d1 is in the way",
        ),
        // No piece in particular.
        (START, "Ne4", "no knight can move to e4"),
        // No such piece.
        (START, "Nc3c5", "White has no knight on c3"),
        (START, "Nce4", "White has no knight on the c-file"),
        (START, "N2e4", "White has no knight on rank 2"),
        (START, "e1g1", "White has no pawn on e1"),
        (pinned, "Qd3", "White has no queen"),
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "d3",
            "White has no pawn on the d-file",
        ),
        (
            "4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1",
            "d5",
            "to capture with the pawn on c4, write cxd5",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "Kg1",
            "to castle, write O-O",
        ),
        (
            pinned,
            "Bd3",
            "the bishop on e2 is pinned to the king on e1 by the rook on e7",
        ),
        (
            check,
            "Ng3",
            "the king on e1 would still be in check from the rook on e8",
        ),
        (check, "Ke2", "the rook on e8 would attack the king on e2"),
        (
            check,
            "Ke1-g1",
            "the king can't castle kingside because there is no rook to castle with",
        ),
        (
            passed,
            "exd6",
            "the pawn on d5 can't be captured en passant: it didn't just move two squares",
        ),
        (
            passed,
            "exd6 e.p.",
            "the pawn on d5 can't be captured en passant: it didn't just move two squares",
        ),
        (
            promotion,
            "e8",
            "the pawn promotes on e8: choose a queen, rook, bishop or knight",
        ),
        (
            promotion,
            "e8=",
            "the pawn promotes on e8: choose a queen, rook, bishop or knight",
        ),
        (
            castling,
            "O-O",
            "the king can't castle because the knight on g3 attacks f1",
        ),
        (
            castling,
            "Kf1",
            "the knight on g3 would attack the king on f1",
        ),
        (
            "k2n4/2P1P3/8/8/8/8/8/K7 w - - 0 1",
            "xd8",
            "the pawn promotes on d8: choose a queen, rook, bishop or knight",
        ),
        // The pawn on e7 is pinned, but the one on c7 could take if it said what it becomes.
        (
            "3nr3/2P1P3/k7/8/8/8/8/4K3 w - - 0 1",
            "xd8",
            "the pawn promotes on d8: choose a queen, rook, bishop or knight",
        ),
    ];
    for (fen, text, sentence) in cases {
        assert_eq!(
            refusal(fen, text, Dialect::Import),
            sentence,
            "{text} on {fen}"
        );
    }
}

#[test]
fn ambiguous_moves_have_their_own_error() {
    let cases = [
        (
            "k7/8/8/8/8/5N2/8/KN6 w - - 0 1",
            "Nd2",
            "more than one knight can move to d2, from b1 and f3: say which one",
        ),
        (
            "1k6/8/8/8/Q6Q/8/8/K2Q4 w - - 0 1",
            "Qd4",
            "more than one queen can move to d4, from d1, a4 and h4: say which one",
        ),
        (
            "1k6/8/8/8/Q6Q/8/8/K2Q4 w - - 0 1",
            "Q4d4",
            "more than one queen can move to d4, from a4 and h4: say which one",
        ),
        (
            "k7/8/8/3p4/2P1P3/8/8/K7 w - - 0 1",
            "xd5",
            "more than one pawn can move to d5, from c4 and e4: say which one",
        ),
    ];
    for (fen, text, sentence) in cases {
        assert_eq!(refusal(fen, text, Dialect::Import), sentence, "{text}");
    }
    // A pinned piece is no rival.
    let pinned = board("k3r3/8/8/8/8/8/4N3/N3K3 w - - 0 1");
    let mv = uci_move(&pinned, "a1b3");
    assert_eq!(parse_san("Nb3", &pinned, Dialect::Strict), Ok(mv));
    let pinned = board("k3r3/8/8/8/8/8/4N3/1N2K3 w - - 0 1");
    let mv = uci_move(&pinned, "b1c3");
    for dialect in [Dialect::Strict, Dialect::Import, Dialect::Lenient] {
        assert_eq!(parse_san("Nc3", &pinned, dialect), Ok(mv), "{dialect:?}");
    }
    // But for the classic analysis it is.
    let error = parse_san("Nc3", &pinned, Dialect::PseudoLegal).unwrap_err();
    assert_eq!(
        error,
        SanError::Ambiguous {
            role: Role::Knight,
            to: Square::C3,
            from: Bitboard::from(Square::B1) | Bitboard::from(Square::E2),
        }
    );
    assert_eq!(parse_san("Nbc3", &pinned, Dialect::PseudoLegal), Ok(mv));
    assert_eq!(
        refusal(
            "k3r3/8/8/8/8/8/4N3/1N2K3 w - - 0 1",
            "Nec3",
            Dialect::PseudoLegal
        ),
        "the knight on e2 is pinned to the king on e1 by the rook on e8"
    );
}

#[test]
fn error_for_an_unknown_piece_lists_the_letters() {
    for (text, letter) in [
        ("Cf3", 'C'),
        ("Sf3", 'S'),
        ("Кf3", 'К'),
        ("Ёf3", 'Ё'),
        ("nf3", 'n'),
        ("Sxf3+", 'S'),
        ("1.Cf3", 'C'),
        ("Mate", 'M'),
    ] {
        let error = San::parse(text, Dialect::Import).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{letter:?} is not a piece letter; the letters are P N B R Q K"),
            "{text}"
        );
    }
    // The other dialects know no numbers before a move.
    for dialect in [Dialect::Strict, Dialect::Lenient] {
        let error = parse_san("Cf3", &Board::start(), dialect).unwrap_err();
        assert_eq!(
            error.to_string(),
            "'C' is not a piece letter; the letters are P N B R Q K"
        );
    }
    let french: PieceLetters = "fr".parse().unwrap();
    let error = parse_san_with("Nf3", &Board::start(), Dialect::Import, &french).unwrap_err();
    assert_eq!(
        error.to_string(),
        "'N' is not a piece letter; the letters are P C F T D R"
    );
}

#[test]
fn figurines_are_never_pawns() {
    let start = Board::start();
    let knight = uci_move(&start, "g1f3");
    for text in ["♘f3", "♞f3", "♘g1-f3", "1.♘f3", "1. ♘f3!"] {
        assert_eq!(parse_san(text, &start, Dialect::Import), Ok(knight));
        for dialect in DIALECTS {
            let read = parse_san(text, &start, dialect);
            assert!(read != Ok(uci_move(&start, "f2f3")), "{text}: {dialect:?}");
        }
    }
    for dialect in [Dialect::Lenient, Dialect::PseudoLegal] {
        let error = San::parse("♘f3", dialect).unwrap_err();
        assert_eq!(
            error,
            SanError::Unexpected {
                at: 0, found: '♘'
            }
        );
    }
    let error = parse_san("♘f3", &start, Dialect::Strict).unwrap_err();
    assert_eq!(error.to_string(), "the standard spelling is Nf3");
}

#[test]
fn moves_in_other_languages() {
    let position = board("r3k2r/pPppqppp/2n2n2/8/8/2N2N2/P1PPQPPP/R3K2R w KQkq - 0 1");
    let cases = [
        ("de", "Sd5", "c3d5"),
        ("de", "Bd4", "d2d4"),
        ("de", "bxa8=D", "b7a8q"),
        ("de", "bxa8L", "b7a8b"),
        ("de", "Dxe7+", "e2e7"),
        ("de", "Kf1", "e1f1"),
        ("fr", "Cd5", "c3d5"),
        ("fr", "Rf1", "e1f1"),
        ("fr", "Tb1", "a1b1"),
        ("fr", "bxa8=F", "b7a8b"),
        ("fr", "Pd4", "d2d4"),
        ("es", "Cd5", "c3d5"),
        ("es", "Rd1", "e1d1"),
        ("es", "bxa8=A", "b7a8b"),
        ("ru", "Кd5", "c3d5"),
        ("ru", "Крf1", "e1f1"),
        ("ru", "Ф:e7+", "e2e7"),
        ("ru", "Лb1", "a1b1"),
        ("ru", "bxa8К", "b7a8n"),
        ("ru", "bxa8=С", "b7a8b"),
        ("ru", "Пd4", "d2d4"),
        ("nl", "Pd5", "c3d5"),
        ("nl", "Od4", "d2d4"),
        ("nl", "O-O", "e1g1"),
        ("nl", "O-O-O", "e1c1"),
        ("fi", "Rd5", "c3d5"),
        ("fi", "bxa8=R", "b7a8n"),
        ("hu", "Bb1", "a1b1"),
        // Figurines and castling are the same everywhere.
        ("pl", "♘d5", "c3d5"),
        ("it", "0-0", "e1g1"),
    ];
    for (language, text, wanted) in cases {
        let letters: PieceLetters = language.parse().unwrap();
        assert_eq!(
            parse_san_with(text, &position, Dialect::Import, &letters),
            Ok(uci_move(&position, wanted)),
            "{text} in {language}"
        );
    }
    // Small letters would be ambiguous: in Finnish, an r is a knight.
    let finnish: PieceLetters = "FI".parse().unwrap();
    assert_eq!(
        parse_san_with("bxa8=r", &position, Dialect::Import, &finnish),
        Err(SanError::Unexpected { at: 5, found: 'r' })
    );
    // Nothing but the letters of the language.
    let russian: PieceLetters = "ru".parse().unwrap();
    let error = parse_san_with("Nd5", &position, Dialect::Import, &russian).unwrap_err();
    assert_eq!(
        error.to_string(),
        "'N' is not a piece letter; the letters are П К С Л Ф Кр"
    );
    // The standard spelling uses the same letters.
    let error = parse_san_with("Крe1f1", &position, Dialect::Strict, &russian).unwrap_err();
    assert_eq!(error.to_string(), "the standard spelling is Крf1");
}

#[test]
fn languages_are_known_by_their_codes() {
    let localised = [
        ("en", "Nbxd2+", "Nbxd2+"),
        ("de", "Nbxd2+", "Sbxd2+"),
        ("fr", "Kxb8", "Rxb8"),
        ("es", "exd8=B#", "exd8=A#"),
        ("ru", "Kxb8", "Крxb8"),
        ("ru", "exd8=N", "exd8=К"),
        ("sv", "O-O-O+", "O-O-O+"),
        ("nl", "Nf3", "Pf3"),
    ];
    for (language, english, local) in localised {
        let letters: PieceLetters = language.parse().unwrap();
        assert_eq!(letters.language(), language);
        assert_eq!(letters.localize(english), local, "{language}");
    }
    for letters in PieceLetters::all() {
        for role in Role::ALL {
            let letter = letters.letter(role);
            assert_eq!(
                letters.role(letter),
                Some((role, letter.len())),
                "{letters}"
            );
        }
    }
    assert_eq!(
        "xx".parse::<PieceLetters>().unwrap_err().to_string(),
        "unknown language \"xx\": use one of \
         en, cs, da, de, es, fi, fr, hu, it, nl, no, pl, pt, ro, ru, sv"
    );
}

#[test]
fn strict_reading_suggests_the_standard_spelling() {
    let many = "r3k2r/pPppqppp/2n2n2/8/8/2N2N2/P1PPQPPP/R3K2R w KQkq - 0 1";
    let passed = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    let cases = [
        (START, "Ng1f3", "Nf3"),
        (START, "Ngf3", "Nf3"),
        (START, "N1f3", "Nf3"),
        (START, "Nxf3", "Nf3"),
        (START, "Nf3+", "Nf3"),
        (START, "Nf3!", "Nf3"),
        (START, "♘f3", "Nf3"),
        (START, "Pe4", "e4"),
        (START, "e2e4", "e4"),
        (START, "e2-e4", "e4"),
        (START, "1.e4", "e4"),
        (START, "e4#", "e4"),
        (many, "0-0", "O-O"),
        (many, "O-O+", "O-O"),
        (many, "o-o-o", "O-O-O"),
        (many, "ba8=Q+", "bxa8=Q+"),
        (many, "bxa8=Q", "bxa8=Q+"),
        (many, "bxa8=Q#", "bxa8=Q+"),
        (many, "bxa8Q+", "bxa8=Q+"),
        (many, "b:a8=N", "bxa8=N"),
        (many, "Qe7", "Qxe7+"),
        (many, "Qxe7", "Qxe7+"),
        (passed, "exd6 e.p.", "exd6"),
        (passed, "e5xd6", "exd6"),
        (passed, "xd6", "exd6"),
    ];
    for (fen, text, standard) in cases {
        assert_eq!(
            refusal(fen, text, Dialect::Strict),
            format!("the standard spelling is {standard}"),
            "{text}"
        );
    }
    // A text that is not a move has no standard spelling.
    let cases = [
        (START, "", "the move is incomplete"),
        (START, "N", "the move is incomplete"),
        (START, "Nf9", "unexpected '9' at character 3"),
        (START, "Nf3 ", "unexpected ' ' at character 4"),
        (START, "--", "unexpected '-' at character 1"),
        (
            START,
            "i4",
            "'i' is not a piece letter; the letters are P N B R Q K",
        ),
        (START, "Nf4", "no knight can move to f4"),
        (START, "Nd5", "no knight can move to d5"),
        (
            START,
            "O-O",
            "the king can't castle because the bishop on f1 is in the way",
        ),
    ];
    for (fen, text, sentence) in cases {
        assert_eq!(refusal(fen, text, Dialect::Strict), sentence, "{text:?}");
    }
}

#[test]
fn null_moves_are_read_but_not_legal() {
    for text in ["--", "Z0", "1... --", "@@@@"] {
        assert_eq!(San::parse(text, Dialect::Import), Ok(San::NULL), "{text}");
    }
    assert_eq!(San::NULL.parts(), SanParts::Null);
    assert_eq!(
        refusal(START, "--", Dialect::Import),
        "a null move is not a legal move"
    );
    for dialect in [Dialect::Strict, Dialect::Lenient, Dialect::PseudoLegal] {
        assert!(San::parse("--", dialect).is_err(), "{dialect:?}");
    }
}

#[test]
fn illegal_uci_moves_have_a_reason() {
    let cases = [
        (
            START,
            "e2e5",
            "pawns move one square forward, or two from their starting square",
        ),
        (START, "e4e5", "there is no piece on e4"),
        (
            START,
            "e7e5",
            "the pawn on e7 is Black's, but it's White's turn",
        ),
        (
            START,
            "e2e4q",
            "pawns promote only on the last rank, not on e4",
        ),
        (START, "0000", "a null move is not a legal move"),
    ];
    for (fen, text, sentence) in cases {
        let error = uci::parse(text, &board(fen)).unwrap_err();
        assert_eq!(error.to_string(), sentence, "{text}");
    }
    let unreadable = [
        "", "e2", "e2e", "e2e9", "i2e4", "E2e4", "e2E4", "e7e8qq", "e7e8x", "e2-e4", "e2e4 ",
        " e2e4", "♘f3", "e2é4", "éé",
    ];
    for text in unreadable {
        let error = uci::parse(text, &Board::start()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a UCI move is two squares and a promotion letter if needed, such as e2e4 or e7e8q",
            "{text:?}"
        );
    }
    // In Chess960 a king may step to where castling would bring it: then only its rook's square means castling.
    let position = board("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    assert!(!uci_move(&position, "f1g1").is_castling());
    let castle = uci_move(&position, "f1h1");
    assert!(castle.is_castling());
    assert_eq!(uci::write_chess960(&position, castle).to_string(), "f1h1");
    assert_eq!(castle.to_string(), "f1g1");
}

#[test]
fn castling_is_never_read_as_a_king_move() {
    let spelled = |fen: &str| -> Vec<String> {
        let position = board(fen);
        let moves = position.legal_moves();
        let castles = moves.iter().filter(|mv| mv.is_castling());
        let spelled = castles.map(|&mv| uci::write(&position, mv).to_string());
        let mut spelled: Vec<String> = spelled.collect();
        spelled.sort();
        spelled
    };
    let usual = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert_eq!(spelled(usual), ["e1c1", "e1g1"]);
    assert_eq!(spelled("5k2/8/8/8/8/8/8/5K1R w K - 0 1"), ["f1h1"]);
    assert_eq!(spelled("4k1r1/8/8/8/8/8/8/K7 b g - 0 1"), ["e8g8"]);
}

/// Proptest with the same cases on every run.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x005a_4eed),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A board on which most letters and squares mean something.
fn some_board(number: usize) -> Board {
    let fens = [START, CASTLING, PAWNS, PIECES];
    board(fens[number % fens.len()])
}

/// Any text is a move of the position or an error with a valid place.
fn check_any_text(text: &str, board: &Board) {
    for dialect in DIALECTS {
        for letters in PieceLetters::all() {
            check_read(text, dialect, &letters);
            match parse_san_with(text, board, dialect, &letters) {
                Ok(mv) => {
                    assert!(board.is_legal(mv), "{text:?} is {mv} on {board}");
                    if dialect == Dialect::Strict {
                        assert_eq!(letters.localize(&write_san(board, mv)), text);
                    }
                }
                Err(error) => assert!(!error.to_string().is_empty(), "{text:?}"),
            }
        }
    }
    if let Err(error) = uci::parse(text, board) {
        assert!(!error.to_string().is_empty());
    }
}

fn check_read(text: &str, dialect: Dialect, letters: &PieceLetters) {
    match San::parse_with(text, dialect, letters) {
        Ok(san) => {
            if let SanParts::Piece(piece) = san.parts() {
                assert_eq!(San::from(piece), san, "{text:?}");
            }
            // The same after a move number, which takes the slow path.
            if dialect == Dialect::Import && !text.starts_with(|next: char| next.is_ascii_digit()) {
                let numbered = format!("12. {text}");
                assert_eq!(
                    San::parse_with(&numbered, dialect, letters),
                    Ok(san),
                    "{text:?}"
                );
            }
        }
        Err(SanError::Unexpected { at, found }) => {
            assert!(text[at..].starts_with(found), "{text:?}: {found} at {at}");
        }
        Err(SanError::Incomplete { at }) => assert_eq!(at, text.len(), "{text:?}"),
        Err(SanError::UnknownPiece { found, language }) => {
            assert!(text.contains(found), "{text:?}: {found}");
            assert_eq!(language, letters.language());
        }
        Err(error) => panic!("{text:?} cannot be read: {error:?}"),
    }
}

proptest! {
    #![proptest_config(config(3_000))]

    /// Nothing makes the reader panic.
    #[test]
    fn any_text_is_a_move_or_an_error(text in any::<String>(), number in 0..4_usize) {
        check_any_text(&text, &some_board(number));
    }

    /// The same for texts of the characters that moves are made of.
    #[test]
    fn anything_like_a_move_is_a_move_or_an_error(
        text in "[a-hx1-8NBRQKPOZeр0Оо.:×–…$!?#+=/() ♘♟КФ-]{0,10}",
        number in 0..4_usize,
    ) {
        check_any_text(&text, &some_board(number));
    }

    /// The same for moves with a character too many, too few or changed.
    #[test]
    fn damaged_moves_are_moves_or_errors(
        chosen in 0..1_000_usize,
        at in 0..8_usize,
        removed in 0..3_usize,
        junk in "[a-h1-8NBRQKx=+#O0 ♘-]{0,2}",
        number in 0..4_usize,
    ) {
        let board = some_board(number);
        let moves = board.legal_moves();
        let mut text = write_san(&board, moves[chosen % moves.len()]).to_string();
        let at = at.min(text.len());
        text.replace_range(at..(at + removed).min(text.len()), &junk);
        check_any_text(&text, &board);
    }
}
