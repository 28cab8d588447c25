//! Tests of chessmoves as a user sees it: lines in, boards and error messages out.

use std::fmt::Write;

use shakmaty::san::San;
use shakmaty::{Chess, Position, Role, Square};
use tabiya_board::{Color, Piece, Role as OurRole};
use tabiya_chessmoves_core::{
    BOARD_SIZE, ChessmovesError, LineError, NotationLine, draw, letter, piece, rows, run,
};

/// Returns the printed boards and the error message.
fn played(input: impl AsRef<[u8]>) -> (Vec<String>, Option<String>) {
    let mut printed = Vec::new();
    let complaint = run(input.as_ref(), &mut printed).err();
    let printed = String::from_utf8(printed).unwrap();
    let boards = printed.split_inclusive("========\n\n").map(str::to_owned);
    (
        boards.collect(),
        complaint.map(|complaint| complaint.to_string()),
    )
}

/// Returns the squares where two boards differ, as `e2:p>_`.
fn changes(before: &str, after: &str) -> String {
    let rows = |board: &str| -> Vec<String> { board.lines().skip(1).map(str::to_owned).collect() };
    let (before, after) = (rows(before), rows(after));
    let mut text = String::new();
    for (row, number) in (0..8).zip((1..=8).rev()) {
        let letters = before[row].chars().zip(after[row].chars());
        for (column, (old, new)) in ('a'..='h').zip(letters) {
            if old != new {
                let shown = |letter| if letter == ' ' { '_' } else { letter };
                write!(text, "{column}{number}:{}>{} ", shown(old), shown(new)).unwrap();
            }
        }
    }
    text.trim_end().to_owned()
}

const START: &str = "\
========
RNBQKBNR
PPPPPPPP
        
        
        
        
pppppppp
rnbqkbnr
========

";

#[test]
fn input_without_moves_prints_the_starting_board() {
    for input in ["", "\n", "\r\n\r\n", "   \n\t\n", "\u{feff}", "*", "1. *"] {
        assert_eq!(played(input), (vec![START.to_owned()], None), "{input:?}");
    }
    assert_eq!(START.len(), BOARD_SIZE);
}

#[test]
fn prints_a_board_after_every_move() {
    let (boards, complaint) = played("1. e4 e5\n2. Nf3 Nc6\n3. Bb5 1-0\n");
    assert_eq!(complaint, None);
    assert_eq!(boards[0], START);
    let seen: Vec<String> = boards
        .windows(2)
        .map(|pair| changes(&pair[0], &pair[1]))
        .collect();
    assert_eq!(
        seen,
        [
            "e4:_>p e2:p>_",
            "e7:P>_ e5:_>P",
            "f3:_>n g1:n>_",
            "b8:N>_ c6:_>N",
            "b5:_>b f1:b>_"
        ]
    );
    assert_eq!(
        boards[5],
        "\
========
R BQKBNR
PPPP PPP
  N     
 b  P   
    p   
     n  
pppp ppp
rnbqk  r
========

"
    );
}

/// Returns the squares that the last move of a game changes.
fn last_change(input: &str) -> String {
    let (boards, complaint) = played(input);
    assert_eq!(complaint, None, "{input}");
    let [.., before, after] = &boards[..] else {
        panic!("no move was played: {input}")
    };
    changes(before, after)
}

#[test]
fn accepts_every_spelling_of_a_move() {
    let before = "1. e4 d5\n2. ";
    for spelling in [
        "xd5", "Pxd5", "exd5", "Pexd5", "e4xd5", "Pe4xd5", "4xd5", "ed5",
    ] {
        for suffix in ["", "+", "#", "!", "?", "!?", "+!!"] {
            let game = format!("{before}{spelling}{suffix}");
            assert_eq!(last_change(&game), "d5:P>p e4:p>_", "{game}");
        }
    }
    for spelling in ["d3", "Pd3", "dd3", "d2d3", "Pd2d3", "2d3", "Pdd3"] {
        let game = format!("1. {spelling}");
        assert_eq!(last_change(&game), "d3:_>p d2:p>_", "{game}");
    }
    let rooks = "1. a4 h5\n2. h4 a5\n3. Ra3 Ra6\n4. Rhh3 Rah6\n5. ";
    for (spelling, change) in [
        ("Rhg3", "g3:_>r h3:r>_"),
        ("Rh3g3", "g3:_>r h3:r>_"),
        ("Rag3", "a3:r>_ g3:_>r"),
        ("Ra3g3", "a3:r>_ g3:_>r"),
        ("Rh2", "h3:r>_ h2:_>r"),
    ] {
        let game = format!("{rooks}{spelling}");
        assert_eq!(last_change(&game), change, "{game}");
    }
}

