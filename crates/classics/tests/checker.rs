//! Tests of the checker: against a second, very simple implementation, and with odd input.

mod random;

use std::io::{self, Cursor, Read, Write};

use random::Random;
use tabiya_classics::checker::{CheckSummary, CheckerError, check, check_line, explain};

/// A checker without tables and without our library: pieces walk step by step on a board of letters.
mod naive {
    /// The letters on the squares, by column and row from 1 to 8. Capitals are Black.
    pub(crate) type Board = [[char; 9]; 9];

    pub(crate) const EMPTY: char = '.';

    /// Returns whether a letter is a piece of this side.
    pub(crate) fn is_side(letter: char, white: bool) -> bool {
        letter != EMPTY && letter.is_ascii_lowercase() == white
    }

    /// Returns whether a piece can move there, ignoring its own side's pieces and check.
    fn walks(board: &Board, from: (i32, i32), to: (i32, i32)) -> bool {
        let at = |(column, row): (i32, i32)| board[column as usize][row as usize];
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let piece = at(from);
        let straight = dx == 0 || dy == 0;
        let diagonal = dx.abs() == dy.abs();
        let free = || {
            let (sx, sy) = (dx.signum(), dy.signum());
            let mut square = (from.0 + sx, from.1 + sy);
            while square != to {
                if at(square) != EMPTY {
                    return false;
                }
                square = (square.0 + sx, square.1 + sy);
            }
            true
        };
        match piece.to_ascii_lowercase() {
            'k' => dx.abs() <= 1 && dy.abs() <= 1,
            'q' => (straight || diagonal) && free(),
            'r' => straight && free(),
            'b' => diagonal && free(),
            'n' => (dx * dy).abs() == 2,
            'p' => {
                let (up, start) = if piece == 'p' { (1, 2) } else { (-1, 7) };
                match (dx, dy) {
                    (0, dy) if dy == up => at(to) == EMPTY,
                    (0, dy) if dy == 2 * up => from.1 == start && free() && at(to) == EMPTY,
                    (-1 | 1, dy) if dy == up => at(to) != EMPTY,
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn squares() -> impl Iterator<Item = (i32, i32)> {
        (1..=8).flat_map(|column| (1..=8).map(move |row| (column, row)))
    }

    fn in_check(board: &Board, white: bool) -> bool {
        let king = if white { 'k' } else { 'K' };
        let on = |(column, row): (i32, i32)| board[column as usize][row as usize];
        squares().filter(|&square| on(square) == king).any(|king| {
            squares().any(|by| by != king && is_side(on(by), !white) && walks(board, by, king))
        })
    }

    /// Returns the board after a move, if it is legal.
    pub(crate) fn play(board: &Board, white: bool, step: [i32; 4]) -> Option<Board> {
        let [a, b, c, d] = step;
        let (from, to) = ((a, b), (c, d));
        let piece = board[a as usize][b as usize];
        let target = board[c as usize][d as usize];
        if from == to || !is_side(piece, white) || is_side(target, white) || !walks(board, from, to)
        {
            return None;
        }
        let mut after = *board;
        after[a as usize][b as usize] = EMPTY;
        after[c as usize][d as usize] = piece;
        (!in_check(&after, white)).then_some(after)
    }

    /// Returns the board and the moves, if the line is well formed.
    pub(crate) fn parse(line: &str) -> Option<(Board, Vec<[i32; 4]>)> {
        let (pieces, moves) = line.split_once(':')?;
        let number = |word: &str| match word.parse::<i32>() {
            Ok(number @ 1..=8) if word.len() == 1 => Some(number),
            _ => None,
        };
        let mut board = [[EMPTY; 9]; 9];
        let words: Vec<&str> = pieces.split_ascii_whitespace().collect();
        for piece in words.chunks(3) {
            let [letter, column, row] = piece else {
                return None;
            };
            if letter.len() != 1 || !"kqrbnpKQRBNP".contains(letter) {
                return None;
            }
            let (column, row) = (number(column)?, number(row)?);
            board[column as usize][row as usize] = letter.chars().next()?;
        }
        let numbers = moves.split_ascii_whitespace().map(number);
        let numbers: Vec<i32> = numbers.collect::<Option<_>>()?;
        let moves = numbers.chunks(4).map(|step| step.try_into().ok());
        Some((board, moves.collect::<Option<_>>()?))
    }

    /// Returns the verdict, without the reason of an error.
    pub(crate) fn answer(line: &str) -> String {
        let Some((mut board, moves)) = parse(line) else {
            return "error".to_owned();
        };
        let mut white = true;
        for step in moves {
            let Some(after) = play(&board, white, step) else {
                let [a, b, c, d] = step;
                return format!("{a} {b} {c} {d} illegal");
            };
            (board, white) = (after, !white);
        }
        "Legal".to_owned()
    }
}

/// Returns a line with a random board and mostly legal moves. Sometimes it is malformed.
fn random_line(random: &mut Random) -> String {
    let pieces: Vec<String> = (0..random.below(12))
        .map(|_| {
            let letters: &[char] = if random.once_in(2) {
                &['k', 'K', 'p', 'P']
            } else {
                &['k', 'q', 'r', 'b', 'n', 'p', 'K', 'Q', 'R', 'B', 'N', 'P']
            };
            let letter = letters[random.below(letters.len())];
            format!("{letter} {} {}", 1 + random.below(8), 1 + random.below(8))
        })
        .collect();
    let mut line = format!("{}:", pieces.join(" "));
    let (mut board, _) = naive::parse(&line).unwrap();
    let mut white = true;
    for _ in 0..random.below(8) {
        let number = |random: &mut Random| 1 + random.below(8) as i32;
        let mut step = [(); 4].map(|()| number(random));
        for _ in 0..400 {
            if naive::play(&board, white, step).is_some() || random.once_in(300) {
                break;
            }
            step = [(); 4].map(|()| number(random));
        }
        for number in step {
            line += " ";
            line += &number.to_string();
        }
        let Some(after) = naive::play(&board, white, step) else {
            break;
        };
        (board, white) = (after, !white);
    }
    if random.once_in(4) {
        let at = random.below(line.len());
        match random.below(4) {
            0 => drop(line.remove(at)),
            1 => line.insert(at, ['9', '0', ':', 'x', ' ', '\t', '3'][random.below(7)]),
            2 => line.truncate(at),
            _ => line.replace_range(at..=at, ["8", "0", ":", "z", " "][random.below(5)]),
        }
    }
    line
}

#[test]
fn agrees_with_a_simple_checker() {
    let mut random = Random::new(0xc4ec_4e12);
    let (mut legal, mut illegal, mut errors) = (0, 0, 0);
    for _ in 0..60_000 {
        let line = random_line(&mut random);
        let expected = naive::answer(&line);
        let answer = check_line(line.as_bytes()).to_string();
        // The same with more spaces, which takes the slow path.
        let spaced = line.replace(' ', " \t").replace(':', " :");
        let spaced = check_line(spaced.as_bytes()).to_string();
        if expected == "error" {
            assert!(answer.starts_with("error: "), "{line:?}: {answer}");
            assert!(spaced.starts_with("error: "), "{line:?}: {spaced}");
            errors += 1;
        } else {
            assert_eq!(answer, expected, "{line:?}");
            assert_eq!(spaced, expected, "{line:?}");
            *(if answer == "Legal" {
                &mut legal
            } else {
                &mut illegal
            }) += 1;
        }
    }
    assert!(legal > 8_000, "{legal}");
    assert!(illegal > 8_000, "{illegal}");
    assert!(errors > 5_000, "{errors}");
}

#[track_caller]
fn expect(line: &str, answer: &str) {
    assert_eq!(check_line(line.as_bytes()).to_string(), answer, "{line:?}");
    assert_eq!(naive::answer(line), answer, "{line:?}");
}

#[test]
fn follows_the_rules() {
    // Two kings of one colour: neither may be attacked.
    expect("k 1 1 k 8 8 R 8 1: 1 1 1 2", "1 1 1 2 illegal");
    expect("k 1 1 k 8 8 R 8 1: 8 8 7 8", "8 8 7 8 illegal");
    expect("k 1 2 k 8 8 R 8 1: 8 8 7 8", "Legal");
    // A side without a king cannot be in check. A king can be captured.
    expect("r 1 1 R 1 8: 1 1 1 8", "Legal");
    expect("r 1 1 K 1 8 R 2 2: 1 1 1 8 2 2 2 8 1 8 2 8", "Legal");
    // Kings may not stand side by side.
    expect("k 4 4 K 4 6: 4 4 4 5", "4 4 4 5 illegal");
    // If two pieces are given for a square, the later one counts.
    expect("R 1 1 n 1 1: 1 1 2 3", "Legal");
    expect("n 1 1 R 1 1: 1 1 2 3", "1 1 2 3 illegal");
    // Pawns: two steps only from their starting row, none from the last row, no promotion, no en passant.
    expect("p 1 2: 1 2 1 4", "Legal");
    expect("p 1 2 N 1 3: 1 2 1 4", "1 2 1 4 illegal");
    expect("p 1 2 N 1 4: 1 2 1 4", "1 2 1 4 illegal");
    expect("p 1 1: 1 1 1 3", "1 1 1 3 illegal");
    expect("p 1 1: 1 1 1 2", "Legal");
    expect("p 1 1 P 8 7: 1 1 1 2 8 7 8 5 1 2 1 4", "Legal");
    expect("p 1 7 P 8 2: 1 7 1 8 8 2 8 1 1 8 1 7", "1 8 1 7 illegal");
    expect("p 1 7 N 2 8: 1 7 2 8", "Legal");
    expect(
        "p 1 7 P 8 7 P 7 2: 1 7 1 8 8 7 8 5 1 8 2 8",
        "1 8 2 8 illegal",
    );
    expect(
        "p 5 5 P 4 7 r 1 1: 1 1 1 2 4 7 4 5 5 5 4 6",
        "5 5 4 6 illegal",
    );
    // A pawn on the last row attacks nothing. A pawn on its first row attacks as usual.
    expect("p 4 8 K 5 8 r 1 1: 1 1 1 2 5 8 6 8", "Legal");
    expect("P 4 8 k 5 6: 5 6 5 7", "5 6 5 7 illegal");
    // No castling.
    expect("k 5 1 r 8 1: 5 1 7 1", "5 1 7 1 illegal");
    // A move without moving, the opponent's piece, an empty square.
    expect("q 4 4: 4 4 4 4", "4 4 4 4 illegal");
    expect("q 4 4 Q 5 5: 5 5 5 6", "5 5 5 6 illegal");
    expect("q 4 4: 4 4 4 5 4 5 4 6", "4 5 4 6 illegal");
    expect("q 4 4: 3 3 4 4", "3 3 4 4 illegal");
    // The first illegal move is reported.
    expect("q 4 4: 1 1 2 2 3 3 5 5", "1 1 2 2 illegal");
    // No moves; no pieces.
    expect("q 4 4:", "Legal");
    expect(":", "Legal");
    expect(": 1 1 2 2", "1 1 2 2 illegal");
    // The example of the specification.
    expect(
        "k 4 4 r 8 2 B 1 1 K 4 7: 8 2 2 2 1 1 3 3",
        "1 1 3 3 illegal",
    );
    expect(
        "q 1 1 q 2 1 q 3 1 q 4 1 q 5 1 q 6 1 q 7 1 q 8 1 q 1 2: 1 2 7 8",
        "Legal",
    );
}

#[test]
fn accepts_any_white_space() {
    for line in [
        "q 4 4:4 4 4 5",
        "q 4 4 : 4 4 4 5 ",
        "  q\t4  4 \t:\t4 4   4 5\t",
        "q 4 4: 4 4 4 5\r",
        "\x0cq 4 4: 4 4 4\x0b5",
    ] {
        assert_eq!(check_line(line.as_bytes()).to_string(), "Legal", "{line:?}");
    }
}

#[test]
fn rejects_every_kind_of_malformed_line() {
    for (line, reason) in [
        ("", "the line is empty"),
        (" \t\r", "the line is empty"),
        ("k 4 4", "there is no colon between the board and the moves"),
        ("x", "there is no colon between the board and the moves"),
        (
            "k 4 4 8 2 2 2",
            "there is no colon between the board and the moves",
        ),
        (
            "k 4 4: 1 1 2 2: 1",
            "there is a second colon (character 15)",
        ),
        ("k 4 4::", "there is a second colon (character 7)"),
        (
            "x 4 4: 1 1 2 2",
            "'x' is no piece: the pieces are k q r b n p for White and K Q R B N P for Black (character 1)",
        ),
        (
            "k 4 4 4: 1 1 2 2",
            "'4' is no piece: the pieces are k q r b n p for White and K Q R B N P for Black (character 7)",
        ),
        (
            "k44:",
            "'k44' is no piece: the pieces are k q r b n p for White and K Q R B N P for Black (character 1)",
        ),
        ("k 0 4:", "'0' is not a number from 1 to 8 (character 3)"),
        ("k 4 9:", "'9' is not a number from 1 to 8 (character 5)"),
        ("k 4 k:", "'k' is not a number from 1 to 8 (character 5)"),
        (
            "k 4 4: 1 1 2 10",
            "'10' is not a number from 1 to 8 (character 14)",
        ),
        (
            "k 4 4: -1 1 2 1",
            "'-1' is not a number from 1 to 8 (character 8)",
        ),
        (
            "k 4 4: 01 1 2 1",
            "'01' is not a number from 1 to 8 (character 8)",
        ),
        (
            "k 4: 1 1 2 2",
            "a number is missing: the last piece of the board has 1 of 2 (character 4)",
        ),
        (
            "k 4 4 q: 1 1 2 2",
            "a number is missing: the last piece of the board has 0 of 2 (character 8)",
        ),
        (
            "k 4 4: 4 4 4",
            "a number is missing: the last move has 3 of 4 (character 12)",
        ),
        (
            // Even after an illegal move.
            "k 4 4: 1 1 2 2 4",
            "a number is missing: the last move has 1 of 4 (character 16)",
        ),
        (
            "k 4 4: 1 1 2 2 9 9 9 9",
            "'9' is not a number from 1 to 8 (character 16)",
        ),
        (
            "k 4 4: 12345678901234567890",
            "'1234567890123456...' is not a number from 1 to 8 (character 8)",
        ),
    ] {
        let answer = check_line(line.as_bytes()).to_string();
        assert_eq!(answer, format!("error: {reason}"), "{line:?}");
    }
    // Bytes that are not text don't break the line either.
    assert_eq!(
        check_line(b"k 4 \0\xff\x1b: 1").to_string(),
        "error: '\\x00\\xff\\x1b' is not a number from 1 to 8 (character 5)"
    );
}

/// Returns all verdicts on an input.
fn answers(input: impl Read, threads: usize) -> (String, CheckSummary) {
    let mut output = Vec::new();
    let summary = check(input, &mut output, threads, || {}).unwrap();
    (String::from_utf8(output).unwrap(), summary)
}

#[test]
fn verdicts_match_lines_one_to_one() {
    for (input, expected) in [
        (&b""[..], &[][..]),
        (b"\xef\xbb\xbf", &[]),
        (b"q 4 4: 4 4 4 5", &["Legal\n"]),
        (b"q 4 4: 4 4 4 5\n", &["Legal\n"]),
        (b"\xef\xbb\xbfq 4 4: 4 4 4 5\n", &["Legal\n"]),
        (
            b"q 4 4: 4 4 4 5\r\n: 1 1 2 2\r\n",
            &["Legal\n", "1 1 2 2 illegal\n"],
        ),
        (b"\n", &["error: the line is empty\n"]),
        (
            b":\n\n:\n",
            &["Legal\n", "error: the line is empty\n", "Legal\n"],
        ),
        (b"\r\n:", &["error: the line is empty\n", "Legal\n"]),
        (
            b"\0\n:",
            &[
                "error: there is no colon between the board and the moves\n",
                "Legal\n",
            ],
        ),
    ] {
        let expected = expected.concat();
        for threads in [1, 2, 3] {
            let (output, summary) = answers(input, threads);
            assert_eq!(output, expected, "{input:?}");
            assert_eq!(summary.lines, expected.lines().count() as u64);
            let errors = expected.matches("error:").count() as u64;
            assert_eq!(summary.errors, errors);
            assert_eq!(summary.illegal, expected.matches("illegal").count() as u64);
        }
        let mut output = Vec::new();
        explain(input, &mut output, &mut io::sink()).unwrap();
        assert_eq!(String::from_utf8(output).unwrap(), expected, "{input:?}");
    }
}

/// Returns a few bytes at a time, and sometimes an interruption.
struct Drops(Cursor<Vec<u8>>, usize);

impl Read for Drops {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 += 1;
        if self.1.is_multiple_of(7) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let few = buffer.len().min(1 + self.1 % 1000);
        self.0.read(&mut buffer[..few])
    }
}

#[test]
fn verdicts_are_in_order() {
    let mut random = Random::new(5);
    let mut input = Vec::new();
    let mut expected = String::new();
    for number in 0..60_000 {
        // Sometimes a line that is longer than any buffer, or a little shorter.
        let line = if number % 20_000 == 7_000 {
            let there_and_back = " 1 1 1 2 8 8 8 7 1 2 1 1 8 7 8 8";
            let times = 8_000 << (number / 20_000);
            let last = ["", " 1 1 1 3", " 1 1 2 2"][number / 20_000];
            format!("r 1 1 R 8 8:{}{last}", there_and_back.repeat(times))
        } else {
            random_line(&mut random)
        };
        expected += &check_line(line.as_bytes()).to_string();
        expected += "\n";
        input.extend_from_slice(line.as_bytes());
        input.push(b'\n');
    }
    assert!(expected.contains("1 1 2 2 illegal"));
    for threads in [1, 2, 5] {
        let (output, summary) = answers(&input[..], threads);
        assert!(output == expected, "{threads} threads");
        assert_eq!(summary.lines, 60_000);
    }
    let (output, _) = answers(Drops(Cursor::new(input), 0), 2);
    assert!(output == expected, "in small pieces");
}

#[test]
fn long_lines_at_block_boundaries() {
    // The size of a block: lines end right before, at and after its end.
    const BLOCK: usize = 1 << 18;
    for len in (BLOCK - 3..BLOCK + 3).chain(2 * BLOCK - 2..2 * BLOCK + 3) {
        for (end, more) in [("", ""), ("\n", ""), ("\n", ":\n"), ("\r\n", "x")] {
            let line = "q 4 4: 4 4 4 5";
            let mut input = format!("{line}{}", " ".repeat(len - line.len()));
            input.push_str(end);
            input.push_str(more);
            let mut expected = "Legal\n".to_owned();
            match more {
                "" => {}
                ":\n" => expected.push_str("Legal\n"),
                _ => {
                    expected += "error: there is no colon between the board and the moves\n";
                }
            }
            for threads in [1, 2] {
                assert_eq!(
                    answers(input.as_bytes(), threads).0,
                    expected,
                    "{len} {end:?}"
                );
            }
        }
    }
}

/// Accepts a number of bytes and then fails. Reading always fails.
struct Failing(usize);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("a scratch on the disk"))
    }
}

