//! The functions against a plain replay of every game by another library, and what they do with bad input.

use serde_json::Value;
use shakmaty::fen::{Epd, Fen};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, Rank, Role, Square};

use crate::common::{Folder, answer, ask, failure, league, league_pgn, sql};

/// A game as the other library sees it: all positions, and the moves between them.
struct Plain {
    positions: Vec<Chess>,
    moves: Vec<Move>,
}

impl Plain {
    fn san(&self, ply: usize) -> Option<String> {
        let mv = *self.moves.get(ply.checked_sub(1)?)?;
        let before = self.positions[ply - 1].clone();
        Some(SanPlus::from_move(before, mv).to_string())
    }
}

fn epd(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

/// Our FEN, read and written by the other library.
fn normalized(fen: &str) -> (String, u32) {
    let fen: Fen = fen.parse().unwrap();
    let moves = fen.as_setup().fullmoves.get();
    let position: Chess = fen.into_position(CastlingMode::Chess960).unwrap();
    (epd(&position), moves)
}

fn plain_games() -> Vec<Plain> {
    let text = std::fs::read_to_string(league_pgn()).unwrap();
    let games = text.split("[Event ").skip(1).map(|text| {
        let (tags, moves) = text.split_once("\n\n").unwrap();
        let fen = tags
            .split_once("[FEN \"")
            .map(|(_, fen)| fen.split_once('"').unwrap().0);
        let mut position: Chess = fen.map_or_else(Chess::default, |fen| {
            let fen: Fen = fen.parse().unwrap();
            fen.into_position(CastlingMode::Chess960).unwrap()
        });
        let mut game = Plain {
            positions: vec![position.clone()],
            moves: Vec::new(),
        };
        let mut in_comment = false;
        for word in moves.split_whitespace() {
            in_comment |= word.starts_with('{');
            let is_move = !in_comment && !word.ends_with('.');
            in_comment &= !word.ends_with('}');
            if !is_move || matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
                continue;
            }
            let san: SanPlus = word.parse().unwrap();
            let mv = san.san.to_move(&position).unwrap();
            position.play_unchecked(mv);
            game.positions.push(position.clone());
            game.moves.push(mv);
        }
        game
    });
    games.collect()
}

fn material(position: &Chess) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        for role in Role::ALL.into_iter().rev() {
            let count = (position.board().by_color(color) & position.board().by_role(role)).count();
            let letter = shakmaty::Piece { color, role }.char();
            text.extend(std::iter::repeat_n(letter, count));
        }
    }
    text
}

fn pawns(position: &Chess) -> String {
    let mut board = position.board().clone();
    for square in board.occupied() & !board.pawns() {
        board.discard_piece_at(square);
    }
    board.board_fen().to_string()
}

