//! The dialects of the classic programs.

use super::*;

/// Positions for the tables of the two classic dialects.
pub(super) const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
pub(super) const PAWNS: &str = "3nk3/4P1P1/8/3pP3/2P5/8/8/4K3 w - d6 0 1";
pub(super) const PIECES: &str = "4k3/8/1p6/2b5/R6R/8/8/R3K1N1 w - - 0 1";

#[test]
#[allow(clippy::too_many_lines)]
fn lenient_dialect_follows_its_specification() {
    let accepted = [
        (START, "e4", "e2e4"),
        (START, "Pe4", "e2e4"),
        (START, "e2e4", "e2e4"),
        (START, "Pe2e4", "e2e4"),
        (START, "ee4", "e2e4"),
        (START, "Pee4", "e2e4"),
        (START, "2e4", "e2e4"),
        (START, "P2e4", "e2e4"),
        (START, "Nf3", "g1f3"),
        (START, "Ngf3", "g1f3"),
        (START, "N1f3", "g1f3"),
        (START, "Ng1f3", "g1f3"),
        (START, "Nf3+", "g1f3"),
        (START, "Nf3#", "g1f3"),
        (START, "Nf3!?", "g1f3"),
        (CASTLING, "O-O", "e1g1"),
        (CASTLING, "0-0", "e1g1"),
        (CASTLING, "O-O-O!", "e1c1"),
        (CASTLING, "0-0-0", "e1c1"),
        (CASTLING, "Rxa8+", "a1a8"),
        (CASTLING, "Ra8", "a1a8"),
        (PAWNS, "cxd5", "c4d5"),
        (PAWNS, "xd5", "c4d5"),
        (PAWNS, "Pxd5", "c4d5"),
        (PAWNS, "Pcxd5", "c4d5"),
        (PAWNS, "c4xd5", "c4d5"),
        (PAWNS, "4xd5", "c4d5"),
        (PAWNS, "P4xd5!", "c4d5"),
        (PAWNS, "cd5", "c4d5"),
        (PAWNS, "c4d5", "c4d5"),
        (PAWNS, "ed6", "e5d6"),
        (PAWNS, "xd6ep", "e5d6"),
        (PAWNS, "xd6 e.p.", "e5d6"),
        (PAWNS, "xd6+ e.p.", "e5d6"),
        (PAWNS, "xd6e.p.", "e5d6"),
        (PAWNS, "exd6e.p.", "e5d6"),
        (PAWNS, "xd6", "e5d6"),
        (PAWNS, "Pe5xd6e.p.+", "e5d6"),
        (PAWNS, "g8N", "g7g8n"),
        (PAWNS, "g8=N", "g7g8n"),
        (PAWNS, "g8Q+", "g7g8q"),
        (PAWNS, "Pg8=R", "g7g8r"),
        (PAWNS, "xd8B", "e7d8b"),
        (PAWNS, "exd8=Q", "e7d8q"),
        (PIECES, "R1a2", "a1a2"),
        (PIECES, "R4a2", "a4a2"),
        (PIECES, "Rhd4", "h4d4"),
        (PIECES, "Ra4d4", "a4d4"),
    ];
    for (fen, text, wanted) in accepted {
        let position = board(fen);
        assert_eq!(
            parse_san(text, &position, Dialect::Lenient),
            Ok(uci_move(&position, wanted)),
            "{text}"
        );
    }
    let refused = [
        // Not the notation.
        (START, "", "the move is incomplete"),
        (START, "e", "the move is incomplete"),
        (START, "P", "the move is incomplete"),
        (START, "x", "the move is incomplete"),
        (
            START,
            "pe4",
            "'p' is not a piece letter; the letters are P N B R Q K",
        ),
        (
            START,
            "nf3",
            "'n' is not a piece letter; the letters are P N B R Q K",
        ),
        (
            START,
            "Cf3",
            "'C' is not a piece letter; the letters are P N B R Q K",
        ),
        (START, "e2-e4", "unexpected '-' at character 3"),
        (START, "Ng1-f3", "unexpected '-' at character 4"),
        (START, "NF3", "unexpected 'F' at character 2"),
        (START, "e9", "unexpected '9' at character 2"),
        (START, "1.e4", "unexpected '.' at character 2"),
        (START, "e4 ", "unexpected ' ' at character 3"),
        (START, "♙e4", "unexpected '♙' at character 1"),
        (START, "e4$1", "unexpected '$' at character 3"),
        (
            CASTLING,
            "o-o",
            "'o' is not a piece letter; the letters are P N B R Q K",
        ),
        (CASTLING, "O-0", "unexpected '0' at character 3"),
        (CASTLING, "OO", "unexpected 'O' at character 2"),
        (CASTLING, "O-O-O-O", "unexpected '-' at character 6"),
        (PAWNS, "c:d5", "unexpected ':' at character 2"),
        (PAWNS, "g8(N)", "unexpected '(' at character 3"),
        (PAWNS, "g8=", "the move is incomplete"),
        (PAWNS, "g8=K", "unexpected 'K' at character 4"),
        (PAWNS, "g8K", "unexpected 'K' at character 3"),
        (PAWNS, "g8n", "unexpected 'n' at character 3"),
        // The notation, but not the move.
        (PAWNS, "cxd5e.p.", "this move is not an en passant capture"),
        (PAWNS, "c5e.p.", "unexpected '.' at character 4"),
        (
            PAWNS,
            "cxc5",
            "there is nothing to capture: leave out the x",
        ),
        (PAWNS, "d5", "to capture with the pawn on c4, write cxd5"),
        (
            PAWNS,
            "g8",
            "the pawn promotes on g8: choose a queen, rook, bishop or knight",
        ),
        (
            PAWNS,
            "c5Q",
            "pawns promote only on the last rank, not on c5",
        ),
        (
            PIECES,
            "Rxd4",
            "more than one rook can move to d4, from a4 and h4: say which one",
        ),
        (
            PIECES,
            "Raxd4",
            "there is nothing to capture: leave out the x",
        ),
        (
            PIECES,
            "Ra2",
            "more than one rook can move to a2, from a1 and a4: say which one",
        ),
        (
            PIECES,
            "Raa2",
            "more than one rook can move to a2, from a1 and a4: say which one",
        ),
        (
            PIECES,
            "Nxf3",
            "there is nothing to capture: leave out the x",
        ),
        (
            START,
            "O-O",
            "the king can't castle because the bishop on f1 is in the way",
        ),
        (START, "Bc4", "the pawn on e2 is in the way"),
    ];
    for (fen, text, sentence) in refused {
        assert_eq!(
            refusal(fen, text, Dialect::Lenient),
            sentence,
            "{text:?} on {fen}"
        );
    }
}