#[test]
fn rank_disambiguates_pieces_on_one_file() {
    let game = "1. a4 b5\n2. axb5 Nc6\n3. Ra6 h6\n4. h4 h5\n5. Rh3 g6\n6. Rha3 g5\n7. ";
    for (spelling, change) in [
        ("R6a5", "a6:r>_ a5:_>r"),
        ("R3a5", "a5:_>r a3:r>_"),
        ("Ra6a5", "a6:r>_ a5:_>r"),
        ("R6xc6", "a6:r>_ c6:N>r"),
        ("Rxc6", "a6:r>_ c6:N>r"),
        ("Rc6", "a6:r>_ c6:N>r"),
    ] {
        assert_eq!(
            last_change(&format!("{game}{spelling}")),
            change,
            "{spelling}"
        );
    }
    let (_, complaint) = played(format!("{game}Ra5"));
    assert_eq!(
        complaint.unwrap(),
        "line 7: White's move Ra5 cannot be played: more than one rook can move to a5, from a3 and a6: say which one"
    );
}

#[test]
fn plays_castling() {
    let short = "1. Nf3 Nf6\n2. g3 g6\n3. Bg2 Bg7\n4. ";
    let long = "1. d4 d5\n2. Nc3 Nc6\n3. Bf4 Bf5\n4. Qd2 Qd7\n5. ";
    for (before, spelling, change) in [
        (short, "O-O", "e1:k>_ f1:_>r g1:_>k h1:r>_"),
        (short, "0-0", "e1:k>_ f1:_>r g1:_>k h1:r>_"),
        (short, "O-O!", "e1:k>_ f1:_>r g1:_>k h1:r>_"),
        (short, "O-O O-O", "e8:K>_ f8:_>R g8:_>K h8:R>_"),
        (short, "0-0 0-0", "e8:K>_ f8:_>R g8:_>K h8:R>_"),
        (long, "O-O-O", "a1:r>_ c1:_>k d1:_>r e1:k>_"),
        (long, "0-0-0+", "a1:r>_ c1:_>k d1:_>r e1:k>_"),
        (long, "O-O-O O-O-O", "a8:R>_ c8:_>K d8:_>R e8:K>_"),
    ] {
        let game = format!("{before}{spelling}");
        assert_eq!(last_change(&game), change, "{game}");
    }
    // A move number may touch its move, even a castling move written with zeros.
    assert_eq!(
        last_change(&format!("{}4.0-0", short.trim_end_matches("4. "))),
        "e1:k>_ f1:_>r g1:_>k h1:r>_"
    );
}

#[test]
fn plays_en_passant() {
    let white = "1. e4 a6\n2. e5 f5\n3. ";
    for spelling in [
        "xf6e.p.",
        "exf6e.p.",
        "Pxf6e.p.",
        "Pexf6e.p.",
        "e5xf6e.p.!",
        "xf6",
        "exf6",
        "exf6 e.p.",
        "xf6 e.p.",
        "exf6ep",
    ] {
        let game = format!("{white}{spelling}");
        assert_eq!(last_change(&game), "f6:_>p e5:p>_ f5:P>_", "{game}");
        // Two pawns can capture here, so the move must name a file.
        assert_eq!(last_change(&format!("{game} gxf6")), "g7:P>_ f6:p>P");
        let (_, complaint) = played(format!("{game} xf6"));
        assert_eq!(
            complaint.unwrap(),
            "line 3: Black's move xf6 cannot be played: more than one pawn can move to f6, from e7 and g7: say which one"
        );
    }
    let black = "1. a3 d5\n2. a4 d4\n3. e4 xe3e.p.\n";
    assert_eq!(last_change(black), "d4:P>_ e4:p>_ e3:_>P");
    // One move later the right to capture en passant is gone.
    let (boards, complaint) = played("1. e4 a6\n2. e5 f5\n3. a3 a5\n4. exf6e.p.");
    assert_eq!(boards.len(), 7);
    assert_eq!(
        complaint.unwrap(),
        "line 4: White's move exf6e.p. cannot be played: the pawn on f5 can't be captured en passant: it didn't just move two squares"
    );
    let (_, complaint) = played("1. e4 d5\n2. exd5e.p.");
    assert_eq!(
        complaint.unwrap(),
        "line 2: White's move exd5e.p. cannot be played: this move is not an en passant capture"
    );
}

