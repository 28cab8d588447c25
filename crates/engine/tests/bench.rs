//! The node count of `tabiya bench`.

use tabiya_engine::{Engine, StopSignal, bench};

/// A change here is a change of play: say so in the commit, with the result of a match.
const NODES: u64 = 1_192_144;

#[test]
fn node_count_is_unchanged() {
    let result = bench::bench(&mut Engine::default(), bench::DEPTH, &StopSignal::default());
    assert_eq!(result.map(|result| result.nodes), Some(NODES));
}
