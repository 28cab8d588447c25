//! PGN: lists of games, and games as trees.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use serde::Serialize;
use tabiya_board::{Board, Move, Square};
use tabiya_notation::pgn::{
    self, Game, GameError, Node, NodeId, Reader, Visitor, decode, decode_tag, replay,
};
use tabiya_notation::{GameResult, PieceLetters, Score, uci, write_san};

use super::json::Json;
use crate::line;
use crate::problem::{Problem, sentence};

/// How many plies a list shows of each game.
const SHOWN_PLIES: usize = 10;
/// How far into a game its opening is looked for, in plies.
const OPENING_PLIES: usize = 40;

#[derive(Serialize)]
pub(super) struct Games {
    games: Vec<GameSummary>,
}

#[derive(Serialize)]
struct GameSummary {
    offset: usize,
    length: usize,
    tags: BTreeMap<String, String>,
    result: Option<&'static str>,
    plies: usize,
    opening_moves: String,
    opening: Option<OpeningName>,
    error: Option<PgnError>,
}

#[derive(Serialize)]
struct OpeningName {
    eco: &'static str,
    name: &'static str,
}

#[derive(Serialize)]
struct PgnError {
    line: usize,
    column: usize,
    message: String,
}

impl PgnError {
    fn of(reader: &Reader<'_>, error: &GameError) -> Self {
        let (line, column) = reader.line_and_column(error.offset);
        Self {
            line,
            column,
            message: sentence(&error.kind.to_string()),
        }
    }
}

/// Collects what a list shows of a game.
struct Summary {
    tags: BTreeMap<String, String>,
    board: Board,
    plies: usize,
    moves: String,
    opening: Option<OpeningName>,
}

impl<'a> Visitor<'a> for Summary {
    type Board = Board;
    const VARIATIONS: bool = false;

    fn tag(&mut self, name: &'a [u8], value: &'a [u8]) {
        let value = decode_tag(value).into_owned();
        self.tags.entry(decode(name).into_owned()).or_insert(value);
    }

    fn set_up(&mut self, start: &Board) {
        self.board = *start;
    }

    fn play(&mut self, mv: Move, after: &Board, _depth: usize) {
        if self.plies < SHOWN_PLIES {
            if !self.moves.is_empty() {
                self.moves.push(' ');
            }
            let before = &self.board;
            if before.turn().is_white() {
                self.moves.push_str(&before.fullmove_number().to_string());
                self.moves.push_str(". ");
            } else if self.plies == 0 {
                self.moves.push_str(&before.fullmove_number().to_string());
                self.moves.push_str("... ");
            }
            self.moves.push_str(&write_san(before, mv));
        }
        self.pass(after);
    }

    fn null_move(&mut self, after: &Board, _depth: usize) {
        self.pass(after);
    }
}

impl Summary {
    fn pass(&mut self, after: &Board) {
        self.plies += 1;
        self.board = *after;
        if self.plies <= OPENING_PLIES
            && let Some(found) = tabiya_notation::opening(after)
        {
            self.opening = Some(OpeningName {
                eco: found.eco,
                name: found.name,
            });
        }
    }
}

/// Lists the games of a PGN text.
pub(super) fn list(text: &[u8]) -> Games {
    let mut reader = Reader::new(text);
    let mut games = Vec::new();
    loop {
        let offset = reader.offset();
        let mut summary = Summary {
            tags: BTreeMap::new(),
            board: Board::start(),
            plies: 0,
            moves: String::new(),
            opening: None,
        };
        let Some(replayed) = replay(&mut reader, &PieceLetters::ENGLISH, &mut summary) else {
            return Games { games };
        };
        games.push(GameSummary {
            offset,
            length: reader.offset() - offset,
            result: replayed.result.map(GameResult::as_str),
            plies: summary.plies,
            opening_moves: summary.moves,
            opening: summary.opening,
            error: replayed
                .error
                .as_ref()
                .map(|error| PgnError::of(&reader, error)),
            tags: summary.tags,
        });
    }
}

#[derive(Serialize)]
pub(super) struct ReadGame {
    game: Option<GameTree>,
}

#[derive(Serialize)]
struct GameTree {
    tags: Vec<(String, String)>,
    result: Option<&'static str>,
    start: String,
    nodes: Vec<TreeNode>,
    error: Option<PgnError>,
}