#[test]
fn plays_promotions() {
    let game = "1. a4 b5\n2. axb5 h5\n3. b6 h4\n4. b7 h3\n5. ";
    for (role, letters) in [("N", "n"), ("B", "b"), ("R", "r"), ("Q", "q")] {
        for equals in ["", "="] {
            for (start, victim) in [("xa8", "R"), ("bxc8", "B"), ("Pb7xa8", "R")] {
                let game = format!("{game}{start}{equals}{role}");
                let column = &start[start.len() - 2..start.len() - 1];
                let change = if column == "a" {
                    format!("a8:{victim}>{letters} b7:p>_")
                } else {
                    format!("c8:{victim}>{letters} b7:p>_")
                };
                assert_eq!(last_change(&game), change, "{game}");
            }
        }
    }
    let black = format!("{game}bxa8N hxg2\n6. Nb6 xh1Q");
    assert_eq!(last_change(&black), "g2:P>_ h1:r>Q");
    let (_, complaint) = played(format!("{game}bxa8"));
    assert_eq!(
        complaint.unwrap(),
        "line 5: White's move bxa8 cannot be played: the pawn promotes on a8: choose a queen, rook, bishop or knight"
    );
}

#[test]
fn nothing_may_follow_a_result() {
    for result in ["1-0", "0-1", "0.5-0.5", "1/2-1/2", "½-½", "*"] {
        for line in [
            format!("1. e4 e5 {result}"),
            format!("1. e4 e5\n{result}"),
            format!("1. e4 e5\n2. {result}"),
            format!("1. e4 e5\r\n2.{result}\r\n\r\n"),
            format!("e4 e5 {result}"),
        ] {
            let (boards, complaint) = played(&line);
            assert_eq!((boards.len(), complaint), (3, None), "{line}");
        }
        let (boards, complaint) = played(format!("1. e4 {result}"));
        assert_eq!((boards.len(), complaint), (2, None));
        for (more, line) in [("2. d4", 2), ("\n\n1-0", 4), ("x", 2)] {
            let (boards, complaint) = played(format!("1. e4 e5 {result}\n{more}\n"));
            assert_eq!(boards.len(), 3);
            assert_eq!(
                complaint.unwrap(),
                format!("line {line}: the game is over: nothing may follow its result")
            );
        }
        let (boards, complaint) = played(format!("1. e4 {result} e5"));
        assert_eq!(boards.len(), 1);
        assert!(
            complaint
                .unwrap()
                .starts_with("line 1: e5 is one word too many")
        );
    }
}

#[test]
fn accepts_loosely_formatted_lines() {
    let expected = played("1. e4 e5\n2. Nf3 Nc6\n").0;
    for text in [
        "1. e4 e5\n2. Nf3 Nc6",
        "1. e4 e5\r\n2. Nf3 Nc6\r\n",
        "\u{feff}1. e4 e5\n2. Nf3 Nc6\n",
        "1.e4 e5\n2.Nf3 Nc6\n",
        "1 e4 e5\n2 Nf3 Nc6\n",
        "e4 e5\nNf3 Nc6\n",
        "  1.   e4\te5  \n\n\n\t2. Nf3    Nc6\t\n\n",
        "1. e4!! e5?\n2. Nf3+ Nc6#\n",
        "1. e4\n1... e5\n2. Nf3\n2... Nc6",
        "1. e4\n1. ... e5\n2. Nf3\n2…Nc6",
        "1. e4\n... e5\n2. Nf3 Nc6",
        "e4\ne5\nNf3\nNc6\n",
        // Move numbers need not be consecutive.
        "7. e4 e5\n7. Nf3 Nc6\n",
        "0. e4 e5\n99999999999999999999999999. Nf3 Nc6\n",
    ] {
        assert_eq!(played(text), (expected.clone(), None), "{text:?}");
    }
}

