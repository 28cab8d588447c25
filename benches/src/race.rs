//! The race: all contestants run in one program and take turns.

use std::env;
use std::error::Error;
use std::fmt::Display;
use std::time::Duration;

use crate::arguments::Length;
use crate::clock::BenchClock;

/// What a contestant counted in one round, and how long it took.
#[derive(Clone, Copy, Debug)]
pub struct Lap<C> {
    /// The counts, which must be the same for all contestants.
    pub counts: C,
    /// The time by the contestant's clock.
    pub time: Duration,
}

/// Runs one round.
pub type Run<'a, C> = Box<dyn FnMut() -> Result<Lap<C>, Box<dyn Error>> + 'a>;

/// A library or program that takes part in a race.
///
/// `run` is called once per round, so calling through a box costs nothing measurable.
pub struct Contestant<'a, C> {
    /// Its name in the table.
    pub name: String,
    /// Its version in the table, with build options that matter.
    pub version: String,
    /// Runs one round. Fails if the contestant rejects the task or crashes.
    pub run: Run<'a, C>,
}

/// The result of a contestant.
#[derive(Clone, Debug)]
pub struct Standing<C> {
    /// The name of the contestant.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The counts of one round.
    pub counts: C,
    /// The time of its fastest round.
    pub best: Duration,
    /// The time of its slowest round.
    pub worst: Duration,
}

/// Runs the race and calls `progress` with the number of each round as it starts.
///
/// In each round every contestant does all the work in turn, so a change in the speed of the machine
/// affects all of them, and their fastest rounds can be compared.
///
/// # Errors
///
/// If a contestant fails, or its counts differ from those of the first contestant.
pub fn run<C: Clone + PartialEq + Display>(
    mut contestants: Vec<Contestant<'_, C>>,
    rounds: usize,
    mut progress: impl FnMut(usize),
) -> Result<Vec<Standing<C>>, Box<dyn Error>> {
    let mut standings: Vec<Standing<C>> = Vec::with_capacity(contestants.len());
    for round in 1..=rounds {
        progress(round);
        for (place, contestant) in contestants.iter_mut().enumerate() {
            let Lap { counts, time } = (contestant.run)()?;
            if let Some(first) = standings.first()
                && counts != first.counts
            {
                return Err(format!(
                    "{} {} counted {counts}, but {} {} counted {}",
                    contestant.name, contestant.version, first.name, first.version, first.counts
                )
                .into());
            }
            if let Some(standing) = standings.get_mut(place) {
                standing.best = standing.best.min(time);
                standing.worst = standing.worst.max(time);
            } else {
                standings.push(Standing {
                    name: contestant.name.clone(),
                    version: contestant.version.clone(),
                    counts,
                    best: time,
                    worst: time,
                });
            }
        }
    }
    Ok(standings)
}

/// Describes the conditions of a race in one line. `quick` says how a quick race differs.
pub fn conditions(length: Length, quick: &str) -> String {
    format!(
        "Built for {} {}; {} of the thread; rounds: {}{}.",
        env::consts::ARCH,
        instructions(),
        BenchClock::of_this_thread().kind(),
        length.rounds,
        if length.quick { quick } else { "" },
    )
}

/// Names the instruction sets that matter to chess and that this build may use.
fn instructions() -> String {
    let features = [
        ("POPCNT", cfg!(target_feature = "popcnt")),
        ("BMI1", cfg!(target_feature = "bmi1")),
        ("BMI2", cfg!(target_feature = "bmi2")),
        ("AVX2", cfg!(target_feature = "avx2")),
        ("AVX-512", cfg!(target_feature = "avx512f")),
    ];
    let names: Vec<_> = features
        .iter()
        .filter(|(_, used)| *used)
        .map(|(name, _)| *name)
        .collect();
    if names.is_empty() {
        "without extensions".to_owned()
    } else {
        format!("with {}", names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A contestant with prepared counts and times in milliseconds.
    fn contestant<'a>(name: &str, laps: &'a [(u64, u64)]) -> Contestant<'a, u64> {
        let mut laps = laps.iter().copied();
        Contestant {
            name: name.to_owned(),
            version: "1.0".to_owned(),
            run: Box::new(move || {
                let (counts, time) = laps.next().ok_or("too many rounds")?;
                Ok(Lap {
                    counts,
                    time: Duration::from_millis(time),
                })
            }),
        }
    }

    #[test]
    fn best_and_worst() {
        let contestants = vec![
            contestant("steady", &[(7, 3), (7, 3), (7, 3)]),
            contestant("moody", &[(7, 4), (7, 1), (7, 9)]),
        ];
        let mut rounds = Vec::new();
        let standings = run(contestants, 3, |round| rounds.push(round)).unwrap();
        assert_eq!(rounds, [1, 2, 3]);
        let times = standings
            .iter()
            .map(|standing| (standing.best.as_millis(), standing.worst.as_millis()));
        assert_eq!(times.collect::<Vec<_>>(), [(3, 3), (1, 9)]);
    }

    #[test]
    fn wrong_count_ends_the_race() {
        for wrong in [[(8, 1), (7, 1)], [(7, 1), (8, 1)]] {
            let contestants = vec![
                contestant("right", &[(7, 1), (7, 1)]),
                contestant("wrong", &wrong),
            ];
            assert_eq!(
                run(contestants, 2, |_| {}).unwrap_err().to_string(),
                "wrong 1.0 counted 8, but right 1.0 counted 7"
            );
        }
        let changing = vec![contestant("changing", &[(7, 1), (8, 1)])];
        assert!(run(changing, 2, |_| {}).is_err());
    }

    #[test]
    fn failure_ends_the_race() {
        let error = run(vec![contestant("tired", &[(7, 1)])], 2, |_| {}).unwrap_err();
        assert_eq!(error.to_string(), "too many rounds");
    }
}
