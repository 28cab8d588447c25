//! UCI engines on this computer.

use std::path::{Path, PathBuf};

use tabiya_uci::EngineCommand;

/// Well-known engines that speak UCI, under the names of their programs.
const KNOWN: [&str; 40] = [
    "stockfish",
    "lc0",
    "alexandria",
    "altair",
    "arasan",
    "arasanx",
    "berserk",
    "caissa",
    "clover",
    "demolito",
    "ethereal",
    "fairy-stockfish",
    "fruit",
    "glaurung",
    "igel",
    "integral",
    "koivisto",
    "komodo",
    "laser",
    "lizard",
    "minic",
    "obsidian",
    "patricia",
    "pedone",
    "plentychess",
    "rebel",
    "reckless",
    "rofchade",
    "rubichess",
    "seer",
    "senpai",
    "starzix",
    "stormphrax",
    "texel",
    "titan",
    "toga2",
    "velvet",
    "viridithas",
    "weiss",
    "xiphos",
];

/// The well-known UCI engines in the folders of the environment variable `PATH`.
pub fn find_engines() -> Vec<EngineCommand> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    engines_in(std::env::split_paths(&path))
}

/// The well-known UCI engines in some folders, each once.
fn engines_in(folders: impl Iterator<Item = PathBuf>) -> Vec<EngineCommand> {
    let folders: Vec<PathBuf> = folders.filter(|folder| folder.is_absolute()).collect();
    let is_there = |name: &&&str| {
        let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        folders.iter().any(|folder| is_program(&folder.join(&file)))
    };
    let found = KNOWN.iter().filter(is_there);
    found
        .filter_map(|name| EngineCommand::parse(name))
        .collect()
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let metadata = std::fs::metadata(path);
    metadata.is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn programs_with_known_names_are_found() {
        let folder = std::env::temp_dir().join(format!("tabiya-engines-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (name, mode) in [("stockfish", 0o755), ("weiss", 0o644), ("ls", 0o755)] {
            let path = folder.join(name);
            fs::write(&path, "").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        // A folder that is listed twice, one that does not exist, and a relative one.
        let folders = [folder.clone(), folder.clone(), "/no/such".into(), "".into()];
        let found = engines_in(folders.into_iter());
        let names: Vec<&str> = found.iter().map(EngineCommand::name).collect();
        assert_eq!(names, ["stockfish"]);
        fs::remove_dir_all(folder).unwrap();
    }
}
