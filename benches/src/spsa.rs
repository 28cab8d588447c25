//! SPSA: simultaneous perturbation stochastic approximation. Every step changes all parameters at once, up or down by
//! chance, plays the two settings against each other, and moves all parameters a little towards the winner.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use tabiya_engine::tuning::Parameter;

/// How the changes shrink from step to step: the exponents that Spall recommends.
const STEP_EXPONENT: f64 = 0.602;
const PERTURBATION_EXPONENT: f64 = 0.101;
/// The steps of the first tenth of the run are kept from being much larger than the others.
const STABILITY: f64 = 0.1;
/// The perturbation at the end, as a share of the range. In a few thousand games, chance hides what less would change.
const PERTURBATION_SHARE: f64 = 1.0 / 8.0;
/// The learning rate at the end, for one pair of games.
const LEARNING_RATE: f64 = 0.006;

/// A parameter that is being tuned.
#[derive(Clone, Debug, PartialEq)]
struct Tuned {
    /// Its number among all parameters.
    index: usize,
    parameter: Parameter,
    value: f64,
}

/// A tuning run.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    tuned: Vec<Tuned>,
    /// The steps begun so far, and in all.
    step: u64,
    steps: u64,
    random: u64,
}

/// One step: two settings to compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The values of all parameters, for the two players.
    pub values: [Vec<i32>; 2],
    number: u64,
    /// The direction in which the first player's parameters were changed, and by how much.
    perturbations: Vec<f64>,
}

impl Spsa {
    /// Starts a run over some of the parameters.
    pub fn new(
        parameters: &[Parameter],
        names: &[&str],
        steps: u64,
        seed: u64,
    ) -> Result<Self, String> {
        let tuned = names.iter().map(|name| {
            let index = parameters
                .iter()
                .position(|parameter| parameter.name == *name);
            let index = index.ok_or_else(|| format!("there is no parameter {name}"))?;
            Ok(Tuned {
                index,
                parameter: parameters[index],
                value: f64::from(parameters[index].value),
            })
        });
        Ok(Self {
            tuned: tuned.collect::<Result<_, String>>()?,
            step: 0,
            steps,
            random: seed,
        })
    }

    /// Returns whether all steps have begun.
    pub const fn is_finished(&self) -> bool {
        self.step >= self.steps
    }

    /// Returns how many steps have begun.
    pub const fn step(&self) -> u64 {
        self.step
    }

    /// Begins a step. `values` are the defaults of all parameters.
    pub fn begin(&mut self, values: &[i32]) -> Step {
        self.step += 1;
        let mut settings = [values.to_vec(), values.to_vec()];
        let mut perturbations = Vec::with_capacity(self.tuned.len());
        for index in 0..self.tuned.len() {
            let up = self.next_random() & 1 == 0;
            let tuned = &self.tuned[index];
            let size = self.perturbation(tuned, self.step);
            let perturbation = if up { size } else { -size };
            settings[0][tuned.index] = tuned.rounded(tuned.value + perturbation);
            settings[1][tuned.index] = tuned.rounded(tuned.value - perturbation);
            perturbations.push(perturbation);
        }
        Step {
            values: settings,
            number: self.step,
            perturbations,
        }
    }

    /// Ends a step with the first player's lead over the second: points won less points lost.
    pub fn end(&mut self, step: &Step, lead: f64) {
        let steps = self.steps as f64;
        let stability = STABILITY * steps;
        let rate = ((stability + steps) / (stability + step.number as f64)).powf(STEP_EXPONENT);
        for (index, perturbation) in step.perturbations.iter().enumerate() {
            let last = self.perturbation(&self.tuned[index], self.steps);
            let tuned = &mut self.tuned[index];
            let (low, high) = tuned.parameter.range;
            let change = LEARNING_RATE * rate * last * last * lead / perturbation;
            tuned.value = (tuned.value + change).clamp(f64::from(low), f64::from(high));
        }
    }

    /// Returns by how much a parameter is changed up and down in a step.
    fn perturbation(&self, tuned: &Tuned, step: u64) -> f64 {
        let (low, high) = tuned.parameter.range;
        // Less than one would often compare a setting with itself.
        let last = (f64::from(high - low) * PERTURBATION_SHARE).max(0.5);
        last * (self.steps as f64 / step as f64).powf(PERTURBATION_EXPONENT)
    }

