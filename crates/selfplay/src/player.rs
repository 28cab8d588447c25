//! Playing one game.

use tabiya_board::{GameHistory, Move};
use tabiya_engine::{Engine, Limits, StopSignal};
use tabiya_notation::Score;

use crate::blocks::{Block, MAX_RANDOM_PLIES};
use crate::game::{SelfplayGame, Termination, Wdl};
use crate::moves::PackedMove;
use crate::referee::{Referee, ScoreAdjudication, end_by_rules};
use crate::replay::records;

/// The score of a mate on the board; each ply to the mate makes it one less.
const MATE: i32 = 30_000;

/// Identifies a network by the checksum of its file; 0 is the built-in one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetworkId(pub u32);

impl NetworkId {
    /// Returns the ID of the network in a file with these bytes.
    pub fn of(file: &[u8]) -> Self {
        Self(crc32fast::hash(file))
    }
}

/// How to play games. The same settings and number give the same game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfplaySettings {
    /// The seed of the random moves.
    pub seed: u64,
    /// Nodes to search for each move.
    pub nodes: u32,
    /// The network to evaluate with.
    pub network: NetworkId,
    /// The number of random moves at the start; half of the games have one more.
    pub random_plies: u16,
    /// Discard openings with a score beyond this, in centipawns; 0 keeps all.
    pub max_opening_score: u16,
    /// When the scores end a game.
    pub adjudication: ScoreAdjudication,
}

impl SelfplaySettings {
    /// The greatest number of random plies: a block has room for one more.
    pub const MAX_RANDOM_PLIES: u16 = MAX_RANDOM_PLIES as u16 - 1;

    /// Describes each setting, to compare two.
    pub(crate) fn named(&self) -> [String; 7] {
        let rule = &self.adjudication;
        let network = match self.network {
            NetworkId(0) => "the built-in network".to_owned(),
            NetworkId(checksum) => format!("the network with checksum {checksum:08x}"),
        };
        [
            format!("{} nodes", self.nodes),
            format!("seed {}", self.seed),
            network,
            format!("{} random plies", self.random_plies),
            format!("openings up to a score of {}", self.max_opening_score),
            format!(
                "wins after {} plies of at least {}",
                rule.win_plies, rule.win_score
            ),
            format!(
                "draws after {} plies within {}, from ply {}",
                rule.draw_plies, rule.draw_score, rule.draw_after
            ),
        ]
    }
}

impl Default for SelfplaySettings {
    fn default() -> Self {
        Self {
            seed: 1,
            nodes: 5000,
            network: NetworkId::default(),
            random_plies: 8,
            max_opening_score: 400,
            adjudication: ScoreAdjudication::default(),
        }
    }
}

/// The random number generator SplitMix64.
struct SplitMix64(u64);