#[test]
fn functions_equal_a_plain_replay() {
    let games = plain_games();
    assert_eq!(games.len(), 242);
    let dragon = "r2q1rk1/pp1bppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/2KR1B1R w - - 5 10";
    let wanted = normalized(dragon).0;
    let rows = ask(
        &format!(
            "select game_id, ply_count,
                    fen_after(moves, 0, FEN) as start, fen_after(moves, 13, FEN) as fen,
                    fen_after(moves, ply_count, FEN) as last, san(moves, 8, FEN) as san,
                    san(moves, ply_count, FEN) as last_san, has_position(moves, '{dragon}', FEN) as dragon,
                    matches(moves, 'rxNc3', FEN) as sacrifice, matches(moves, 'P-?5 n??', FEN) as push,
                    material(moves, 30, FEN) as material, pawn_structure(moves, 30, FEN) as pawns,
                    key(fen_after(moves, ply_count, FEN)) = final_key as same_key
             from games order by game_id"
        ),
        &["--json"],
    );
    let rows: Vec<Value> = rows
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    assert_eq!(rows.len(), games.len());
    let (mut dragons, mut sacrifices, mut pushes) = (0, 0, 0);
    for (row, game) in rows.iter().zip(&games) {
        let text = |name: &str| row[name].as_str().map(str::to_owned);
        let plies = game.moves.len();
        assert_eq!(row["ply_count"], plies);
        for (name, ply) in [("start", 0), ("fen", 13), ("last", plies)] {
            let expected = game.positions.get(ply);
            let expected = expected.map(|position| (epd(position), position.fullmoves().get()));
            assert_eq!(text(name).map(|fen| normalized(&fen)), expected, "{row}");
        }
        assert_eq!(text("san"), game.san(8), "{row}");
        assert_eq!(text("last_san"), game.san(plies), "{row}");
        let has_dragon = game
            .positions
            .iter()
            .any(|position| epd(position) == wanted);
        assert_eq!(row["dragon"], has_dragon, "{row}");
        let is_sacrifice = |(position, mv): (&Chess, &Move)| {
            position.turn() == Color::Black
                && mv.role() == Role::Rook
                && mv.capture() == Some(Role::Knight)
                && mv.to() == Square::C3
        };
        let sacrifice = game.positions.iter().zip(&game.moves).any(is_sacrifice);
        assert_eq!(row["sacrifice"], sacrifice, "{row}");
        let is_push = |(position, mv): (&Chess, &Move)| {
            position.turn() == Color::White
                && mv.role() == Role::Pawn
                && mv.to().rank() == Rank::Fifth
                && (position.board().black() & position.board().knights()).any()
        };
        let push = game.positions.iter().zip(&game.moves).any(is_push);
        assert_eq!(row["push"], push, "{row}");
        let later = game.positions.get(30);
        assert_eq!(text("material"), later.map(material), "{row}");
        assert_eq!(text("pawns"), later.map(pawns), "{row}");
        assert_eq!(row["same_key"], true, "{row}");
        dragons += usize::from(has_dragon);
        sacrifices += usize::from(sacrifice);
        pushes += usize::from(push);
    }
    assert!(
        dragons > 3 && sacrifices > 3 && pushes > 3,
        "{dragons} {sacrifices} {pushes}"
    );
}

/// The positions table is sorted by key: what it finds is what `has_position` finds.
#[test]
fn keys_find_the_games_that_have_the_position() {
    let fen = "rnbqkbnr/ppp2ppp/4p3/3pP3/3P4/8/PPP2PPP/RNBQKBNR b KQkq - 0 3";
    let by_key =
        format!("select distinct game_id from positions where key = key('{fen}') order by 1");
    let by_moves =
        format!("select game_id from games where has_position(moves, '{fen}', FEN) order by 1");
    let found = ask(&by_key, &["--csv"]);
    assert_eq!(found, ask(&by_moves, &["--csv"]));
    assert!(found.lines().count() > 20);
}

/// The value for the first game.
fn value(query: &str) -> Value {
    let query = format!("select {query} as value from games where game_id = 0");
    let answer = ask(&query, &["--json"]);
    let row: Value = serde_json::from_str(&answer).unwrap();
    row["value"].clone()
}

#[test]
fn null_gives_null() {
    for query in [
        "fen_after(null, 1)",
        "fen_after(moves, null)",
        "san(moves, null, null)",
        "key(null)",
        "eval(null, 100)",
        "eval('4k3/8/8/8/8/8/8/4K3 w - - 0 1', null)",
        "has_position(moves, null)",
        "matches(moves, null)",
        "opening(null)",
        "accuracy(null, 'white')",
        "accuracy([1, null, 3], 'white')",
        "accuracy([1, 2], null)",
        // No moves of this player.
        "accuracy([10], 'black')",
        // Before the start and after the end.
        "fen_after(moves, -1)",
        "fen_after(moves, 1000)",
        "san(moves, 0)",
        "material(moves, 9223372036854775807)",
        "pawn_structure(moves, -9223372036854775808)",
    ] {
        assert_eq!(value(query), Value::Null, "{query}");
    }
}