    /// SplitMix64.
    const fn next_random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.random;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Returns the run as text: the number of steps, and each parameter with its value and default.
    pub fn to_text(&self) -> String {
        let mut text = format!("steps {} of {}\n", self.step, self.steps);
        for Tuned {
            parameter, value, ..
        } in &self.tuned
        {
            let _ = writeln!(text, "{} {value:.3} ({})", parameter.name, parameter.value);
        }
        text
    }

    /// Continues a run from its text. Returns whether the text is of the same parameters.
    pub fn resume(&mut self, text: &str) -> bool {
        let mut resumed = self.clone();
        let read = resumed.read(text).is_some();
        if read {
            // Other choices than at the beginning.
            resumed.random ^= resumed.step.wrapping_mul(0x2545_f491_4f6c_dd1d);
            *self = resumed;
        }
        read
    }

    fn read(&mut self, text: &str) -> Option<()> {
        let mut lines = text.lines();
        self.step = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        for tuned in &mut self.tuned {
            let mut words = lines.next()?.split(' ');
            (words.next()? == tuned.parameter.name).then_some(())?;
            tuned.value = words.next()?.parse().ok()?;
        }
        lines.next().is_none().then_some(())
    }

    /// Writes the run to a file, as a whole or not at all.
    pub fn save(&self, path: &Path) -> std::io::Result<()> {
        let unfinished = path.with_extension("new");
        fs::write(&unfinished, self.to_text())?;
        fs::rename(unfinished, path)
    }
}

impl Tuned {
    fn rounded(&self, value: f64) -> i32 {
        let (low, high) = self.parameter.range;
        (value.round() as i32).clamp(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: [Parameter; 2] = [
        Parameter {
            name: "slope",
            value: 100,
            range: (0, 200),
        },
        Parameter {
            name: "base",
            value: 10,
            range: (0, 20),
        },
    ];

    #[test]
    fn parameters_move_towards_what_wins() {
        let mut spsa = Spsa::new(&PARAMETERS, &["slope", "base"], 2_000, 1).unwrap();
        let quality = |values: &[i32]| {
            let off =
                |value: i32, best: f64, width: f64| ((f64::from(value) - best) / width).powi(2);
            -off(values[0], 150.0, 100.0) - off(values[1], 6.0, 10.0)
        };
        while !spsa.is_finished() {
            let step = spsa.begin(&[100, 10]);
            let lead = quality(&step.values[0]) - quality(&step.values[1]);
            spsa.end(&step, 20.0 * lead);
        }
        let values: Vec<f64> = spsa.tuned.iter().map(|tuned| tuned.value).collect();
        assert!((values[0] - 150.0).abs() < 10.0, "{values:?}");
        assert!((values[1] - 6.0).abs() < 1.0, "{values:?}");
    }

    #[test]
    fn only_the_named_parameters_change() {
        let mut spsa = Spsa::new(&PARAMETERS, &["base"], 10, 1).unwrap();
        let step = spsa.begin(&[100, 10]);
        assert_eq!([step.values[0][0], step.values[1][0]], [100, 100]);
        assert_ne!(step.values[0][1], step.values[1][1]);
        assert!(Spsa::new(&PARAMETERS, &["bse"], 10, 1).is_err());
    }

    #[test]
    fn a_run_continues_from_its_text() {
        let mut spsa = Spsa::new(&PARAMETERS, &["slope", "base"], 10, 1).unwrap();
        let step = spsa.begin(&[100, 10]);
        spsa.end(&step, 1.0);
        let mut resumed = Spsa::new(&PARAMETERS, &["slope", "base"], 10, 1).unwrap();
        assert!(resumed.resume(&spsa.to_text()));
        assert_eq!(resumed.to_text(), spsa.to_text());
        let mut other = Spsa::new(&PARAMETERS, &["base"], 10, 1).unwrap();
        let before = other.clone();
        assert!(!other.resume(&spsa.to_text()));
        assert_eq!(other, before);
    }
}
