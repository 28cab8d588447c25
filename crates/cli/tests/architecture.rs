//! Checks that the crates depend on each other as `ARCHITECTURE.md` says, that the C library stays small, and that
//! nothing we ship has a licence that would bind our users.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The licences that dependencies may have. The GPL and its relatives are not among them.
const LICENCES: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "bzip2-1.0.6",
    "ISC",
];

/// The benchmarks link rivals under the GPL. We don't ship them.
const NOT_SHIPPED: &str = "tabiya-benches";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The output of a command that must succeed.
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The packages of the workspace and their dependencies, by id.
struct Graph {
    packages: BTreeMap<String, Package>,
    members: BTreeSet<String>,
}

struct Package {
    name: String,
    licence: String,
    /// The ids of normal and build dependencies.
    dependencies: Vec<String>,
}

fn strings(list: &Value) -> impl Iterator<Item = String> + '_ {
    let list = list.as_array().unwrap().iter();
    list.map(|value| value.as_str().unwrap().to_owned())
}

impl Graph {
    /// Asks cargo. Only this platform's packages, which cargo has already downloaded to build this test.
    fn load() -> Self {
        let rustc = output(Command::new("rustc").arg("-vV"));
        let host = rustc.lines().find_map(|line| line.strip_prefix("host: "));
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["metadata", "--format-version=1", "--offline"]);
        cargo.arg(format!("--filter-platform={}", host.unwrap()));
        let metadata: Value = serde_json::from_str(&output(cargo.current_dir(root()))).unwrap();
        let mut packages = BTreeMap::new();
        for package in metadata["packages"].as_array().unwrap() {
            let text = |field: &str| package[field].as_str().unwrap_or_default().to_owned();
            let package = Package {
                name: text("name"),
                licence: text("license"),
                dependencies: Vec::new(),
            };
            packages.insert(text("id"), package);
        }
        for node in metadata["resolve"]["nodes"].as_array().unwrap() {
            let package = packages.get_mut(node["id"].as_str().unwrap()).unwrap();
            for dependency in node["deps"].as_array().unwrap() {
                let kinds = dependency["dep_kinds"].as_array().unwrap();
                if kinds.iter().any(|kind| kind["kind"] != "dev") {
                    let id = dependency["pkg"].as_str().unwrap();
                    package.dependencies.push(id.to_owned());
                }
            }
        }
        Self {
            packages,
            members: strings(&metadata["workspace_members"]).collect(),
        }
    }

    fn member(&self, name: &str) -> &String {
        let found = self
            .members
            .iter()
            .find(|id| self.packages[*id].name == name);
        found.unwrap_or_else(|| panic!("the workspace has no crate {name}"))
    }

    /// A package and everything it links, directly or not.
    fn closure(&self, id: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open = vec![id.to_owned()];
        while let Some(id) = open.pop() {
            if found.insert(id.clone()) {
                open.extend(self.packages[&id].dependencies.iter().cloned());
            }
        }
        found
    }
}

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
    let graph = Graph::load();
    let mut actual = BTreeMap::new();
    for id in &graph.members {
        let package = &graph.packages[id];
        let own = package.dependencies.iter();
        let own = own.filter(|id| graph.members.contains(*id));
        let own: BTreeSet<String> = own.map(|id| graph.packages[id].name.clone()).collect();
        actual.insert(package.name.clone(), own);
    }
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
    let graph = Graph::load();
    for id in graph.closure(graph.member("libchessmoves")) {
        let name = graph.packages[&id].name.as_str();
        assert!(ALLOWED.contains(&name), "libchessmoves links {name}");
    }
}

/// Whether we may choose a permissive licence. Understands `A OR B`, `A/B` and `(A OR B) AND C`.
fn is_permissive(licence: &str) -> bool {
    let licence = licence.replace('/', " OR ");
    licence.split(" AND ").all(|part| {
        let part = part.trim_matches(['(', ')']);
        part.split(" OR ")
            .any(|name| LICENCES.contains(&name.trim()))
    })
}

#[test]
fn licences_of_what_we_ship_are_permissive() {
    let graph = Graph::load();
    for member in &graph.members {
        let member_name = &graph.packages[member].name;
        if member_name == NOT_SHIPPED {
            continue;
        }
        for id in graph.closure(member) {
            let Package { name, licence, .. } = &graph.packages[&id];
            assert!(
                is_permissive(licence),
                "{member_name} links {name}, whose licence is {licence:?}"
            );
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