impl SplitMix64 {
    fn new(seed: u64, number: u64) -> Self {
        let mut start = Self(seed);
        Self(start.next() ^ number.wrapping_mul(0xd134_2543_de82_ef95))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

/// Plays a game, and returns how many openings it discarded; `None` if it is stopped.
pub(crate) fn play_game(
    engine: &mut Engine,
    settings: &SelfplaySettings,
    number: u64,
    signal: &StopSignal,
) -> Option<(Block, u64)> {
    let mut chance = SplitMix64::new(settings.seed, number);
    let mut rejected = 0;
    loop {
        let Some(line) = random_opening(&mut chance, settings.random_plies) else {
            continue;
        };
        // Otherwise this game would depend on the ones before.
        engine.new_game();
        let (mv, score) = search_move(engine, &line, settings.nodes, signal)?;
        let worst = settings.max_opening_score;
        if worst > 0 && score.unsigned_abs() > worst {
            rejected += 1;
            continue;
        }
        let block = play_from(engine, settings, number, line, (mv, score), signal)?;
        return Some((block, rejected));
    }
}

/// Plays a game to its end from an opening and a first searched move.
fn play_from(
    engine: &mut Engine,
    settings: &SelfplaySettings,
    number: u64,
    mut line: GameHistory,
    first: (Move, i16),
    signal: &StopSignal,
) -> Option<Block> {
    let mut game = SelfplayGame {
        opening: line.moves().map(PackedMove::new).collect(),
        searched: Vec::new(),
        result: Wdl::Draw,
        termination: Termination::MaxPlies,
    };
    let mut referee = Referee::new(settings.adjudication);
    let mut found = first;
    loop {
        let (mv, score) = found;
        game.searched.push((PackedMove::new(mv), score));
        line.play(mv);
        if let Some((termination, result)) = referee.judge(&line, score) {
            (game.termination, game.result) = (termination, result);
            break;
        }
        found = search_move(engine, &line, settings.nodes, signal)?;
    }
    let records = records(&game, &line);
    Some(Block {
        number,
        opening: game.opening,
        result: game.result,
        termination: game.termination,
        records,
    })
}

/// Plays random moves from the starting position; `None` if they end the game.
fn random_opening(chance: &mut SplitMix64, plies: u16) -> Option<GameHistory> {
    let mut line = GameHistory::default();
    for _ in 0..u64::from(plies) + chance.next() % 2 {
        let legal = line.board().legal_moves();
        if legal.is_empty() {
            return None;
        }
        line.play(legal[(chance.next() % legal.len() as u64) as usize]);
    }
    end_by_rules(&line).is_none().then_some(line)
}

/// Searches for a move, and returns it with its score.
fn search_move(
    engine: &mut Engine,
    line: &GameHistory,
    nodes: u32,
    signal: &StopSignal,
) -> Option<(Move, i16)> {
    let limits = Limits {
        nodes: Some(u64::from(nodes)),
        ..Limits::default()
    };
    let thought = engine.think_until(line, &limits, signal, &mut |_| {})?;
    (!signal.is_stopped()).then(|| (thought.best, packed_score(thought.info.score)))
}

/// Packs a score into sixteen bits.
fn packed_score(score: Score) -> i16 {
    let packed = match score {
        Score::Cp(value) => value.clamp(-20_000, 20_000),
        // Mate in n moves is 2n - 1 plies away.
        Score::Mate(moves @ 1..) => MATE - (2 * moves - 1),
        Score::Mate(moves) => -(MATE + 2 * moves),
    };
    packed as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::check_block;

    #[test]
    fn nearer_mates_have_higher_scores() {
        let scores = [
            Score::Mate(0),
            Score::Mate(-1),
            Score::Mate(-9),
            Score::Cp(-20_000),
            Score::Cp(3),
            Score::Cp(20_000),
            Score::Mate(9),
            Score::Mate(1),
        ]
        .map(packed_score);
        assert!(scores.is_sorted(), "{scores:?}");
        assert_eq!(scores[0], -30_000);
        assert_eq!(scores[1], -29_998);
        assert_eq!(scores[7], 29_999);
    }

    #[test]
    fn the_same_number_gives_the_same_game() {
        let settings = SelfplaySettings {
            nodes: 200,
            ..SelfplaySettings::default()
        };
        let mut engine = Engine::default();
        let mut play = |number| {
            let (block, _) =
                play_game(&mut engine, &settings, number, &StopSignal::default()).unwrap();
            check_block(&block, settings.adjudication).unwrap();
            assert!([8, 9].contains(&block.opening.len()));
            assert!(block.records[0].score.unsigned_abs() <= 400);
            block
        };
        let first = play(1);
        let second = play(2);
        assert_ne!(first.opening, second.opening);
        assert_eq!(play(1), first);
    }

    #[test]
    fn a_game_can_be_stopped() {
        let signal = StopSignal::default();
        signal.stop();
        let game = play_game(
            &mut Engine::default(),
            &SelfplaySettings::default(),
            0,
            &signal,
        );
        assert!(game.is_none());
    }
}