/// Games from other positions are asked like all others, in every shape that a query may have.
#[test]
fn calls_without_a_start_take_it_from_the_row() {
    let started = "select count(*) as n from games where FEN is not null";
    assert_ne!(ask(started, &["--csv"]), "n\n0\n");
    for query in [
        "select game_id, fen_after(moves, 3START) as f, san(moves, 2START) as s, material(moves, 4START) as m,
                pawn_structure(moves, 5START) as p, opening(movesSTART) as o, matches(moves, 'Px'START) as x,
                has_position(moves, fen_after(moves, 5START)START) as h, accuracy(evals, 'white'START) as a
         from games order by game_id",
        "select games.game_id, fen_after(games.moves, 3START) as f from games order by 1",
        "select game_id from games where material(moves, 2START) = material(moves, 0START) order by 1",
        "select opening(movesSTART) as o, count(*) as n from games group by o having count(opening(movesSTART)) > 2
         order by n, o",
        "select san(moves, 1START) from games group by san(moves, 1START) order by san(moves, 1START)",
        "select san(moves, 1START) as s, Result, count(*) as n from games group by rollup(san(moves, 1START), Result)
         order by n, s, Result",
        "select upper(san(moves, 1START)) || '!' from games where lower(san(moves, 1START)) = 'd4'",
        "select game_id, row_number() over (partition by san(moves, 1START) order by game_id) as n from games
         order by game_id",
        "with g as (select * from games where game_id > 100) select san(moves, 1START) as s from g order by game_id",
        "select s from (select game_id, san(moves, 1START) as s from games) order by game_id",
        "select max(san(moves, 1START)) from (select moves, FEN from games where game_id > 200)",
        "select color, san(moves, 1START) as s from player_games('ada') order by game_id",
        "select p.ply, san(moves, p.ply + 1START) as s from positions p join games on games.game_id = p.game_id
         where p.ply < 2 order by p.game_id, p.ply",
        "select game_id from games where game_id in (select game_id from games where san(moves, 1START) = 'd4')
         order by 1",
        "select san(moves, 1START) as s from games union all select san(moves, 2START) from games order by s",
        "create view v as select * from games; select san(moves, 1START) as s from v order by s",
        "create table t as select moves, FEN from games; select san(moves, 1START) as s from t order by s",
        // The same rows in other clothes.
        "select san(m, 1START) as s from (select moves as m, FEN from games) order by s",
        "select opening(movesSTART) as o from games group by moves, FEN order by o",
        "select san(moves, 1START) as s from (select distinct moves, FEN from games) order by s",
        "select san(moves, 1START) as s from (select distinct on (game_id) FEN, moves from games) order by s",
        "select san(moves, 1START) as s from (select * from games order by game_id desc limit 70) order by s",
        "select san(moves, ply + 1START) as s from (select *, unnest(range(3)) as ply from games) order by s",
        "select n, san(moves, 1START) as s from (select *, row_number() over (order by game_id) as n from games)
         order by n",
        "select san(moves, 1START) as s from (select game_id, moves, FEN from games where FEN is null union all
                select game_id, moves, FEN from games where FEN is not null) order by s",
        "select san(moves, 1START) as s from (select moves, FEN from games where game_id not in
                (select game_id from duplicates)) order by s",
        "create table t as select Event, FEN, moves from games; create or replace table t as select moves, FEN from t;
         create table if not exists t as select 1; select san(moves, 1START) as s from t order by s",
        "create table games2 as select * from games; drop table games;
         create table games as select evals, moves, FEN from games2;
         select san(moves, 1START) as s, accuracy(evals, 'white'START) as a from games order by s, a",
    ] {
        let explicit = ask(&query.replace("START", ", FEN"), &["--json"]);
        // What the columns are called is not what is compared.
        let values = |rows: &str| -> Vec<Vec<Value>> {
            let rows = rows.lines().map(serde_json::from_str::<Value>);
            let rows = rows.map(|row| row.unwrap().as_object().unwrap().clone());
            rows.map(|row| row.into_iter().map(|(_, value)| value).collect())
                .collect()
        };
        let short = query.replace("START", "");
        let found = values(&ask(&short, &["--json"]));
        assert!(!found.is_empty(), "{short}");
        assert_eq!(found, values(&explicit), "{short}");
    }
    let query = "select san(b.moves, 1) = san(b.moves, 1, b.FEN) as same, a.FEN is null as usual, count(*) as n
                 from games a join games b on a.game_id = b.game_id + 1 group by 1, 2 order by 1, 2";
    let answer = ask(query, &["--csv"]);
    assert!(!answer.contains("\nfalse,"), "{answer}");
    // Whatever the columns are called, and whatever else is called so.
    let query =
        "select count(*) as n from (select game_id, moves as m, FEN as f, null as FEN from games) a
                 join games b on a.game_id = b.game_id where san(a.m, 1) <> san(b.moves, 1, b.FEN)";
    assert_eq!(ask(query, &["--csv"]), "n\n0\n");
}