#[derive(Serialize)]
struct TreeNode {
    id: usize,
    parent: Option<usize>,
    children: Vec<usize>,
    uci: Option<String>,
    san: Option<String>,
    number: Option<String>,
    fen: String,
    nags: Vec<u8>,
    comments_before: Vec<String>,
    comments: Vec<String>,
    text: String,
    /// In milliseconds, as `elapsed`.
    clock: Option<u64>,
    elapsed: Option<u64>,
    eval: Option<EvalAnswer>,
    shapes: Vec<Shape>,
}

#[derive(Serialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
pub(super) enum EvalAnswer {
    Cp(i32),
    Mate(i32),
}

#[derive(Serialize)]
struct Shape {
    color: &'static str,
    from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
}

/// Reads the first game as a tree.
pub(super) fn read(text: &[u8]) -> ReadGame {
    let mut reader = Reader::new(text);
    let game = Game::read_partial(&mut reader).map(|(game, error)| {
        let mut nodes = vec![TreeNode::of(game.node(Game::ROOT), &[])];
        nodes[0].fen = game.start().to_string();
        let mut numbers: HashMap<NodeId, usize> = HashMap::from([(Game::ROOT, 0)]);
        for ply in game.plies() {
            let id = nodes.len();
            let parent = game
                .parent(ply.node)
                .and_then(|of| numbers.get(&of))
                .copied();
            let mut node = TreeNode::of(game.node(ply.node), &game.node(ply.node).comments_before);
            node.id = id;
            node.parent = parent;
            node.fen = ply.board.to_string();
            let dots = if ply.before.turn().is_white() {
                "."
            } else {
                "..."
            };
            node.number = Some(format!("{}{dots}", ply.before.fullmove_number()));
            node.uci = Some(ply.mv.map_or_else(
                || "0000".to_owned(),
                |mv| uci::write(&ply.before, mv).to_string(),
            ));
            node.san = Some(ply.mv.map_or_else(
                || "--".to_owned(),
                |mv| write_san(&ply.before, mv).to_string(),
            ));
            numbers.insert(ply.node, id);
            nodes.push(node);
        }
        // Children in the order of the game: the main line first, although variations are visited after its next move.
        for (&of, &id) in &numbers {
            let children = game.children(of).filter_map(|child| numbers.get(&child));
            nodes[id].children = children.copied().collect();
        }
        GameTree {
            tags: game.tags.clone(),
            result: game.result.map(GameResult::as_str),
            start: game.start().to_string(),
            nodes,
            error: error.map(|error| PgnError::of(&reader, &error)),
        }
    });
    ReadGame { game }
}

impl TreeNode {
    fn of(node: &Node, before: &[String]) -> Self {
        let comments = node.comments.clone();
        let first = |read: fn(&str) -> Option<Duration>| {
            let time = comments.iter().find_map(|text| read(text))?;
            u64::try_from(time.as_millis()).ok()
        };
        let clock = first(pgn::clock);
        let elapsed = first(pgn::elapsed);
        let eval = comments.iter().find_map(|text| {
            Some(match pgn::eval(text)? {
                Score::Cp(points) => EvalAnswer::Cp(points),
                Score::Mate(moves) => EvalAnswer::Mate(moves),
            })
        });
        let text: Vec<String> = comments
            .iter()
            .map(|text| without_commands(text))
            .filter(|text| !text.is_empty())
            .collect();
        let shapes = comments.iter().flat_map(|text| shapes(text)).collect();
        Self {
            id: 0,
            parent: None,
            children: Vec::new(),
            uci: None,
            san: None,
            number: None,
            fen: String::new(),
            nags: node.nags.clone(),
            comments_before: before.to_vec(),
            text: text.join(" "),
            clock,
            elapsed,
            eval,
            shapes,
            comments,
        }
    }
}

