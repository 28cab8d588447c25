//! Checks that every crate of the workspace that will be published has what crates.io and docs.rs show.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

#[test]
fn published_crates_are_complete() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if !root.join("ARCHITECTURE.md").is_file() {
        eprintln!("skipped: this crate is not in its workspace");
        return;
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version=1", "--offline", "--no-deps"]);
    let output = cargo.current_dir(root).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{cargo:?}: {errors}");
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();

    let mut published = 0;
    for package in metadata["packages"].as_array().unwrap() {
        // `publish = false` becomes an empty list of registries.
        if package["publish"].is_array() {
            continue;
        }
        published += 1;
        let name = package["name"].as_str().unwrap();
        for field in ["description", "license", "readme", "repository"] {
            assert!(package[field].is_string(), "{name} has no {field}");
        }
        for field in ["keywords", "categories"] {
            let some = package[field]
                .as_array()
                .is_some_and(|list| !list.is_empty());
            assert!(some, "{name} has no {field}");
        }
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        for file in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
            let is_there = manifest.with_file_name(file).is_file();
            assert!(is_there, "{name} has no {file}");
        }
        let targets = package["targets"].as_array().unwrap();
        if targets.iter().any(|target| target["kind"][0] == "lib") {
            let settings = &package["metadata"]["docs"]["rs"];
            assert!(settings.is_object(), "{name} has no settings for docs.rs");
        }
    }
    assert!(published > 20, "only {published} crates");
}