/// Moves that are legal from the usual position, too, are not played from there.
#[test]
fn a_game_is_never_taken_for_one_from_the_usual_position() {
    let folder = Folder::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1";
    let game = format!("[SetUp \"1\"]\n[FEN \"{start}\"]\n\n1. e4 e5 *\n");
    let file = folder.file("odds.pgn", game);
    let query = "select fen_after(moves, 2) as fen from games";
    let output = sql(&[file.to_str().unwrap(), query, "--csv"]).output();
    assert_eq!(
        answer(&output.unwrap()),
        "fen\nrnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/1NBQKBNR w Kkq - 0 2\n"
    );
}

/// The games of a query, with the starts of others. The moves are legal there, too.
const MIXED: &str = "select a.moves, b.FEN from games a join games b on a.game_id = b.game_id + 1";

#[test]
fn the_start_of_another_game_is_not_believed() {
    for query in [
        "select san(moves, 1) from (MIXED)",
        "select san(moves, 1) from (MIXED) t",
        "with t as (MIXED) select moves, FEN from t where san(moves, 1) = 'e4'",
        "select opening(moves) as o, count(*) from (MIXED) t group by o",
        "create view v as MIXED; select san(moves, 1) from v",
        "create table t as MIXED; select san(moves, 1) from t",
        "create table t as MIXED; create table if not exists t as select moves, FEN from games;
         select san(moves, 1) from t",
        "create table t as select moves, FEN from games; create or replace table t as MIXED;
         select san(moves, 1) from t",
        "create table t as select game_id, moves, FEN from games; select san(moves, 1) from
            (select a.moves, b.FEN from t a join t b on a.game_id = b.game_id + 1) t",
        "create view v as select * from games; select san(moves, 1) from
            (select a.moves, b.FEN from v a join v b on a.game_id = b.game_id + 1) t",
        "with g as (select * from games) select san(moves, 1) from
            (select a.moves, b.FEN from g a join g b on a.game_id = b.game_id + 1) t",
        "with g as (select a.moves, a.FEN, b.FEN as other from games a join games b on a.game_id = b.game_id + 1)
         select san(moves, 1) from (select moves, other as FEN from g) t",
        "select san(moves, 1) from (select moves, null as FEN from games)",
        "select san(moves, 1) from (select moves, coalesce(FEN, '') as FEN from games)",
        "select san(moves, 1) from (select moves, lag(FEN) over (order by game_id) as FEN from games)",
        "select san(moves, 1) from (select moves, FEN from games union all select moves, null from games)",
        "select san(moves, 1) from (select moves, FEN from games union all MIXED)",
        "select san(moves, 1) from (select White, min(moves) as moves, min(FEN) as FEN from games group by White)",
        "select san(moves, 1) from (select White, moves, max(FEN) as FEN from games group by White, moves)",
        "select san(moves, 1) from (select moves, FEN from games group by cube(moves, FEN))",
        "select san(moves, 1) from (select unnest(list) as moves, FEN
            from (select array_agg(moves) as list, FEN from games group by FEN))",
        "select san(moves, 1) from (select moves, unnest(list) as FEN
            from (select moves, array_agg(FEN) as list from games group by moves))",
        "select accuracy(evals, 'white') from (select a.evals, b.FEN from games a, games b) t",
        "with recursive t as (select moves, FEN, game_id from games where game_id = 0 union all
            select t.moves, g.FEN, g.game_id from t join games g on g.game_id = t.game_id + 1)
         select san(moves, 1) from t",
        "create table games2 as MIXED; drop table games; create table games as select * from games2;
         select san(moves, 1) from games",
        "create or replace view games as MIXED; select san(moves, 1) from games",
    ] {
        let query = query.replace("MIXED", MIXED);
        let error = failure(&sql(&[league(), &query]).output().unwrap());
        assert!(error.starts_with("where does the game start?"), "{query}: {error}");
    }
}

