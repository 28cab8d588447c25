//! Self-play on a GPU, in `training/`, has its own code that ends games. It must use the same constants as this crate:
//! otherwise neither could check the other's games, and the training data would differ.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use tabiya_selfplay::{MAX_PLIES, SelfplaySettings, Termination};

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../training")
        .join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the numbers assigned to fields of `config`, as in `config.win_score, config.win_plies = 1000, 4`.
fn python_config(source: &str) -> HashMap<&str, u64> {
    let mut config = HashMap::new();
    for line in source.lines() {
        let Some((names, values)) = line.split_once(" = ") else {
            continue;
        };
        for (name, value) in names.split(',').zip(values.split(',')) {
            if let (Some(name), Ok(value)) = (
                name.trim().strip_prefix("config."),
                value.trim().parse::<u64>(),
            ) {
                config.insert(name, value);
            }
        }
    }
    config
}

#[test]
fn python_ends_games_as_rust_does() {
    let source = read("selfplay.py");
    let config = python_config(&source);
    let settings = SelfplaySettings::default();
    let rule = settings.adjudication;
    for (name, expected) in [
        ("random_plies", settings.random_plies),
        ("worst_opening", settings.max_opening_score),
        ("win_score", rule.win_score),
        ("win_plies", rule.win_plies),
        ("draw_score", rule.draw_score),
        ("draw_plies", rule.draw_plies),
        ("draw_after", rule.draw_after),
    ] {
        assert_eq!(config.get(name), Some(&u64::from(expected)), "{name}");
    }
}

#[test]
fn gpu_games_have_the_same_maximum_length() {
    let source = read("selfplay/search.h");
    let expected = format!("MAX_GAME = {MAX_PLIES};");
    assert!(source.contains(&expected), "{expected}");
}

#[test]
fn python_knows_the_same_number_of_terminations() {
    let source = read("selfplay.py");
    let list = source
        .split("ENDINGS = ")
        .nth(1)
        .expect("selfplay.py has a list of ends");
    let list = &list[..list.find([')', ']']).expect("the list is closed")];
    assert_eq!(
        list.matches('"').count() / 2,
        Termination::ALL.len(),
        "{list}"
    );
}
