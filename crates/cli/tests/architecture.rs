//! Checks that the crates depend on each other as `ARCHITECTURE.md` says, that the C library stays small, and that
//! nothing we ship has a licence that would bind our users.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

#[path = "architecture/graph.rs"]
mod graph;

use graph::{Graph, is_permissive, own_dependencies, root};

/// The benchmarks link rivals under the GPL. We don't ship them.
const NOT_SHIPPED: &str = "tabiya-benches";

/// The table of arrows in `ARCHITECTURE.md`: each crate and the crates it depends on.
fn documented_arrows() -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let (_, section) = text.split_once("\n## The arrows\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let names = |cell: &str| -> Vec<String> {
        let parts = cell.split('`').skip(1).step_by(2);
        parts.map(str::to_owned).collect()
    };
    let mut arrows = BTreeMap::new();
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').collect();
        let [_, from, to, _] = cells[..] else {
            panic!("not a row of two cells: {row}");
        };
        let [from] = &names(from)[..] else {
            panic!("not one crate: {row}");
        };
        let to = names(to).into_iter().collect();
        assert!(arrows.insert(from.clone(), to).is_none(), "twice: {row}");
    }
    arrows
}

#[test]
fn arrows_in_the_documentation_match_the_manifests() {
    let graph = Graph::load(&root());
    let mut actual = BTreeMap::new();
    for id in &graph.members {
        let package = &graph.packages[id];
        let own = package.dependencies.iter();
        let own = own.filter(|id| graph.members.contains(*id));
        let own: BTreeSet<String> = own.map(|id| graph.packages[id].name.clone()).collect();
        actual.insert(package.name.clone(), own);
    }
    // A workspace of its own, whose other dependencies need not be here.
    let sql = own_dependencies(&root().join("crates/sql"));
    actual.insert("tabiya-sql".to_owned(), sql);
    let documented = documented_arrows();
    for (name, own) in &actual {
        assert_eq!(
            documented.get(name),
            Some(own),
            "ARCHITECTURE.md has another row for {name} than its manifest"
        );
    }
    for name in documented.keys() {
        assert!(
            actual.contains_key(name),
            "there is no crate {name} any more"
        );
    }
}

/// Everything in the repository that the text names in backticks by its path is there.
#[test]
fn paths_in_the_documentation_exist() {
    const FOLDERS: [&str; 6] = [
        "benches/",
        "crates/",
        "docs/",
        "fuzz/",
        "training/",
        "include/",
    ];
    for file in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root().join(file)).unwrap();
        // Code blocks are indented, and have no backticks.
        let names = text.split('`').skip(1).step_by(2);
        let paths = names.filter(|name| FOLDERS.iter().any(|folder| name.starts_with(folder)));
        let paths: Vec<&str> = paths.filter(|path| !path.contains(['*', ' '])).collect();
        assert!(!paths.is_empty(), "{file}");
        for path in paths {
            assert!(root().join(path).exists(), "{file}: there is no {path}");
        }
    }
}

#[test]
fn c_library_links_only_rules_and_notation() {
    const ALLOWED: [&str; 11] = [
        "libchessmoves",
        "tabiya-board",
        "tabiya-chessmoves-core",
        "tabiya-notation",
        "memchr",
        "thiserror",
        // What the macros of thiserror need at build time.
        "thiserror-impl",
        "proc-macro2",
        "quote",
        "syn",
        "unicode-ident",
    ];
    let graph = Graph::load(&root());
    for id in graph.closure(graph.member("libchessmoves")) {
        let name = graph.packages[&id].name.as_str();
        assert!(ALLOWED.contains(&name), "libchessmoves links {name}");
    }
}

#[test]
fn licences_of_what_we_ship_are_permissive() {
    let graph = Graph::load(&root());
    for member in &graph.members {
        if graph.packages[member].name != NOT_SHIPPED {
            graph.check_licences(member);
        }
    }
    assert!(is_permissive("(MIT OR Apache-2.0) AND Unicode-3.0"));
    assert!(is_permissive("GPL-2.0 OR MIT"));
    for licence in [
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "AGPL-3.0-only",
        "LGPL-2.1",
        "",
    ] {
        assert!(!is_permissive(licence), "{licence}");
    }
}
