//! Finds rival programs that are installed on this machine.

use std::env;
use std::path::PathBuf;

/// Finds a program in `PATH`, or in the folder where Debian installs games.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    folders
        .map(|folder| folder.join(&file))
        .find(|program| program.is_file())
}