/// A comment without its commands, such as `[%clk 0:01:00]`.
fn without_commands(comment: &str) -> String {
    let mut text = String::new();
    let mut rest = comment;
    while let Some(start) = rest.find("[%") {
        let Some(length) = rest[start..].find(']') else {
            break;
        };
        text.push_str(&rest[..start]);
        rest = &rest[start + length + 1..];
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The arrows and circles of a comment: `[%cal Ge2e4] [%csl Rd5]`.
fn shapes(comment: &str) -> Vec<Shape> {
    let commands = pgn::commands(comment).filter(|command| matches!(command.name, "cal" | "csl"));
    commands
        .flat_map(|command| command.value.split(','))
        .filter_map(|shape| {
            let shape = shape.trim();
            let color = match shape.get(..1)? {
                "G" => "green",
                "R" => "red",
                "Y" => "yellow",
                "B" => "blue",
                _ => return None,
            };
            let square = |text: Option<&str>| Some(text?.parse::<Square>().ok()?.to_string());
            Some(Shape {
                color,
                from: square(shape.get(1..3))?,
                to: square(shape.get(3..5)),
            })
        })
        .collect()
}

/// A game as the page holds it.
pub(super) struct GameInput {
    tags: Vec<(String, String)>,
    result: Option<String>,
    start: Option<String>,
    nodes: Vec<NodeInput>,
}

struct NodeInput {
    id: usize,
    children: Vec<usize>,
    uci: Option<String>,
    nags: Vec<u8>,
    comments: Vec<String>,
    comments_before: Vec<String>,
}

impl GameInput {
    pub(super) fn read(game: &Json) -> Result<Self, Problem> {
        let tags = game.list("tags")?.iter().map(|tag| match tag {
            Json::List(pair) => match &pair[..] {
                [Json::Text(name), Json::Text(value)] => Ok((name.clone(), value.clone())),
                _ => Err(Problem::new("a tag is a name and a value")),
            },
            _ => Err(Problem::new("a tag is a name and a value")),
        });
        let nodes = game.list("nodes")?.iter().map(|node| {
            Ok(NodeInput {
                id: node.whole("id")?.unwrap_or(0),
                children: node.wholes("children")?,
                uci: node.text("uci")?.map(str::to_owned),
                nags: node.wholes("nags")?,
                comments: node.texts("comments")?,
                comments_before: node.texts("comments_before")?,
            })
        });
        Ok(Self {
            tags: tags.collect::<Result<_, _>>()?,
            result: game.text("result")?.map(str::to_owned),
            start: game.text("start")?.map(str::to_owned),
            nodes: nodes.collect::<Result<_, Problem>>()?,
        })
    }
}

#[derive(Serialize)]
pub(super) struct Written {
    pgn: String,
}

/// Writes a tree as PGN.
pub(super) fn write(input: &GameInput) -> Result<Written, Problem> {
    let start: Board = match input.start.as_deref() {
        Some(fen) => fen.parse()?,
        None => Board::start(),
    };
    let mut game = Game::new(start);
    let of_start = std::mem::take(&mut game.tags);
    let is_of_start =
        |name: &str| matches!(name, "FEN" | "SetUp") || of_start.iter().any(|(tag, _)| tag == name);
    game.tags = input
        .tags
        .iter()
        .filter(|(name, _)| !is_of_start(name))
        .filter(|(name, _)| is_tag_name(name))
        .cloned()
        .collect();
    game.tags.extend(of_start);
    game.result = input.result.as_deref().and_then(|text| text.parse().ok());

    let by_id: HashMap<usize, &NodeInput> =
        input.nodes.iter().map(|node| (node.id, node)).collect();
    // Each node once, so that a tree with a cycle ends.
    let mut seen = std::collections::HashSet::from([0]);
    let mut open = vec![(0, Game::ROOT, start)];
    while let Some((id, at, board)) = open.pop() {
        let Some(input) = by_id.get(&id) else {
            continue;
        };
        let node = game.node_mut(at);
        node.nags.clone_from(&input.nags);
        node.comments = input.comments.iter().map(|text| comment(text)).collect();
        node.comments_before = input
            .comments_before
            .iter()
            .map(|text| comment(text))
            .collect();
        for child in &input.children {
            let Some(next) = by_id.get(child).filter(|_| seen.insert(*child)) else {
                continue;
            };
            let text = next.uci.as_deref().unwrap_or("0000");
            let (mv, after) = if text == "0000" {
                let passed = board.null_move();
                (
                    None,
                    passed.ok_or_else(|| Problem::new("a null move is not allowed in check"))?,
                )
            } else {
                let mv = line::read(&board, text)?;
                (Some(mv), board.after_unchecked(mv))
            };
            open.push((*child, game.add_unchecked(at, mv), after));
        }
    }
    Ok(Written {
        pgn: game.to_string(),
    })
}

/// PGN cannot write a closing brace in a comment.
fn comment(text: &str) -> String {
    let text = text.replace('}', ")").replace('{', "(");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_tag_name(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