#[test]
fn errors_name_the_line_and_the_move() {
    // Input, number of boards printed before the error, error message.
    for (text, boards, complaint) in [
        (
            "1. e5",
            1,
            "line 1: White's move e5 cannot be played: pawns move one square forward, or two from their starting square",
        ),
        (
            "1. e4 e5\n2. a3 Bb4\n3. Nf3 a6\n4. Nc3 Bxc3\n5. d4",
            9,
            "line 5: White's move d4 cannot be played: the pawn on d2 is pinned to the king on e1 by the bishop on c3",
        ),
        (
            "1. e4 e5\n2. O-O",
            3,
            "line 2: White's move O-O cannot be played: the king can't castle because the bishop on f1 is in the way",
        ),
        (
            "1. e4 e5\n2. Ke2 Ke7\n3. Ke1 Ke8\n4. Nf3 Nf6\n5. Be2 Be7\n6. O-O",
            11,
            "line 6: White's move O-O cannot be played: the king can't castle because it or the rook on h1 has moved",
        ),
        (
            "1. Nf3 Nf6\n2. Nc3 Nc6\n3. Nd4 Nd5\n4. Nb5",
            7,
            "line 4: White's move Nb5 cannot be played: more than one knight can move to b5, from c3 and d4: say which one",
        ),
        (
            "1. e4 e5\n2. Zf3",
            3,
            "line 2: White's move Zf3 cannot be played: 'Z' is not a piece letter; the letters are P N B R Q K",
        ),
        (
            "1. e4 e5\n2. Nf3 zz",
            4,
            "line 2: Black's move zz cannot be played: 'z' is not a piece letter; the letters are P N B R Q K",
        ),
        (
            "\n\nhello world\n",
            1,
            "line 3: White's move hello cannot be played: unexpected 'l' at character 3",
        ),
        (
            "1. Nxf3",
            1,
            "line 1: White's move Nxf3 cannot be played: there is nothing to capture: leave out the x",
        ),
        (
            "1. nf3",
            1,
            "line 1: White's move nf3 cannot be played: 'n' is not a piece letter; the letters are P N B R Q K",
        ),
        (
            "1. e4 e5 Nf3",
            1,
            "line 1: Nf3 is one word too many: a line has a move by White, a move by Black and at the end the result",
        ),
        (
            "1. e4\n1... e5 d6",
            2,
            "line 2: d6 is one word too many: a line has a move by White, a move by Black and at the end the result",
        ),
        (
            "1. e4 e5\n2.\n",
            3,
            "line 2: there is no move after the number",
        ),
        (
            "1. e4 e5\n2",
            3,
            "line 2: there is no move after the number",
        ),
        (
            "1. e4\n2. d4 d5\n",
            2,
            "line 2: White's move d4 comes out of turn: a move by Black is missing before it",
        ),
        (
            "1... e5\n",
            1,
            "line 1: Black's move e5 comes out of turn: a move by White is missing before it",
        ),
        // There are no legal moves after mate.
        (
            "1. f3 e5\n2. g4 Qh4#\n3. a3",
            5,
            "line 3: White's move a3 cannot be played: the king on e1 would still be in check from the queen on h4",
        ),
    ] {
        let (printed, said) = played(text);
        assert_eq!(said.as_deref(), Some(complaint), "{text}");
        assert_eq!(printed.len(), boards, "{text}");
    }
}

#[test]
fn invalid_utf8_is_an_error() {
    let (boards, complaint) = played(b"1. e4 e5\n2. N\xff3\n");
    assert_eq!(boards.len(), 3);
    assert_eq!(
        complaint.unwrap(),
        "line 2: the line is not valid UTF-8 text"
    );
    let (_, complaint) = played(b"1. e\0 \x1b[31m");
    let complaint = complaint.unwrap();
    assert!(!complaint.chars().any(char::is_control), "{complaint:?}");
}

#[test]
fn very_long_lines_are_errors() {
    let padded = format!("1. e4{}e5\n2. Nf3", " ".repeat(900));
    assert_eq!(played(padded).0.len(), 4);
    let padded = format!("1. e4 e5{}\n2. Nf3", " ".repeat(990));
    assert_eq!(played(padded).0.len(), 4);
    for endless in [
        "x".repeat(5000),
        " ".repeat(5000),
        format!("1. {}", "e".repeat(998)),
    ] {
        let (boards, complaint) = played(&endless);
        assert_eq!(boards.len(), 1);
        assert_eq!(
            complaint.unwrap(),
            "line 1: the line is longer than 1000 characters: write one pair of moves per line"
        );
    }
    // Error messages shorten long words.
    let (_, complaint) = played("ab".repeat(400));
    assert!(complaint.unwrap().len() < 200);
}

#[test]
fn write_errors_are_reported() {
    let mut small = [0_u8; 100];
    let error = run(&b"1. e4 e5"[..], &mut small[..]).unwrap_err();
    assert!(matches!(error, ChessmovesError::Output(_)), "{error:?}");
}

