//! The examples of docs/api.md.

use serde_json::Value;

use crate::client::TestServer;

/// Every value of the documented answer is in the real one. `"…"` stands for anything.
fn contains(real: &Value, documented: &Value) -> bool {
    match (real, documented) {
        (_, Value::String(text)) if text == "…" => true,
        (Value::Object(real), Value::Object(documented)) => documented
            .iter()
            .all(|(name, value)| real.get(name).is_some_and(|real| contains(real, value))),
        (Value::Array(real), Value::Array(documented)) => {
            let is_open = documented.last().is_some_and(|last| last == "…");
            let shown = documented.len() - usize::from(is_open);
            (real.len() == shown || is_open && real.len() >= shown)
                && real
                    .iter()
                    .zip(&documented[..shown])
                    .all(|(real, shown)| contains(real, shown))
        }
        (real, documented) => real == documented,
    }
}

#[test]
fn the_examples_of_the_manual_are_true() {
    let manual = include_str!("../../../../docs/api.md");
    #[cfg(unix)]
    let server = TestServer::with_archive("games");
    #[cfg(not(unix))]
    let server = TestServer::start();
    let mut count = 0;
    for example in manual.split("```http\n").skip(1) {
        let example = example.split("```").next().unwrap();
        let (request, answer) = example
            .split_once("\n\n")
            .expect("a request, an empty line, an answer");
        let (line, body) = request.split_once('\n').unwrap_or((request, ""));
        if cfg!(not(unix)) && line.ends_with("/api/explore") {
            continue;
        }
        let (status, answer) = answer.split_once('\n').unwrap_or((answer, ""));
        let response = if body.is_empty() {
            server.request(line, &[], "")
        } else {
            server.request(line, &["Content-Type: application/json"], body)
        };
        assert_eq!(response.status.to_string(), status.trim(), "{example}");
        let documented: Value = serde_json::from_str(answer).expect(example);
        let real = response.json();
        assert!(contains(&real, &documented), "{example}\n{real}");
        count += 1;
    }
    assert!(count >= 9, "{count} examples");
}
