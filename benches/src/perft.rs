//! Move generation: counts the nodes of known positions.

pub mod cases;
pub mod rivals;
pub mod stockfish;

use std::error::Error;
use std::marker::PhantomData;
use std::time::Duration;

use crate::arguments::Length;
use crate::clock::BenchClock;
use crate::race::{self, Contestant, Lap, Standing};
use crate::table::{self, TableLayout, Unit};

use self::cases::{CASES, Case, Mode, Search};
use self::rivals::Library;

/// A program or library that searches the positions against the clock.
pub trait Rival {
    /// The name in the table.
    fn name(&self) -> &str;

    /// The version in the table, with other remarks.
    fn version(&self) -> &str;

    /// The size of a position in bytes, if known.
    fn position_size(&self) -> Option<usize>;

    /// Whether it takes part in this mode.
    fn takes_part(&self, mode: Mode) -> bool;

    /// Searches a position once.
    ///
    /// # Errors
    ///
    /// If the rival rejects the position or fails.
    fn run(&mut self, case: &Case, mode: Mode, depth: usize) -> Result<Lap<u64>, Box<dyn Error>>;
}

/// A library compiled into this program.
pub struct Linked<L>(PhantomData<L>);

impl<L: Library> Linked<L> {
    /// The library as a rival. The virtual call happens once per search, so its cost does not matter.
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

    fn run(&mut self, case: &Case, mode: Mode, depth: usize) -> Result<Lap<u64>, Box<dyn Error>> {
        L::prepare();
        let position = L::parse(case.fen)?;
        let clock = BenchClock::of_this_thread();
        let (counts, time) = clock.time(|| match mode {
            Mode::Bulk => L::bulk(&position, depth),
            Mode::Make => L::make(&position, depth),
        })?;
        Ok(Lap { counts, time })
    }
}

/// Runs the race in one mode, reports each round to `progress`, and returns the table.
///
/// # Errors
///
/// If a rival fails or counts wrongly.
pub fn run(
    mode: Mode,
    rivals: &mut [Box<dyn Rival>],
    length: Length,
    progress: impl FnMut(usize),
) -> Result<String, Box<dyn Error>> {
    let sizes = rivals
        .iter()
        .filter(|rival| rival.takes_part(mode))
        .map(|rival| match rival.position_size() {
            Some(size) => format!("{size} B"),
            None => "?".to_owned(),
        })
        .collect();
    let layout = TableLayout {
        units: &[Unit {
            name: "Mnodes/s",
            decimals: 1,
            amount: &|nodes| *nodes as f64 / 1e6,
        }],
        baselines: &["eschac", "cozy-chess"],
        last: Some(("position", sizes)),
    };
    let standings = standings(mode, rivals, length, progress)?;
    Ok(table::render(&standings, &layout))
}

/// Runs the race among these rivals.
fn standings(
    mode: Mode,
    rivals: &mut [Box<dyn Rival>],
    length: Length,
    progress: impl FnMut(usize),
) -> Result<Vec<Standing<u64>>, Box<dyn Error>> {
    let contestants = rivals
        .iter_mut()
        .filter(|rival| rival.takes_part(mode))
        .map(|rival| Contestant {
            name: rival.name().to_owned(),
            version: rival.version().to_owned(),
            run: Box::new(move || run_round(rival.as_mut(), mode, length.quick)),
        })
        .collect();
    race::run(contestants, length.rounds, progress)
}

/// Runs a rival on every position, and returns the total nodes and time.
fn run_round(rival: &mut dyn Rival, mode: Mode, quick: bool) -> Result<Lap<u64>, Box<dyn Error>> {
    let mut total = Lap {
        counts: 0,
        time: Duration::ZERO,
    };
    for case in &CASES {
        let Search { depth, times } = case.search(mode, quick);
        for _ in 0..times {
            let Lap { counts, time } = rival.run(case, mode, depth)?;
            let known = case.nodes(depth);
            if counts != known {
                let (rival, case) = (rival.name(), case.name);
                return Err(format!(
                    "{rival} counts {counts} nodes to depth {depth} of {case}, not {known}"
                )
                .into());
            }
            total.counts += counts;
            total.time += time;
        }
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes no time, and counts correctly for a number of searches.
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

        fn run(
            &mut self,
            case: &Case,
            _mode: Mode,
            depth: usize,
        ) -> Result<Lap<u64>, Box<dyn Error>> {
            let counts = if self.0 > 0 { case.nodes(depth) } else { 0 };
            self.0 = self.0.saturating_sub(1);
            Ok(Lap {
                counts,
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
        let standings =
            standings(Mode::Bulk, &mut rivals, LENGTH, |round| rounds.push(round)).unwrap();
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
    fn rivals_that_do_not_take_part_are_not_run() {
        let mut rivals: Vec<Box<dyn Rival>> = vec![Box::new(Forgetful(0))];
        assert!(
            standings(Mode::Make, &mut rivals, LENGTH, |_| {})
                .unwrap()
                .is_empty()
        );
    }
}