#[test]
fn pseudo_legal_dialect_follows_its_specification() {
    let accepted = [
        (START, "e4", "e2e4"),
        (START, "Nf3", "g1f3"),
        (START, "Ngf3", "g1f3"),
        (START, "N1f3", "g1f3"),
        (START, "Ng1f3", "g1f3"),
        (CASTLING, "O-O", "e1g1"),
        (CASTLING, "0-0", "e1g1"),
        (CASTLING, "O-O-O", "e1c1"),
        (CASTLING, "0-0-0", "e1c1"),
        (CASTLING, "Ra1xa8", "a1a8"),
        (PAWNS, "cxd5", "c4d5"),
        (PAWNS, "exd6", "e5d6"),
        (PAWNS, "g8=N", "g7g8n"),
        (PAWNS, "exd8=Q", "e7d8q"),
        (PIECES, "R1a2", "a1a2"),
        (PIECES, "Rhd4", "h4d4"),
        (PIECES, "Ra4d4", "a4d4"),
    ];
    for (fen, text, wanted) in accepted {
        let position = board(fen);
        assert_eq!(
            parse_san(text, &position, Dialect::PseudoLegal),
            Ok(uci_move(&position, wanted)),
            "{text}"
        );
    }
    let refused = [
        (PIECES, "Nxf3", "no knight can move to f3"),
        (CASTLING, "Ra8", "no rook can move to a8"),
        (CASTLING, "Kg1", "no king can move to g1"),
        (
            PIECES,
            "Ra2",
            "more than one rook can move to a2, from a1 and a4: say which one",
        ),
        (
            PIECES,
            "Rd4",
            "more than one rook can move to d4, from a4 and h4: say which one",
        ),
        (PIECES, "Ka1", "no king can move to a1"),
        (PAWNS, "d5", "no pawn can move to d5"),
        (PAWNS, "exe6", "no pawn can move to e6"),
        (PAWNS, "cxd6", "no pawn can move to d6"),
        (
            PAWNS,
            "g8",
            "the pawn promotes on g8: choose a queen, rook, bishop or knight",
        ),
        (
            PAWNS,
            "c5=Q",
            "pawns promote only on the last rank, not on c5",
        ),
        (
            START,
            "O-O",
            "the king can't castle because the bishop on f1 is in the way",
        ),
    ];
    for (fen, text, sentence) in refused {
        assert_eq!(
            refusal(fen, text, Dialect::PseudoLegal),
            sentence,
            "{text} on {fen}"
        );
    }
}

