//! Random games survive a round trip through every format, and a replay finds every error in them.

use proptest::collection::vec;
use proptest::prelude::*;
use tabiya_board::{Color, DrawClaim, GameHistory, Outcome};
use tabiya_selfplay::blocks::{Block, read_header, write_header};
use tabiya_selfplay::{
    GameCheckError, MAX_PLIES, NetworkId, PackedMove, ScoreAdjudication, SelfplayFileError,
    SelfplayGame, SelfplaySettings, Termination, TrainingRecord, Wdl, check_block, replay, sample,
};

/// Returns how a game ended by the rules, according to the board rather than this crate.
fn end_by_rules(history: &GameHistory) -> Option<(Termination, Wdl)> {
    if history.board().is_insufficient_material() {
        return Some((Termination::InsufficientMaterial, Wdl::Draw));
    }
    match (history.outcome(), history.claim()) {
        (Some(Outcome::Checkmate { winner }), _) => Some((
            Termination::Checkmate,
            if winner == Color::White {
                Wdl::Win
            } else {
                Wdl::Loss
            },
        )),
        (Some(Outcome::Stalemate), _) => Some((Termination::Stalemate, Wdl::Draw)),
        (_, Some(DrawClaim::ThreefoldRepetition)) => {
            Some((Termination::ThreefoldRepetition, Wdl::Draw))
        }
        (_, Some(DrawClaim::FiftyMoves)) => Some((Termination::FiftyMoves, Wdl::Draw)),
        (None, None) => None,
        (outcome, None) => panic!("{outcome:?} without a claim"),
    }
}

/// Plays random moves until the game ends. The first `opening` moves have no score.
fn random_game(choices: &[u16], opening: usize) -> (SelfplayGame, GameHistory) {
    let mut history = GameHistory::default();
    let mut game = SelfplayGame {
        opening: Vec::new(),
        searched: Vec::new(),
        result: Wdl::Draw,
        termination: Termination::MaxPlies,
    };
    for ply in 0..MAX_PLIES {
        let legal = history.board().legal_moves();
        let choice = choices[ply % choices.len()].wrapping_add((ply / choices.len()) as u16);
        let mv = legal[usize::from(choice) % legal.len()];
        if ply < opening {
            game.opening.push(PackedMove::new(mv));
        } else {
            game.searched
                .push((PackedMove::new(mv), 300 - (choice % 600) as i16));
        }
        history.play(mv);
        if let Some((termination, result)) = end_by_rules(&history) {
            (game.termination, game.result) = (termination, result);
            break;
        }
    }
    (game, history)
}

/// Returns the block of a game.
fn block(game: &SelfplayGame, history: &GameHistory) -> Block {
    let played = history.played().iter().enumerate().skip(game.opening.len());
    Block {
        number: 7,
        opening: game.opening.clone(),
        result: game.result,
        termination: game.termination,
        records: played
            .zip(&game.searched)
            .map(|((ply, (board, mv)), &(_, score))| {
                TrainingRecord::new(board, *mv, score, ply as u16, game.result)
            })
            .collect(),
    }
}

