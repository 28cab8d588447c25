//! The engines of a tournament.

use std::env;
use std::fs::File;
use std::io::{self, Read};
use std::iter;
use std::path::{Path, PathBuf};

use tabiya_uci::EngineCommand;

use crate::fingerprint::Fingerprint;

/// How many bytes of a file to read at a time.
const CHUNK: u64 = 1 << 20;

/// An engine that takes part in a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// Its name, or `None` to use the one that it reports.
    pub name: Option<String>,
    /// The command that starts it.
    pub program: EngineCommand,
}

impl EngineSpec {
    /// Parses a command line as [`EngineCommand::parse`] does, with an optional name before it: `name: command`.
    ///
    /// ```
    /// use tabiya_arena::EngineSpec;
    /// let engine = EngineSpec::parse("weak: stockfish UCI_LimitStrength=true UCI_Elo=2000").unwrap();
    /// assert_eq!(engine.name.as_deref(), Some("weak"));
    /// assert_eq!(engine.program.program, "stockfish");
    /// assert_eq!(engine.program.options[1], ("UCI_Elo".to_owned(), "2000".to_owned()));
    /// ```
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        if line.ends_with(':') {
            return None;
        }
        let (name, command) = match line.split_once(": ") {
            Some((name, command)) if !name.trim().is_empty() => (Some(name.trim()), command),
            _ => (None, line),
        };
        Some(Self {
            name: name.map(str::to_owned),
            program: EngineCommand::parse(command)?,
        })
    }

    /// Adds everything that identifies this engine: its command, and the bytes of the program and of all files among
    /// its arguments and options, such as scripts and networks. A rebuilt program counts as another engine.
    pub(crate) fn identify(&self, fingerprint: &mut Fingerprint) {
        let EngineCommand {
            program,
            arguments,
            options,
        } = &self.program;
        let name = self.name.as_deref().unwrap_or_default();
        for text in [name, program]
            .into_iter()
            .chain(arguments.iter().map(String::as_str))
        {
            fingerprint.add(text.as_bytes());
        }
        for (name, value) in options {
            fingerprint.add(name.as_bytes());
            fingerprint.add(value.as_bytes());
        }
        // Logs change while the engine runs.
        let is_read = |(name, _): &&(String, String)| !name.to_ascii_lowercase().contains("log");
        let values = options.iter().filter(is_read).map(|(_, value)| value);
        let named = arguments.iter().chain(values).map(PathBuf::from);
        for path in iter::once(find(program)).chain(named) {
            if path.is_file() {
                // A program may be executable but not readable. Then its command must do.
                let _ = add_file(&path, fingerprint);
            }
        }
    }
}

fn add_file(path: &Path, fingerprint: &mut Fingerprint) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut buffer = Vec::new();
    while file.by_ref().take(CHUNK).read_to_end(&mut buffer)? > 0 {
        fingerprint.add(&buffer);
        buffer.clear();
    }
    Ok(())
}

/// Finds the file of a program as the system does.
fn find(program: &str) -> PathBuf {
    let named = Path::new(program);
    if named.components().count() > 1 {
        return named.to_owned();
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders)
        .map(|folder| folder.join(named))
        .find(|path| path.is_file())
        .unwrap_or_else(|| named.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_parsed() {
        let read = |line| EngineSpec::parse(line).unwrap();
        let plain = read("tabiya uci Hash=1 --level=3");
        assert_eq!(plain.name, None);
        assert_eq!(plain.program.arguments, ["uci", "--level=3"]);
        assert_eq!(plain.program.options, [("Hash".to_owned(), "1".to_owned())]);
        let quoted = read("My engine 2: '/opt/my engine' \"Skill Level\"=3 Net='a b.nn' ''");
        assert_eq!(quoted.name.as_deref(), Some("My engine 2"));
        assert_eq!(quoted.program.program, "/opt/my engine");
        assert_eq!(
            quoted.program.options[0],
            ("Skill Level".to_owned(), "3".to_owned())
        );
        assert_eq!(
            quoted.program.options[1],
            ("Net".to_owned(), "a b.nn".to_owned())
        );
        assert_eq!(quoted.program.arguments, [""]);
        assert_eq!(
            read("C:\\\\engines\\\\one.exe").program.program,
            "C:\\\\engines\\\\one.exe"
        );
        assert_eq!(EngineSpec::parse("  "), None);
        assert_eq!(EngineSpec::parse("name: "), None);
    }

    #[test]
    fn other_options_make_another_engine() {
        let identity = |line: &str| {
            let mut fingerprint = Fingerprint::default();
            EngineSpec::parse(line).unwrap().identify(&mut fingerprint);
            fingerprint.to_string()
        };
        assert_eq!(
            identity("no-such-engine Hash=1"),
            identity("no-such-engine Hash=1")
        );
        assert_ne!(
            identity("no-such-engine Hash=1"),
            identity("no-such-engine Hash=2")
        );
        assert_ne!(identity("a: no-such-engine"), identity("b: no-such-engine"));
        // The content of files counts, except for logs.
        let path = env::temp_dir().join(format!("tabiya-network-{}", std::process::id()));
        let with = |option: &str, content: &str| {
            std::fs::write(&path, content).unwrap();
            identity(&format!("no-such-engine {option}='{}'", path.display()))
        };
        assert_eq!(with("EvalFile", "one"), with("EvalFile", "one"));
        assert_ne!(with("EvalFile", "one"), with("EvalFile", "two"));
        assert_eq!(with("Debug_Log_File", "one"), with("Debug_Log_File", "two"));
        std::fs::remove_file(&path).unwrap();
        assert_ne!(
            identity("no-such-engine ab c"),
            identity("no-such-engine a bc")
        );
    }
}
