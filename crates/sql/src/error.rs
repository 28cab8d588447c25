//! Errors of the SQL engine as one sentence each.

use std::error::Error;

use ballista_core::error::BallistaError;
use datafusion::common::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;
use tabiya_archive::ArchiveError;
use tabiya_notation::printable;

use crate::s3::S3Error;

/// What the engine says before what happened.
const PREFIXES: [&str; 12] = [
    "Error during planning: ",
    "Schema error: ",
    "SQL error: ",
    "Execution error: ",
    "External error: ",
    "Arrow error: ",
    "Parquet error: ",
    "Object Store error: ",
    "Optimizer rule ",
    "Invalid or Unsupported Configuration: ",
    "Parser error: ",
    "DataFusion error: ",
];

/// What an error means, in one line.
pub(crate) fn sentence(error: &(dyn Error + 'static)) -> String {
    let mut next = Some(error);
    while let Some(error) = next {
        // The damaged file is named, however deep in the engine it was read.
        if let Some(archive) = error.downcast_ref::<ArchiveError>() {
            return archive.to_string();
        }
        if let Some(error) = error.downcast_ref::<S3Error>() {
            return error.to_string();
        }
        next = match error.downcast_ref::<DataFusionError>() {
            // Its own list of causes leaves out the innermost error.
            Some(DataFusionError::ObjectStore(inner)) => Some(inner.as_ref()),
            Some(DataFusionError::External(inner)) => Some(inner.as_ref()),
            _ => error.source(),
        };
    }
    let text = match error.downcast_ref::<DataFusionError>() {
        Some(error) => engine_sentence(error.find_root()),
        None => error.to_string(),
    };
    one_line(&text)
}

fn engine_sentence(error: &DataFusionError) -> String {
    match error {
        DataFusionError::SQL(error, _) => match error.as_ref() {
            ParserError::TokenizerError(text) | ParserError::ParserError(text) => {
                format!("this is not SQL: {text}")
            }
            ParserError::RecursionLimitExceeded => "the query is nested too deeply".to_owned(),
        },
        DataFusionError::ResourcesExhausted(_) => {
            "the query needs more memory: allow more with --memory".to_owned()
        }
        DataFusionError::NotImplemented(text) => {
            // What it is called, without the part of the query as the engine sees it.
            let name = text
                .split_once(" {")
                .map_or(text.as_str(), |(name, _)| name);
            format!("the engine cannot do this: {name}")
        }
        DataFusionError::External(error) => match error.downcast_ref::<BallistaError>() {
            Some(error) => cluster_sentence(&error.to_string()),
            None => error.to_string(),
        },
        error => {
            let text = error.strip_backtrace();
            cluster_sentence(&text)
        }
    }
}

/// What an executor said, without the account of where it said it.
fn cluster_sentence(text: &str) -> String {
    if let Some((before, after)) = text.split_once(" is damaged: ") {
        let path = before.rsplit(": ").next().unwrap_or(before);
        let path = path.trim_start_matches(['"', '\'', '(']);
        let reason = after
            .split_once(" again.")
            .map_or(after, |(reason, _)| reason);
        return format!("{path} is damaged: {reason} again.");
    }
    if let Some((_, after)) = text.split_once(S3Error::START) {
        let end = after.find(['"', '\\', '\n']).unwrap_or(after.len());
        return format!("{}{}", S3Error::START, &after[..end]);
    }
    text.to_owned()
}

/// The text without line breaks and the engine's words for its parts.
fn one_line(text: &str) -> String {
    let mut rest = text.trim();
    while let Some(after) = PREFIXES.iter().find_map(|prefix| rest.strip_prefix(prefix)) {
        rest = after;
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    printable(&words.join(" "))
}
