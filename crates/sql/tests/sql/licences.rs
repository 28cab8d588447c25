//! The licences of what the program links.

use std::path::Path;

#[path = "../../../cli/tests/architecture/graph.rs"]
#[allow(dead_code)]
mod graph;

use graph::Graph;

#[test]
fn licences_of_what_we_ship_are_permissive() {
    let graph = Graph::load(Path::new(env!("CARGO_MANIFEST_DIR")));
    graph.check_licences(graph.member("tabiya-sql"));
}