/// Returns the first character that cannot continue a move; `None` if the text is a move or the start of one.
#[test]
#[allow(clippy::too_many_lines)]
fn pseudo_legal_dialect_finds_the_first_wrong_character() {
    let cases = [
        // The examples of the page.
        ("i4", Some('i')),
        ("ed5", Some('d')),
        ("exd5a5", Some('a')),
        // Others.
        ("e9", Some('9')),
        ("e0", Some('0')),
        ("E4", Some('E')),
        ("4", Some('4')),
        ("4e", Some('4')),
        ("ee4", Some('e')),
        ("e4e5", Some('e')),
        ("e2-e4", Some('-')),
        ("e4-", Some('-')),
        ("e4xd5", Some('x')),
        ("e4+", Some('+')),
        ("e4#", Some('#')),
        ("e4!", Some('!')),
        ("e4?", Some('?')),
        ("e4.", Some('.')),
        ("e4e.p.", Some('e')),
        ("e4$1", Some('$')),
        ("xd5", Some('x')),
        ("x", Some('x')),
        ("exx", Some('x')),
        ("exd9", Some('9')),
        ("ex5", Some('5')),
        ("exD5", Some('D')),
        ("e:d5", Some(':')),
        ("e8Q", Some('Q')),
        ("e8=K", Some('K')),
        ("e8=P", Some('P')),
        ("e8=q", Some('q')),
        ("e8=Q+", Some('+')),
        ("e8=QQ", Some('Q')),
        ("e8(Q)", Some('(')),
        ("Pe4", Some('P')),
        ("pe4", Some('p')),
        ("nf3", Some('n')),
        ("Nx", None),
        ("N9", Some('9')),
        ("NF3", Some('F')),
        ("NN", Some('N')),
        ("N-f3", Some('-')),
        ("Ng1-f3", Some('-')),
        ("Nf3x", None),
        ("Nf3e", None),
        ("Nf3e5x", Some('x')),
        ("Nf3e5e", Some('e')),
        ("Nf3+", Some('+')),
        ("Nf33", Some('3')),
        ("Nff", None),
        ("Nfff", Some('f')),
        ("Nxf3e", Some('e')),
        ("Nxxf3", Some('x')),
        ("N3", None),
        ("N34", Some('4')),
        ("N3x", None),
        ("N3f3e", Some('e')),
        ("Nf3=Q", Some('=')),
        ("Qh4xe1", None),
        ("Qh4e1", None),
        ("O", None),
        ("O-", None),
        ("O-O-", None),
        ("OO", Some('O')),
        ("O-0", Some('0')),
        ("0-O", Some('O')),
        ("o-o", Some('o')),
        ("O-O-O-O", Some('-')),
        ("O-O+", Some('+')),
        ("O--O", Some('-')),
        ("0-1", Some('1')),
        ("1-0", Some('1')),
        ("1/2-1/2", Some('1')),
        ("*", Some('*')),
        ("1.e4", Some('1')),
        ("--", Some('-')),
        ("♘f3", Some('♘')),
        ("é4", Some('é')),
        ("Кf3", Some('К')),
        ("e4é", Some('é')),
        ("e4\t", Some('\t')),
        ("e", None),
        ("N", None),
        ("", None),
        ("e8=", None),
    ];
    for (text, wanted) in cases {
        let found = match San::parse(text, Dialect::PseudoLegal) {
            Ok(_) => None,
            Err(SanError::Unexpected { at, found }) => {
                assert!(text[at..].starts_with(found), "{text}: {found} at {at}");
                Some(found)
            }
            Err(SanError::Incomplete { at }) => {
                assert_eq!(at, text.len(), "{text}");
                None
            }
            Err(error) => panic!("{text}: {error:?}"),
        };
        assert_eq!(found, wanted, "{text:?}");
    }
}

/// The games in the specification of the classic program analysis, as far as they concern notation.
#[test]
fn pseudo_legal_dialect_reads_the_games_of_its_specification() {
    let play = |moves: &str| -> Result<Board, String> {
        let mut board = Board::start();
        for text in moves.split(' ').filter(|text| !text.is_empty()) {
            let mv =
                parse_san(text, &board, Dialect::PseudoLegal).map_err(|error| match error {
                    SanError::Unexpected { found, .. } => {
                        format!("parse error at character '{found}'")
                    }
                    error => error.to_string(),
                })?;
            board.play(mv);
        }
        Ok(board)
    };
    let errors = [
        ("e4 d5 i4", "parse error at character 'i'"),
        ("e4 d5 ed5", "parse error at character 'd'"),
        ("e4 d5 exd5a5", "parse error at character 'a'"),
        // The piece is chosen by how pieces move, and no pawn moves there.
        ("e4 e5 d5", "no pawn can move to d5"),
        (
            "e4 d5 exd5 O-O",
            "the king can't castle because the bishop on f8 is in the way",
        ),
    ];
    for (moves, wanted) in errors {
        assert_eq!(play(moves).unwrap_err(), wanted, "{moves}");
    }
    assert!(play("f3 e5  g4 Qh4 ").unwrap().is_checkmate());
    assert!(play("").is_ok() && play("e4 e5 f3").is_ok());
}
