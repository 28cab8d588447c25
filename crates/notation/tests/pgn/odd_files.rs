//! Files with all kinds of oddities and errors.

use super::*;

/// The odd files, and what is read from them before the last game.
pub(super) const ODD: [(&str, &[&str]); 85] = [
    (
        "ambiguous-move",
        &["3:24 3. Nd2: more than one knight can move to d2, from b1 and f3: say which one"],
    ),
    ("annotation-too-large", &[r#"3:7 "$256" is not a move"#]),
    ("annotation-without-number", &[r#"3:7 "$" is not a move"#]),
    (
        "annotations",
        &[
            r#"[Event "Odd"] 1. e4 $1 e5 $2 2. Nf3 $3 Nc6 $4 3. Bb5 $5 a6 $6 4. Ba4 $1 $255 Nf6 $0 $7 5. O-O $1 *"#,
        ],
    ),
    (
        "another-variant",
        &["3:1 this is a game of Crazyhouse, not of chess"],
    ),
    ("bare-numbers", &[r#"3:21 "1957" is not a move"#]),
    (
        "byte-order-mark",
        &[
            r#"[Event "Odd"] 1. e4 e5 *"#,
            r#"[Event "Odder"] 1. c4 * (no result)"#,
            r#"[Event "Oddest"] 1. f4 *"#,
        ],
    ),
    (
        "byte-order-mark-and-percent",
        &[r#"4:7 "Nf9" is not a move"#],
    ),
    (
        "chess960",
        &[
            r#"[Event "Odd"] [Variant "Chess960"] [FEN "1r2k3/1p6/8/8/8/8/8/RK5R w HAb - 0 1"] 1. O-O O-O-O 2. Kf2 *"#,
        ],
    ),
    (
        "clocks",
        &[
            r#"[Event "Odd"] 1. e4 { [%eval 0.17] [%clk 0:05:00] } 1... e5 { [%clk 0:04:58.5] book } 2. Qh5 { [%emt 0:00:01][%eval #-3,20] } *"#,
        ],
    ),
    (
        "comment-before-moves-without-tags",
        &["{ A comment } { and another } 1. e4 *"],
    ),
    (
        "comments-in-comments",
        &[
            r#"[Event "Odd"] 1. e4 ; a {b} c 1... e5 ; a {b} and {c} d 2. Nf3 { one { brace } 2... Nc6 { x } 3. Bb5 ; a {b {c} d} e *"#,
        ],
    ),
    (
        "comments",
        &[
            r#"[Event "Odd"] { before the first move } 1. e4 { one } { two } 1... e5 { a comment in two lines } { before a move } 2. Nf3 { with { another brace } 2... Nc6 { } 3. Bb5 { stuck } 3... a6 *"#,
        ],
    ),
    ("comments-between-games", &[r#"[Event "Odd"] 1. e4 *"#]),
    ("cr", &[r#"6:13 "Nf9" is not a move"#]),
    (
        "cr-unclosed",
        &[r#"2:1 "[Site \"open]" is not a tag: write [Name "value"]"#],
    ),
    ("crlf", &[r#"6:13 "Nf9" is not a move"#]),
    (
        "early-variation",
        &["3:1 a variation must follow the move it replaces"],
    ),
    (
        "empty-variation",
        &[r#"[Event "Odd"] 1. e4 e5 $1 { only a comment } 2. Nf3 *"#],
    ),
    ("end-blank", &[]),
    ("end-empty", &[]),
    (
        "end-in-a-comment",
        &["3:10 this comment is never closed: add a }"],
    ),
    ("end-in-a-move", &[r#"3:13 "N" is not a move"#]),
    (
        "end-in-a-tag",
        &[r#"2:1 "[Site \"Ber" is not a tag: write [Name "value"]"#],
    ),
    (
        "end-in-a-variation",
        &["3:10 this variation is never closed: add a )"],
    ),
    ("end-of-file-mark", &[r#"[Event "Odd"] 1. e4 e5 *"#]),
    ("end-with-a-comment", &[r#"[Event "Odd"] 1. e4 e5 1-0"#]),
    ("end-without-line-break", &[r#"[Event "Odd"] 1. e4 e5 1-0"#]),
    (
        "escaped-annotations",
        &[r#"[Event "Odd"] 1. e4 $14 e5 $2 *"#],
    ),
    (
        "event-tag-twice",
        &[r#"[Event "Odd"] [Site "Berlin"] [Event "Odd 2"] 1. e4 *"#],
    ),
    (
        "event-in-comment",
        &[
            "3:7 this comment is never closed: add a }",
            r#"5:1 "or" is not a move"#,
        ],
    ),
    (
        "foreign-letters",
        &["3:13 2. Sf3: 'S' is not a piece letter; the letters are P N B R Q K"],
    ),
    (
        "garbage-between-games",
        &[r#"[Event "Odd"] 1. e4 *"#, r#"5:1 "some" is not a move"#],
    ),
    (
        "illegal-move",
        &["3:13 2. Ke3: kings move one square in any direction"],
    ),
    (
        "latin-1",
        &[
            r#"[Event "Odd"] [White "Müller"] [Black "Dé"] 1. e4 { schön } 1... e5 { ünd ¼ } *"#,
            r#"7:29 "Nf9" is not a move"#,
        ],
    ),
    (
        "indented-tags",
        &[
            r#"[Event "Odd"] 1. e4 e5 * (no result)"#,
            r#"[Event "Odder"] [White "A"] 1. c4 * (no result)"#,
            r#"[White "B"] 1. f4 *"#,
        ],
    ),
    (
        "squares",
        &[r#"[Event "Odd"] 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O Nf6 *"#],
    ),
    (
        "tag-ends-with-a-backslash",
        &[r#"[Event "Odd"] [Site "C:\\games\\"] [White "say \"A\" \\"] [Black "B\\"] 1. e4 *"#],
    ),
    (
        "unclosed-comment-before-other-tags",
        &[
            "3:7 this comment is never closed: add a }",
            r#"[White "B"] 1. c4 { closed } *"#,
        ],
    ),
    (
        "unclosed-comment-without-tags",
        &[
            "1:7 this comment is never closed: add a }",
            "1. c4 { closed } *",
        ],
    ),
    ("no-move", &[r#"3:13 "hello" is not a move"#]),
    (
        "no-move-numbers",
        &[r#"[Event "Odd"] 1. e4 e5 2. Nf3 Nc6 *"#],
    ),
    (
        "no-result",
        &[r#"[Event "Odd"] 1. e4 e5 2. Nf3 * (no result)"#],
    ),
    ("no-tags", &["1. e4 e5 1-0", "1. c4 c5 0-1"]),
    (
        "zero-bytes",
        &["[Event \"Odd\0ly\"] 1. e4 e5 { a\0b } 2. Nf3 *"],
    ),
    (
        "null-move-in-check",
        &["3:27 a null move is not allowed in check"],
    ),
    (
        "null-moves",
        &[r#"[Event "Odd"] 1. e4 -- 2. d4 -- 3. c4 e5 (3... -- 4. Nc3) *"#],
    ),
    (
        "odd-move-numbers",
        &[
            r#"[Event "Odd"] 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *"#,
        ],
    ),
    ("only-a-result", &["1/2-1/2"]),
    (
        "only-tags",
        &[
            r#"[Event "Odd"] [Site "Berlin"] * (no result)"#,
            r#"[Event "Odd 2"] * (no result)"#,
        ],
    ),
    (
        "only-tags-without-empty-line",
        &[
            r#"[Event "Odd"] [Site "Berlin"] * (no result)"#,
            r#"[Event "Odd 2"] [Site "Bonn"] * (no result)"#,
        ],
    ),
    (
        "opinions",
        &[
            r#"[Event "Odd"] 1. e4 { +- } 1... e5 { = } 2. Nf3 { +/- } 2... Nc6 { -/+ } 3. Bb5 { =/= } 3... a6 *"#,
        ],
    ),
    (
        "percent",
        &[
            r#"[Event "Odd"] [Site "50 % sure"] % among "tags"] %before the moves 1. e4 e5 %1. d4 { 2. Nf3 % the end * 1-0"#,
        ],
    ),
    ("percent-inside-a-line", &[r#"3:7 "%" is not a move"#]),
    (
        "promotions",
        &[
            r#"[Event "Odd"] [FEN "8/PPPPPP2/8/8/8/8/8/K6k w - - 0 1"] 1. a8=N Kh2 2. b8=R Kh1 3. c8=B $1 Kh2 4. d8=Q Kh1 5. e8=N Kh2 6. f8=Q Kh1 *"#,
        ],
    ),
    (
        "result-behind-unclosed-variation",
        &["3:10 this variation is never closed: add a )"],
    ),
    (
        "result-in-variation",
        &[
            r#"[Event "Odd"] 1. e4 e5 (1... c5 2. Nf3 { 1-0 }) 2. Nf3 (2. f4 exf4 { * }) (2. Nc3 { 1/2-1/2 } { draw }) 0-1"#,
        ],
    ),
    (
        "results",
        &[
            "1. e4 1/2-1/2",
            "1. e4 1/2-1/2",
            "1. e4 1-0",
            "1. e4 0-1",
            "1. e4 1-0",
            "1. e4 0-1",
            "1. e4 1/2-1/2",
            "1. e4 *",
        ],
    ),
    (
        "semicolon",
        &[
            r#"[Event "Odd"] 1. e4 { 1... c5 {not a brace comment } 1... e5 { } 2. Nf3 { ;; Nc6 } { a line of its own } *"#,
        ],
    ),
    (
        "spellings",
        &[
            r#"[Event "Odd"] 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 $2 4. Bxc6 $1 dxc6 5. O-O Bd6 6. d4 exd4 7. Nxd4 c5 8. Ne2 $2 Nf6 9. Nbc3 O-O 10. e5 Bxe5 11. f4 Bd4+ 12. Kh1 b5 13. f5 g5 14. fxg6 { e.p. } 14... fxg6 15. a4 b4 16. Nd5 b3 17. cxb3 c4 18. bxc4 Rb8 19. a5 Rb3 20. c5 Rh3 21. gxh3 Bf5 22. c6 Bd3 23. b4 g5 24. b5 axb5 25. a6 b4 26. a7 b3 27. a8=Q b2 28. Qc8 b1=Q 29. Qxd8 Qxc1 30. Qc8 Qxa1 31. Qg4 Qxd1 32. Nxc7 Qe1 33. h4 h6 0-1"#,
        ],
    ),
    (
        "start-position",
        &[
            r#"[Event "Odd"] [SetUp "1"] [FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 5 40"] 40... Ke7 41. e4 *"#,
            r#"[Event "Odd 2"] [FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 5 40"] *"#,
        ],
    ),
    ("stuck-together", &["3:3 1. e4e5: White has no pawn on e4"]),
    (
        "tag-escaped-quotes",
        &[
            r#"[Event "Odd"] [White "William \"Bill\" Tell"] [Black "back\\slash \\\" \\n"] 1. e4 *"#,
        ],
    ),
    (
        "tag-in-two-lines",
        &[r#"[Event "Odd"] [Site "a very long line"] [Date "2020"] 1. e4 *"#],
    ),
    (
        "tag-unclosed",
        &[r#"2:1 "[Site \"Berlin]" is not a tag: write [Name "value"]"#],
    ),
    (
        "tag-unclosed-at-the-end",
        &[r#"1:1 "[Event \"Odd]" is not a tag: write [Name "value"]"#],
    ),
    (
        "tag-unclosed-before-moves",
        &[r#"2:1 "[Site \"Berlin]" is not a tag: write [Name "value"]"#],
    ),
    (
        "tag-unescaped-quotes",
        &[r#"2:1 "[White \"William \"Bill\" Tell\"]" is not a tag: write [Name "value"]"#],
    ),
    (
        "tag-without-bracket",
        &[r#"[Event "Odd"] [Site "Berlin"] 1. e4 *"#],
    ),
    (
        "tag-without-name",
        &[r#"2:1 "[\"Berlin\"]" is not a tag: write [Name "value"]"#],
    ),
    (
        "tag-without-quotes",
        &[r#"2:1 "[Site Berlin]" is not a tag: write [Name "value"]"#],
    ),
    (
        "tag-without-value",
        &[r#"2:1 "[Site]" is not a tag: write [Name "value"]"#],
    ),
    (
        "tags-in-another-order",
        &[
            r#"[Event "Odd"] [White "W"] [Black "B"] 1. e4 *"#,
            r#"[Event "Odd 2"] [Black "B2"] 1. c4 *"#,
        ],
    ),
    (
        "tags-in-one-line",
        &[r#"[Event "Odd"] [Site "Berlin"] [Date "2020"] 1. e4 *"#],
    ),
    (
        "tags-with-spaces",
        &[r#"[Event "Odd"] [Site "Berlin"] 1. e4 *"#],
    ),
    (
        "two-games-in-one-line",
        &[
            r#"[Event "Odd"] 1. e4 e5 1-0"#,
            r#"[Event "Odd 2"] 1. c4 *"#,
            "1. f4 0-1",
        ],
    ),
    (
        "unclosed-comment",
        &["3:7 this comment is never closed: add a }"],
    ),
    (
        "unclosed-comment-in-variation",
        &["3:14 this comment is never closed: add a }"],
    ),
    (
        "unclosed-variation",
        &["3:10 this variation is never closed: add a )"],
    ),
    (
        "unclosed-variation-without-result",
        &["3:10 this variation is never closed: add a )"],
    ),
    (
        "unopened-brace",
        &["3:10 unexpected }: nothing is open here"],
    ),
    (
        "unopened-parenthesis",
        &["3:10 unexpected ): nothing is open here"],
    ),
    (
        "utf-8",
        &[
            r#"[Event "Odd"] [White "Müller"] [Black "Łęcki 王"] 1. e4 { schön } 1... e5 { ünd ♘ ¼ } *"#,
            r#"7:31 "Nf9" is not a move"#,
        ],
    ),
    (
        "variation-in-front-of-a-variation",
        &["3:11 a variation must follow the move it replaces"],
    ),
    (
        "wrong-start-position",
        &[
            "2:1 invalid FEN tag: White has no king",
            "8:1 invalid FEN tag: unexpected 'o' among the pieces: use PNBRQK, pnbrqk, 1 to 8 and / (character 2)",
        ],
    ),
];

#[test]
fn odd_files_are_read_to_the_end() {
    for (name, wanted) in ODD {
        let mut wanted: Vec<&str> = wanted.to_vec();
        if !name.starts_with("end-") {
            wanted.push(NEXT);
        }
        assert_eq!(games(&odd(name)), wanted, "{name}");
    }
    let listed: BTreeSet<String> = ODD.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(listed, odd_names());
}