impl Write for Failing {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.0.checked_sub(buffer.len()) {
            Some(left) => {
                self.0 = left;
                Ok(buffer.len())
            }
            None => Err(io::Error::other("the disk is full")),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn read_and_write_errors_are_reported() {
    for threads in [1, 3] {
        let input = "q 4 4: 4 4 4 5\n".repeat(200_000);
        let broken = input.as_bytes().chain(Failing(0));
        let failure = check(broken, &mut io::sink(), threads, || {}).unwrap_err();
        assert!(matches!(failure, CheckerError::Read(_)), "{failure}");
        let mut full = Failing(300_000);
        let failure = check(input.as_bytes(), &mut full, threads, || {}).unwrap_err();
        assert_eq!(
            failure.to_string(),
            "cannot write the answers: the disk is full"
        );
    }
}

#[test]
fn explains_every_move() {
    let input = "k 4 4 r 8 2 B 1 1 K 4 7: 8 2 2 2 1 1 3 3\nk 4\nq 1 1: 1 1 1 2\n\
                 k 1 1 R 1 8 n 1 2: 1 2 3 3\n";
    let (mut output, mut explanation) = (Vec::new(), Vec::new());
    explain(input.as_bytes(), &mut output, &mut explanation).unwrap();
    let expected = "\
1 1 3 3 illegal
error: there is no colon between the board and the moves
Legal
1 2 3 3 illegal
";
    assert_eq!(String::from_utf8(output).unwrap(), expected);
    let expected = "\
Line 1:
8  . . . . . . . .
7  . . . K . . . .
6  . . . . . . . .
5  . . . . . . . .
4  . . . k . . . .
3  . . . . . . . .
2  . . . . . . . r
1  B . . . . . . .
   1 2 3 4 5 6 7 8
   a b c d e f g h
White: 8 2 2 2
8  . . . . . . . .
7  . . . K . . . .
6  . . . . . . . .
5  . . . . . . . .
4  . . . k . . . .
3  . . . . . . . .
2  . r . . . . . .
1  B . . . . . . .
   1 2 3 4 5 6 7 8
   a b c d e f g h
Black: 1 1 3 3 illegal: the rook on b2 is in the way

Line 2: there is no colon between the board and the moves.

Line 3:
8  . . . . . . . .
7  . . . . . . . .
6  . . . . . . . .
5  . . . . . . . .
4  . . . . . . . .
3  . . . . . . . .
2  . . . . . . . .
1  q . . . . . . .
   1 2 3 4 5 6 7 8
   a b c d e f g h
White: 1 1 1 2
8  . . . . . . . .
7  . . . . . . . .
6  . . . . . . . .
5  . . . . . . . .
4  . . . . . . . .
3  . . . . . . . .
2  q . . . . . . .
1  . . . . . . . .
   1 2 3 4 5 6 7 8
   a b c d e f g h
Legal

";
    let explanation = String::from_utf8(explanation).unwrap();
    assert!(explanation.starts_with(expected), "{explanation}");
    assert!(
        explanation.ends_with(
            "White: 1 2 3 3 illegal: the knight on a2 is pinned to the king on a1 by the rook on a8\n\n"
        ),
        "{explanation}"
    );
}
