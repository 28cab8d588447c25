//! The race: all rivals in one run, taking turns.

use std::error::Error;
use std::marker::PhantomData;
use std::time::Duration;

use crate::cases::{CASES, Case, Mode, Search};
use crate::clock::Clock;
use crate::rivals::Library;

/// What a search found, and the time it took.
#[derive(Clone, Copy, Debug)]
pub struct Lap {
    /// The number of nodes.
    pub nodes: u64,
    /// The time on the clock of the rival.
    pub time: Duration,
}

/// One that searches the cases against the clock.
pub trait Rival {
    /// The name that goes into the table.
    fn name(&self) -> &str;

    /// The version that goes into the table, with what else is to be known.
    fn version(&self) -> &str;

    /// The size of a position in bytes, where it can be known.
    fn position_size(&self) -> Option<usize>;

    /// Whether it takes part in this mode.
    fn takes_part(&self, mode: Mode) -> bool;

    /// Searches a position once.
    ///
    /// # Errors
    ///
    /// When the rival does not accept the position, or is itself out of order.
    fn run(&mut self, case: &Case, mode: Mode, depth: usize) -> Result<Lap, Box<dyn Error>>;
}

/// A library that is compiled into this program.
pub struct Linked<L>(PhantomData<L>);

impl<L: Library> Linked<L> {
    /// The library as a rival.
    ///
    /// The call through the box is made once a search: it costs nothing that could be measured.
    pub fn boxed() -> Box<dyn Rival>
    where
        L: 'static,
    {
        Box::new(Self(PhantomData))
    }
}

impl<L: Library> Rival for Linked<L> {
    fn name(&self) -> &str {
        L::NAME
    }

    fn version(&self) -> &str {
        L::VERSION
    }

    fn position_size(&self) -> Option<usize> {
        Some(size_of::<L::Position>())
    }

    fn takes_part(&self, _mode: Mode) -> bool {
        true
    }

    fn run(&mut self, case: &Case, mode: Mode, depth: usize) -> Result<Lap, Box<dyn Error>> {
        L::prepare();
        let position = L::parse(case.fen)?;
        let clock = Clock::of_this_thread();
        let start = clock.now()?;
        let nodes = match mode {
            Mode::Bulk => L::bulk(&position, depth),
            Mode::Make => L::make(&position, depth),
        };
        let time = clock.now()?.saturating_sub(start);
        Ok(Lap { nodes, time })
    }
}

/// How long the race is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// The number of rounds.
    pub rounds: usize,
    /// Whether the depths are those of a smoke test.
    pub quick: bool,
}

/// How a rival came out of a race.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The name of the rival.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The size of its positions in bytes.
    pub position_size: Option<usize>,
    /// The nodes of one round.
    pub nodes: u64,
    /// The time of its fastest round.
    pub best: Duration,
    /// The time of its slowest round.
    pub worst: Duration,
}

impl Standing {
    /// Nodes a second in the fastest round.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.best.as_secs_f64()
    }
}

/// Runs the race in one mode, and tells `progress` the number of each round that begins.
///
/// In a round every rival searches all positions before the next one does. So a change in the speed
/// of the machine while the race lasts meets all of them, and the fastest round of each can be
/// compared.
///
/// # Errors
///
/// When a rival fails, or counts wrongly.
pub fn run(
    mode: Mode,
    rivals: &mut [Box<dyn Rival>],
    length: Length,
    mut progress: impl FnMut(usize),
) -> Result<Vec<Standing>, Box<dyn Error>> {
    let mut rivals: Vec<_> = rivals
        .iter_mut()
        .filter(|rival| rival.takes_part(mode))
        .collect();
    let mut times = vec![Vec::with_capacity(length.rounds); rivals.len()];
    for round in 1..=length.rounds {
        progress(round);
        for (rival, times) in rivals.iter_mut().zip(&mut times) {
            times.push(run_round(rival.as_mut(), mode, length.quick)?);
        }
    }

    let standings = rivals.iter().zip(times).filter_map(|(rival, times)| {
        Some(Standing {
            name: rival.name().to_owned(),
            version: rival.version().to_owned(),
            position_size: rival.position_size(),
            nodes: nodes_of_round(mode, length.quick),
            best: *times.iter().min()?,
            worst: *times.iter().max()?,
        })
    });
    Ok(standings.collect())
}

/// Has a rival search every position, and returns the time it took for them all.
fn run_round(rival: &mut dyn Rival, mode: Mode, quick: bool) -> Result<Duration, Box<dyn Error>> {
    let mut total = Duration::ZERO;
    for case in &CASES {
        let Search { depth, times } = case.search(mode, quick);
        for _ in 0..times {
            let Lap { nodes, time } = rival.run(case, mode, depth)?;
            let known = case.nodes(depth);
            if nodes != known {
                let (rival, case) = (rival.name(), case.name);
                return Err(format!(
                    "{rival} counts {nodes} nodes to depth {depth} of {case}, not {known}"
                )
                .into());
            }
            total += time;
        }
    }
    Ok(total)
}

/// The number of nodes in a round.
fn nodes_of_round(mode: Mode, quick: bool) -> u64 {
    let nodes = |case: &Case| {
        let Search { depth, times } = case.search(mode, quick);
        case.nodes(depth) * u64::from(times)
    };
    CASES.iter().map(nodes).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Needs no time, and counts rightly up to a number of searches.
    struct Forgetful(usize);

    impl Rival for Forgetful {
        fn name(&self) -> &'static str {
            "forgetful"
        }

        fn version(&self) -> &'static str {
            "1.0"
        }

        fn position_size(&self) -> Option<usize> {
            None
        }

        fn takes_part(&self, mode: Mode) -> bool {
            mode == Mode::Bulk
        }

        fn run(&mut self, case: &Case, _mode: Mode, depth: usize) -> Result<Lap, Box<dyn Error>> {
            let nodes = if self.0 > 0 { case.nodes(depth) } else { 0 };
            self.0 = self.0.saturating_sub(1);
            Ok(Lap {
                nodes,
                time: Duration::from_millis(self.0 as u64),
            })
        }
    }

    const LENGTH: Length = Length {
        rounds: 2,
        quick: true,
    };

    #[test]
    fn every_round_counts_every_position() {
        let searches = LENGTH.rounds * CASES.len();
        let mut rivals: Vec<Box<dyn Rival>> = vec![Box::new(Forgetful(searches))];
        let mut rounds = Vec::new();
        let standings = run(Mode::Bulk, &mut rivals, LENGTH, |round| rounds.push(round)).unwrap();
        assert_eq!(rounds, [1, 2]);
        assert_eq!(standings[0].best, Duration::from_millis(5 + 4 + 3 + 2 + 1));
        assert_eq!(
            standings[0].worst,
            Duration::from_millis(11 + 10 + 9 + 8 + 7 + 6)
        );

        let mut rivals: Vec<Box<dyn Rival>> = vec![Box::new(Forgetful(searches - 1))];
        let error = run(Mode::Bulk, &mut rivals, LENGTH, |_| {}).unwrap_err();
        assert_eq!(
            error.to_string(),
            "forgetful counts 0 nodes to depth 3 of position 6, not 89890"
        );
    }

    #[test]
    fn who_does_not_take_part_is_not_asked() {
        let mut rivals: Vec<Box<dyn Rival>> = vec![Box::new(Forgetful(0))];
        assert!(
            run(Mode::Make, &mut rivals, LENGTH, |_| {})
                .unwrap()
                .is_empty()
        );
    }
}