fn games() -> impl Strategy<Value = (SelfplayGame, GameHistory)> {
    (vec(any::<u16>(), 1..400), 0..9_usize).prop_map(|(choices, opening)| {
        let (game, history) = random_game(&choices, opening);
        // Even the shortest mate has searched moves if the opening is shorter.
        if game.searched.is_empty() {
            random_game(&choices, 0)
        } else {
            (game, history)
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn games_survive_a_round_trip_and_pass_the_check((game, history) in games()) {
        let bytes = sample::write(&[game.clone(), game.clone()]);
        let read = sample::read(&bytes).unwrap();
        prop_assert_eq!(&read, &[game.clone(), game.clone()]);
        prop_assert_eq!(replay(&game, None), Ok(history.clone()));

        let block = block(&game, &history);
        prop_assert_eq!(block.game(), game.clone());
        let bytes = block.to_bytes();
        let (again, length) = Block::from_bytes(&bytes, 0).unwrap();
        prop_assert_eq!(&again, &block);
        prop_assert_eq!(length, bytes.len());
        prop_assert_eq!(check_block(&block, ScoreAdjudication::NEVER), Ok(()));
    }

    #[test]
    fn records_survive_a_round_trip((game, history) in games()) {
        let block = block(&game, &history);
        let boards = history.played()[game.opening.len()..].iter();
        for (record, (board, mv)) in block.records.iter().zip(boards) {
            prop_assert_eq!(&TrainingRecord::from_bytes(&record.to_bytes()), record);
            let decoded = record.check().unwrap();
            prop_assert_eq!(decoded.placement(), board.placement());
            prop_assert_eq!(decoded.castling_rooks(), board.castling_rooks());
            prop_assert_eq!(decoded.turn(), board.turn());
            prop_assert_eq!(decoded.fullmove_number(), board.fullmove_number());
            prop_assert_eq!(record.best_move().on(&decoded), Ok(*mv));
            prop_assert_eq!(record.result(), Ok(game.result));
        }
    }

    #[test]
    fn a_replay_finds_every_error((game, history) in games(), at in any::<prop::sample::Index>()) {
        let exactly = Some(ScoreAdjudication::NEVER);
        // A wrong result, a wrong end, a missing move.
        for result in Wdl::ALL {
            let other = SelfplayGame { result, ..game.clone() };
            prop_assert_eq!(replay(&other, exactly).is_ok(), result == game.result);
        }
        for termination in Termination::ALL {
            let other = SelfplayGame { termination, ..game.clone() };
            prop_assert_eq!(replay(&other, exactly).is_ok(), termination == game.termination);
        }
        let mut short = game.clone();
        short.searched.pop();
        prop_assert!(replay(&short, exactly).is_err());

        // An illegal move.
        let ply = at.index(game.searched.len());
        let board = history.played()[game.opening.len() + ply].0;
        let mut illegal = game.clone();
        illegal.searched[ply].0 = PackedMove(board.king(!board.turn()).index() as u16);
        let error = replay(&illegal, None);
        let found = matches!(error, Err(GameCheckError::IllegalMove { ply: at, .. }) if at == game.opening.len() + ply + 1);
        prop_assert!(found, "{:?}", error);

        // A record with another position, or with wrong data about it.
        let block = block(&game, &history);
        for change in [
            |record: &mut TrainingRecord| record.pieces[0] ^= 8,
            |record: &mut TrainingRecord| record.occupied.0 ^= 1,
            |record: &mut TrainingRecord| record.result ^= 1,
            |record: &mut TrainingRecord| record.flags ^= 2,
            |record: &mut TrainingRecord| record.flags ^= 4,
            |record: &mut TrainingRecord| record.flags ^= 64,
            |record: &mut TrainingRecord| record.ply += 2,
        ] {
            let mut other = block.clone();
            change(&mut other.records[ply]);
            prop_assert!(check_block(&other, ScoreAdjudication::NEVER).is_err());
        }
    }

    #[test]
    fn damage_is_found((game, history) in games(), at in any::<prop::sample::Index>(), bit in 0..8) {
        let sample = sample::write(std::slice::from_ref(&game));
        let blocks = block(&game, &history).to_bytes();
        let (in_sample, in_block) = (at.index(sample.len()), at.index(blocks.len()));
        let flip = |bytes: &[u8], at: usize| {
            let mut bytes = bytes.to_vec();
            bytes[at] ^= 1_u8 << bit;
            bytes
        };
        prop_assert!(sample::read(&flip(&sample, in_sample)).is_err());
        prop_assert!(sample::read(&sample[..in_sample]).is_err());
        prop_assert!(Block::from_bytes(&flip(&blocks, in_block), 0).is_err());
        let short = Block::from_bytes(&blocks[..in_block], 0);
        let truncated = matches!(short, Err(SelfplayFileError::Truncated { .. }));
        prop_assert!(truncated, "{:?}", short);
    }

    #[test]
    fn settings_survive_a_round_trip(seed: u64, nodes: u32, network: u32, numbers: [u16; 7], at in 0..64_usize) {
        let [random_plies, max_opening_score, win_plies, win_score, draw_plies, draw_score, draw_after] = numbers;
        let settings = SelfplaySettings {
            seed,
            nodes,
            network: NetworkId(network),
            random_plies,
            max_opening_score,
            adjudication: ScoreAdjudication { win_plies, win_score, draw_plies, draw_score, draw_after },
        };
        let mut bytes = write_header(&settings);
        prop_assert_eq!(read_header(&mut &bytes[..]).unwrap(), settings);
        bytes[at] ^= 1;
        prop_assert!(read_header(&mut &bytes[..]).is_err());
    }
}

#[test]
fn adjudicated_results_must_agree_with_the_scores() {
    let history = replay_of(
        &["e2e4", "e7e5", "g1f3"],
        700,
        Termination::AdjudicatedWin,
        Wdl::Win,
    );
    assert!(history.is_ok());
    for (score, result) in [(700, Wdl::Loss), (-700, Wdl::Win), (0, Wdl::Win)] {
        let history = replay_of(
            &["e2e4", "e7e5", "g1f3"],
            score,
            Termination::AdjudicatedWin,
            result,
        );
        assert!(
            matches!(history, Err(GameCheckError::NotOver { .. })),
            "{history:?}"
        );
    }
    let history = replay_of(&["e2e4"], 0, Termination::AdjudicatedDraw, Wdl::Draw);
    assert!(history.is_ok());
    // A game that is over by the rules is not adjudicated.
    let mate = ["f2f3", "e7e5", "g2g4", "d8h4"];
    let history = replay_of(&mate, 29_999, Termination::AdjudicatedWin, Wdl::Loss);
    assert!(
        matches!(history, Err(GameCheckError::WrongEnd { .. })),
        "{history:?}"
    );
    let history = replay_of(&mate, 29_999, Termination::Checkmate, Wdl::Loss);
    assert!(history.is_ok());
}

/// Replays a game in which only the last move was searched.
fn replay_of(
    moves: &[&str],
    score: i16,
    termination: Termination,
    result: Wdl,
) -> Result<GameHistory, GameCheckError> {
    let mut history = GameHistory::default();
    for name in moves {
        let legal = history.board().legal_moves();
        history.play(*legal.iter().find(|mv| mv.to_string() == *name).unwrap());
    }
    let mut opening: Vec<PackedMove> = history.moves().map(PackedMove::new).collect();
    let last = opening.pop().unwrap();
    let game = SelfplayGame {
        opening,
        searched: vec![(last, score)],
        result,
        termination,
    };
    replay(&game, None)
}