#[test]
fn parses_the_parts_of_a_line() {
    let line = NotationLine::parse("12. O-O Rxe2").unwrap();
    assert_eq!(line.moves(), [Some("O-O"), Some("Rxe2")]);
    assert_eq!(line.first_to_move, Some(Color::White));
    assert_eq!(line.result, None);
    let line = NotationLine::parse(" 9...  xf6 e.p.   0-1 ").unwrap();
    assert_eq!(line.moves(), [Some("xf6 e.p."), None]);
    assert_eq!(line.first_to_move, Some(Color::Black));
    assert_eq!(line.result, Some("0-1"));
    assert!(NotationLine::parse(" \t ").unwrap().is_empty());
    assert_eq!(NotationLine::parse("8."), Err(LineError::NoMove));
    assert_eq!(
        NotationLine::parse("1. e4 e5 1-0 *"),
        Err(LineError::TooManyWords { word: "*" })
    );
}

#[test]
fn black_pieces_are_capitals() {
    for (color, letters) in [(Color::White, "pnbrqk"), (Color::Black, "PNBRQK")] {
        for (role, expected) in OurRole::ALL.into_iter().zip(letters.bytes()) {
            let ours = Piece::new(color, role);
            assert_eq!(letter(ours), expected);
            assert_eq!(piece(expected), Some(ours));
        }
    }
    let pieces = (0..=255).filter(|&letter| piece(letter).is_some()).count();
    assert_eq!(pieces, 12);
    let board = draw(&rows(&tabiya_board::Board::start().placement()));
    assert_eq!(&board[..], START.as_bytes());
}

/// Seeded random numbers (xorshift).
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }
}

/// Draws a position of shakmaty in the chessmoves format.
fn drawn_by_shakmaty(position: &Chess) -> String {
    let mut text = "========\n".to_owned();
    for row in (0..8).rev() {
        for column in 0..8 {
            let square = Square::new(row * 8 + column);
            text.push(match position.board().piece_at(square) {
                Some(piece) if piece.color.is_white() => piece.role.char(),
                Some(piece) => piece.role.upper_char(),
                None => ' ',
            });
        }
        text.push('\n');
    }
    text + "========\n\n"
}

/// Writes a move as shakmaty does, with random variations that chessmoves accepts.
fn spelled(rng: &mut Rng, position: &Chess, mv: shakmaty::Move) -> String {
    let mut text = San::from_move(position, mv).to_string();
    let pick = |rng: &mut Rng, choices: &[&str]| choices[rng.below(choices.len())].to_owned();
    if mv.is_castle() && rng.below(2) == 0 {
        text = text.replace('O', "0");
    }
    if mv.is_promotion() && rng.below(2) == 0 {
        text = text.replace('=', "");
    }
    if mv.is_en_passant() {
        text += &pick(rng, &["", "e.p."]);
    }
    if mv.role() == Role::Pawn && rng.below(3) == 0 {
        text.insert(0, 'P');
    }
    text + &pick(rng, &["", "", "+", "!", "?!", "#"])
}

#[test]
fn agrees_with_shakmaty_on_random_games() {
    let mut rng = Rng(0x5eed_c0de);
    let (mut moves, mut castles, mut en_passants, mut promotions) = (0, 0, 0, 0);
    for _ in 0..250 {
        let mut position = Chess::default();
        let mut expected = drawn_by_shakmaty(&position);
        let mut text = String::new();
        for ply in 0..400 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            // Prefer special moves, and play many pawn moves so that special moves arise.
            let wanted =
                |mv: &&shakmaty::Move| mv.is_castle() || mv.is_en_passant() || mv.is_promotion();
            let special: Vec<_> = legal.iter().filter(wanted).copied().collect();
            let pawns: Vec<_> = legal
                .iter()
                .filter(|mv| mv.role() == Role::Pawn)
                .copied()
                .collect();
            let choices = if !special.is_empty() {
                special
            } else if !pawns.is_empty() && rng.below(3) == 0 {
                pawns
            } else {
                legal.to_vec()
            };
            let mv = choices[rng.below(choices.len())];
            moves += 1;
            castles += usize::from(mv.is_castle());
            en_passants += usize::from(mv.is_en_passant());
            promotions += usize::from(mv.is_promotion());
            if ply % 2 == 0 {
                write!(text, "{}. ", ply / 2 + 1).unwrap();
            }
            text += &spelled(&mut rng, &position, mv);
            text.push(if ply % 2 == 0 { ' ' } else { '\n' });
            position = position.play(mv).unwrap();
            expected += &drawn_by_shakmaty(&position);
        }
        text += " 0.5-0.5\n";
        let mut printed = Vec::new();
        run(text.as_bytes(), &mut printed).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(String::from_utf8(printed).unwrap(), expected, "{text}");
    }
    for (count, least) in [
        (moves, 20_000),
        (castles, 100),
        (en_passants, 50),
        (promotions, 300),
    ] {
        assert!(count >= least, "only {count} of {least}");
    }
}