/// A file knows nothing about the table that its rows came from.
#[test]
fn the_start_in_another_file_must_be_given() {
    let folder = Folder::new();
    let file = folder.path("copy.parquet");
    let copy = file.to_str().unwrap();
    let rows = sql(&[league(), "select moves, FEN from games", "--parquet", copy]);
    answer(&{ rows }.output().unwrap());
    let table = format!("create external table copy stored as parquet location '{copy}';");
    let query = format!("{table} select count(san(moves, 1)) as n from copy");
    let error = failure(&sql(&[league(), &query]).output().unwrap());
    assert!(error.starts_with("where does the game start?"), "{error}");
    let query = format!("{table} select count(san(moves, 1, FEN)) as n from copy");
    assert_eq!(
        ask(&query, &["--csv"]),
        ask("select count(san(moves, 1)) as n from games", &["--csv"])
    );
}

#[test]
fn a_call_without_a_known_start_is_refused() {
    for query in [
        "select san(moves, 1) from (select moves from games)",
        "select san(m, 1) from (select moves as m from games)",
        "select san((select moves from games where game_id = 0), 1)",
        "select opening(moves) from games group by moves",
        "select san(a.moves, 1) from (select moves, game_id from games) a join games b on a.game_id = b.game_id",
        "select accuracy([ply_count, 10], 'white') from games",
        "create view v as select moves from games; select fen_after(moves, 0) from v",
        "select game_id from positions p where exists
            (select 1 from games g where g.game_id = p.game_id and matches(arrow_cast(moves, 'Binary'), 'Px'))",
    ] {
        let error = failure(&sql(&[league(), query]).output().unwrap());
        assert!(error.starts_with("where does the game start?"), "{query}: {error}");
        assert!(error.contains(" [, fen]) with the column FEN"), "{query}: {error}");
    }
    // Whoever says it may leave the column out.
    let query =
        "select san(moves, 1, null) as s from (select moves from games where FEN is null) limit 1";
    assert!(ask(query, &["--csv"]).starts_with("s\n"));
}

#[test]
fn evaluations_are_for_white() {
    // Mate in one, by White and by Black; mates and a stalemate on the board.
    for (fen, expected) in [
        ("6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1", 31999),
        ("4r2k/8/8/8/8/8/5PPP/6K1 b - - 0 1", -31999),
        ("4R1k1/5ppp/8/8/8/8/8/7K b - - 0 1", 32000),
        ("7k/8/8/8/8/8/5PPP/4r1K1 w - - 0 1", -32000),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),
    ] {
        assert_eq!(value(&format!("eval('{fen}', 500)")), expected, "{fen}");
    }
    let queen_up = value("eval('4k3/8/8/8/8/8/8/3QK3 b - - 0 1', 1000)");
    assert!(queen_up.as_i64().unwrap() > 300, "{queen_up}");
}

#[test]
fn accuracy_knows_whose_move_it_was() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
    // The second move is the bad one.
    let bad = value("accuracy([0, 500, 500], 'black')").as_f64().unwrap();
    assert!(bad < 40.0, "{bad}");
    assert_eq!(
        value(&format!("accuracy([0, -500, -500], 'white', '{start}')"))
            .as_f64()
            .map(|a| a < 40.0),
        Some(true)
    );
    let mated = value("accuracy([20, 31999, 32000], 'black')")
        .as_f64()
        .unwrap();
    assert!(mated < 40.0, "{mated}");
    assert_eq!(value("accuracy([0, -32000], 'black')"), 100.0);
}

