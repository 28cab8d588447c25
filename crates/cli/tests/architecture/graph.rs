//! What the crates of a workspace depend on, and under which licences. The tests of `crates/sql` use this too.

use std::collections::{BTreeMap, BTreeSet};
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

/// The repository.
pub(crate) fn root() -> PathBuf {
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
pub(crate) struct Graph {
    pub(crate) packages: BTreeMap<String, Package>,
    pub(crate) members: BTreeSet<String>,
}

pub(crate) struct Package {
    pub(crate) name: String,
    licence: String,
    /// The ids of normal and build dependencies.
    pub(crate) dependencies: Vec<String>,
}

fn strings(list: &Value) -> impl Iterator<Item = String> + '_ {
    let list = list.as_array().unwrap().iter();
    list.map(|value| value.as_str().unwrap().to_owned())
}

impl Graph {
    /// Asks cargo. Only this platform's packages, which cargo has already downloaded to build this test.
    pub(crate) fn load(workspace: &Path) -> Self {
        let rustc = output(Command::new("rustc").arg("-vV"));
        let host = rustc.lines().find_map(|line| line.strip_prefix("host: "));
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["metadata", "--format-version=1", "--offline"]);
        cargo.arg(format!("--filter-platform={}", host.unwrap()));
        let metadata: Value = serde_json::from_str(&output(cargo.current_dir(workspace))).unwrap();
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

    pub(crate) fn member(&self, name: &str) -> &String {
        let found = self
            .members
            .iter()
            .find(|id| self.packages[*id].name == name);
        found.unwrap_or_else(|| panic!("the workspace has no crate {name}"))
    }

    /// A package and everything it links, directly or not.
    pub(crate) fn closure(&self, id: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open = vec![id.to_owned()];
        while let Some(id) = open.pop() {
            if found.insert(id.clone()) {
                open.extend(self.packages[&id].dependencies.iter().cloned());
            }
        }
        found
    }

    /// Panics if a member links something whose licence is not permissive.
    pub(crate) fn check_licences(&self, member: &str) {
        for id in self.closure(member) {
            let Package { name, licence, .. } = &self.packages[&id];
            let member = &self.packages[member].name;
            assert!(
                is_permissive(licence),
                "{member} links {name}, whose licence is {licence:?}"
            );
        }
    }
}

/// The crates of this repository that the crate in a folder depends on. Says so without downloading the others.
pub(crate) fn own_dependencies(folder: &Path) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version=1", "--offline", "--no-deps"]);
    let metadata: Value = serde_json::from_str(&output(cargo.current_dir(folder))).unwrap();
    let dependencies = metadata["packages"][0]["dependencies"].as_array().unwrap();
    let own = dependencies
        .iter()
        .filter(|dependency| dependency["path"].is_string() && dependency["kind"].is_null());
    own.map(|dependency| dependency["name"].as_str().unwrap().to_owned())
        .collect()
}

/// Whether we may choose a permissive licence. Understands `A OR B`, `A/B` and `(A OR B) AND C`.
pub(crate) fn is_permissive(licence: &str) -> bool {
    let licence = licence.replace('/', " OR ");
    licence.split(" AND ").all(|part| {
        let part = part.trim_matches(['(', ')']);
        part.split(" OR ")
            .any(|name| LICENCES.contains(&name.trim()))
    })
}
