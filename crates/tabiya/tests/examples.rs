//! Runs the examples, which `cargo test` has built, and compares what they print with `tests/examples/`. The example
//! `serde` needs `--features serde`.
//!
//! `TABIYA_UPDATE_EXAMPLES=1 cargo test -p tabiya --features serde` writes those files anew.

#![cfg(feature = "engine")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of the built examples, beside that of this test.
fn built() -> PathBuf {
    let test = env::current_exe().unwrap();
    test.parent().unwrap().parent().unwrap().join("examples")
}

fn names() -> Vec<String> {
    let files = fs::read_dir(package().join("examples")).unwrap();
    let mut names: Vec<String> = files
        .map(|file| {
            let name = file.unwrap().file_name().into_string().unwrap();
            name.strip_suffix(".rs").unwrap().to_owned()
        })
        .collect();
    names.sort();
    names
}

#[test]
fn examples_print_what_they_promise() {
    assert_eq!(names().len(), 15);
    for name in names() {
        if name == "serde" && !cfg!(feature = "serde") {
            continue;
        }
        let program = built().join(format!("{name}{}", env::consts::EXE_SUFFIX));
        let output = Command::new(&program).output().unwrap_or_else(|error| {
            panic!("{}: {error}. Run cargo test -p tabiya", program.display())
        });
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {errors}");
        let printed = String::from_utf8(output.stdout).unwrap();
        let file = package().join("tests/examples").join(format!("{name}.txt"));
        if env::var_os("TABIYA_UPDATE_EXAMPLES").is_some() {
            fs::write(&file, &printed).unwrap();
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(printed, expected, "{name}");
    }
}

#[test]
fn examples_are_short() {
    for name in names() {
        let file = package().join("examples").join(format!("{name}.rs"));
        let lines = fs::read_to_string(file).unwrap().lines().count();
        assert!(lines < 30, "{name} has {lines} lines");
    }
}