#[test]
fn patterns_are_read_as_the_page_says() {
    for (pattern, expected) in [
        ("Pe4 pe5", true),
        ("empty e2", true),
        ("Ke4", false),
        ("P-e4", true),
        ("p-e3", false),
        ("Pe2-e4", true),
        ("Pd2-e4", false),
        ("-e4", true),
        ("P-e4 Pe2 pe7", true),
        ("P-e4 Pe4", false),
        ("K-g1", true),
        ("Ke1-g1 R?1", true),
        ("x", true),
        ("Qx", false),
        ("q??", true),
        ("either: Pe4 !pe7", true),
        ("pawns isolani", false),
        ("material KQRRBBNNPPPPPPPPkqrrbbnnpppppppp", true),
    ] {
        let found = value(&format!("matches(moves, '{pattern}')"));
        assert_eq!(found, expected, "{pattern}");
    }
}

#[test]
fn bad_input_is_an_error_in_one_sentence() {
    for (query, expected) in [
        ("key('e4')", "'e4' is not a position: "),
        (
            "eval('8/8/8/8/8/8/8/8 w - - 0 1', 10)",
            "is not a position: ",
        ),
        (
            "eval('4k3/8/8/8/8/8/8/4K3 w - - 0 1', 0)",
            "eval needs at least 1 node, not 0",
        ),
        (
            "eval('4k3/8/8/8/8/8/8/4K3 w - - 0 1', -5)",
            "eval needs at least 1 node",
        ),
        (
            "accuracy([1, 2], 'green')",
            "needs 'white' or 'black', not 'green'",
        ),
        ("key()", "write key(fen)"),
        ("key(1)", "write key(fen)"),
        ("fen_after('e4', 1)", "write fen_after(moves, ply [, fen])"),
        ("key('a', 'b')", "write key(fen)"),
        (
            "matches(moves, 'Xd5') from games",
            "the next move is written as in N-e5 or rxNc3",
        ),
        ("matches(moves, '') from games", "has no pieces"),
        (
            "matches(moves, 'Nd9') from games",
            "\"Nd9\" is not part of a pattern",
        ),
        (
            "matches(moves, 'é') from games",
            "\"é\" is not part of a pattern",
        ),
        ("matches(moves, 'N-e5 n-e4') from games", "has two moves"),
        (
            "matches(moves, 'either: N-e5 Kg1') from games",
            "instead of either:",
        ),
        (
            "has_position(moves, 'x') from games",
            "'x' is not a position: ",
        ),
        (
            "fen_after(moves, 3, 'x') from games",
            "'x' is not a position: ",
        ),
        (
            "san(moves, 20, null) from games where Variant = 'Chess960'",
            "give its FEN as the last argument",
        ),
        ("opening(x'010203')", "these are not moves"),
        ("opening(x'ffff')", "is not legal"),
        ("player", "No field named player"),
        ("1 from player_games(5)", "write player_games('NAME')"),
        (
            "1 from player_games('a', 'b')",
            "write player_games('NAME')",
        ),
        ("White from games where", "this is not SQL: "),
        ("white from games", "No field named white"),
        ("* from nowhere", "table"),
        ("'unclosed", "this is not SQL: "),
        (
            "* from games pivot (count(*) for Result in ('1-0'))",
            "the engine cannot do this: Unsupported ast node Pivot",
        ),
    ] {
        let query = format!("select {query}");
        let output = sql(&[league(), &query]).output().unwrap();
        assert!(!output.status.success(), "{query}");
        let error = failure(&output);
        assert!(error.contains(expected), "{query}: {error}");
    }
}

#[test]
fn games_of_a_player_are_seen_from_the_player() {
    let by_hand =
        "select count(*), sum(case Result when '1-0' then 1.0 when '1/2-1/2' then 0.5 else 0 end)
                   from games where White = 'Boris'";
    let by_function =
        "select count(*), sum(score) from player_games('BORIS') where color = 'white'";
    let values = |query| ask(query, &["--csv"]).lines().nth(1).unwrap().to_owned();
    assert_eq!(values(by_hand), values(by_function));
    assert_eq!(
        values(
            "select count(*) from player_games('boris') where player <> 'Boris' or opponent = 'Boris'"
        ),
        "0"
    );
    assert_eq!(values("select count(*) from player_games('nobody')"), "0");
    // Both players have it: each game once.
    assert_eq!(
        values("select count(*) from player_games('i')"),
        values("select count(*) from games where White like '%i%' or Black like '%i%'")
    );
}
