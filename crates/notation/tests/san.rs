//! Proves that every legal move of random positions comes back from every spelling of it, that shakmaty writes it the
//! same, and that what is no move of the position is refused for the right reason.

#[path = "../../board/tests/common/mod.rs"]
mod common;

use std::collections::HashMap;

use common::naive::reaches;
use common::{Census, Rng, Start, alone, census, random_game};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, FromSetup, Position as _};
use tabiya_board::{Bitboard, Board, File, Move, Rank, Role, Square};
use tabiya_notation::{
    Dialect, Letters, San, SanError, SanParts, read_move, read_move_with, uci, write_move,
};

const DIALECTS: [Dialect; 4] = [
    Dialect::Strict,
    Dialect::Import,
    Dialect::Chessmoves,
    Dialect::Analysis,
];

#[track_caller]
fn board(fen: &str) -> Board {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[track_caller]
fn uci_move(board: &Board, text: &str) -> Move {
    uci::read(text, board).unwrap_or_else(|error| panic!("{text} on {board}: {error}"))
}

fn is_capture(board: &Board, mv: Move) -> bool {
    mv.is_en_passant() || !mv.is_castle() && board.color_at(mv.to()) == Some(!board.turn())
}

/// What the text says of where a piece comes from.
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

/// The squares of all legal moves that a spelling may mean: the same kind of piece to the same square.
fn meant(moves: &[Move], mv: Move, origin: Origin) -> Bitboard {
    let same = |other: &&Move| {
        !other.is_castle()
            && (other.role(), other.to(), other.promotion()) == (mv.role(), mv.to(), mv.promotion())
            && origin.fits(mv.from(), other.from())
    };
    moves.iter().filter(same).map(|mv| mv.from()).collect()
}

/// Reads a spelling of a move, which must be that move, or ambiguous if others are meant as well.
fn check_spelling(board: &Board, mv: Move, text: &str, dialect: Dialect, meant: Bitboard) {
    let read = read_move(text, board, dialect);
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

/// The letters of pieces in real files: English, and the two figurines.
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

/// What may stand before a move in real files.
const PREFIXES: [&str; 9] = [
    "", "", "12.", "12...", "1. ", "1... ", "…", "7. ... ", "300.",
];

/// What may stand behind it.
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

/// The marks between where a piece comes from and where it goes that real files may have.
fn marks(origin: Origin) -> &'static [&'static str] {
    if origin.file && origin.rank {
        &["", "x", ":", "×", "-", "–"]
    } else {
        &["", "x", ":"]
    }
}

/// All that real files may write for a move, each with some prefix and suffix.
fn check_import(rng: &mut Rng, board: &Board, moves: &[Move], mv: Move) {
    let mut text = String::with_capacity(32);
    if mv.is_castle() {
        let wing = if mv.to().file() == File::G {
            ["O-O", "0-0", "o-o"]
        } else {
            ["O-O-O", "0-0-0", "o-o-o"]
        };
        for castle in wing {
            text.clear();
            text.extend([rng.pick(&PREFIXES), castle, rng.pick(&SUFFIXES)]);
            assert_eq!(
                read_move(&text, board, Dialect::Import),
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
        for mark in marks(origin) {
            // A pawn that captures names its file or the capture.
            if is_pawn && capture && origin == Origin::ALL[0] && mark.is_empty() {
                let text = format!("{}", mv.to());
                let read = read_move(&text, board, Dialect::Import);
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
                text.push_str(&rng.pick(&promotions(role).each_ref()[..]));
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

/// What is not written exactly as the standard does is refused, with the right spelling if it can only mean one move.
fn check_not_standard(board: &Board, mv: Move, text: &str, meant: Bitboard) {
    let standard = write_move(board, mv).to_string();
    let read = read_move(text, board, Dialect::Strict);
    if text == standard {
        assert_eq!(read, Ok(mv), "{text} on {board}");
    } else if meant.more_than_one() {
        assert!(read.is_err(), "{text} is {read:?} on {board}");
    } else {
        let error = SanError::NotStandard { standard };
        assert_eq!(read, Err(error), "{text} on {board}");
    }
}

/// `e.p.` belongs to captures en passant only.
fn check_wrong_en_passant(board: &Board, mv: Move) {
    if mv.is_en_passant() {
        return;
    }
    let text = format!("{} e.p.", write_move(board, mv));
    let read = read_move(&text, board, Dialect::Import);
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

/// The spellings of the classic chessmoves: an `x` exactly where something is captured, everything else as one likes.
fn check_chessmoves(rng: &mut Rng, board: &Board, moves: &[Move], mv: Move) {
    let mut text = String::with_capacity(16);
    let suffix = rng.pick(&["", "+", "#", "!", "?", "!!", "+!?"]);
    if mv.is_castle() {
        let is_short = mv.to().file() == File::G;
        for castle in if is_short {
            ["O-O", "0-0"]
        } else {
            ["O-O-O", "0-0-0"]
        } {
            let text = format!("{castle}{suffix}");
            assert_eq!(
                read_move(&text, board, Dialect::Chessmoves),
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
            ending.push_str(rng.pick(&["", "e.p."]));
        }
        ending.push_str(suffix);
        text.push_str(if capture { "x" } else { "" });
        text.push_str(&ending);
        let meant = meant(moves, mv, origin);
        check_spelling(board, mv, &text, Dialect::Chessmoves, meant);

        // The other way round, the mark is wrong.
        let text = format!("{unmarked}{}{ending}", if capture { "" } else { "x" });
        let read = read_move(&text, board, Dialect::Chessmoves);
        assert!(read.is_err(), "{text} is {read:?} on {board}");
    }
}

/// The spellings of the classic analysis, in which a pinned piece still counts.
fn check_analysis(board: &Board, mv: Move) {
    let standard = write_move(board, mv);
    let text = standard.trim_end_matches(['+', '#']);
    if mv.is_castle() {
        for text in [text.to_owned(), text.replace('O', "0")] {
            assert_eq!(read_move(&text, board, Dialect::Analysis), Ok(mv), "{text}");
        }
        return;
    }
    if standard.len() > text.len() {
        let found = standard.chars().last().unwrap();
        let at = text.len();
        assert_eq!(
            San::read(&standard, Dialect::Analysis),
            Err(SanError::Unexpected { at, found })
        );
    }
    if mv.role() == Role::Pawn {
        check_spelling(board, mv, text, Dialect::Analysis, Bitboard::EMPTY);
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
        check_spelling(board, mv, &text, Dialect::Analysis, meant);
    }
}

/// The same position in shakmaty, if it takes it.
///
/// It refuses some checks that we take, and in those it does not ask about all captures en passant.
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
        let san = write_move(board, mv);
        assert_eq!(
            read_move(&san, board, Dialect::Strict),
            Ok(mv),
            "{san} on {board}"
        );
        let by_rook = uci::chess960(board, mv).to_string();
        assert_eq!(uci::read(&by_rook, board), Ok(mv), "{by_rook} on {board}");
        if start == Start::Standard {
            let text = mv.to_string();
            assert_eq!(uci::read(&text, board), Ok(mv), "{text} on {board}");
        }
        if let Some(theirs) = &theirs {
            let wanted = theirs
                .get(&by_rook)
                .unwrap_or_else(|| panic!("shakmaty does not know {by_rook} on {board}"));
            let ours = (mv.to_string(), san.to_string());
            assert_eq!(ours, *wanted, "{board}");
        }
        check_import(rng, board, &moves, mv);
        if try_chessmoves {
            check_chessmoves(rng, board, &moves, mv);
        }
        if try_analysis {
            check_analysis(board, mv);
        }
    }
}

#[test]
fn every_move_comes_back_from_every_spelling() {
    let _alone = alone();
    let mut total = Census::default();
    for (start, games) in [
        (Start::Standard, 320),
        (Start::Chess960, 320),
        (Start::Sparse, 1900),
    ] {
        total.add(&census(games, |job, seen| {
            let mut rng = Rng::new(0x5a17_0000 + job as u64 + ((start as u64) << 32));
            random_game(&mut rng, start, |rng, board| {
                check_board(rng, board, start, seen);
            });
        }));
    }
    total.expect(100_000, 100);
}
