//! The platform's folders for a user's files.

use std::path::PathBuf;

use etcetera::{BaseStrategy, HomeDirError, choose_base_strategy};
use thiserror::Error;

/// The name of our folders.
const NAME: &str = "tabiya";

/// The user's home folder is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("your home folder is unknown; set the environment variable HOME")]
pub struct HomeFolderError;

impl From<HomeDirError> for HomeFolderError {
    fn from(_: HomeDirError) -> Self {
        Self
    }
}

/// The folder for games: `tabiya` in `XDG_DATA_HOME`, or the platform's equivalent.
pub fn data_folder() -> Result<PathBuf, HomeFolderError> {
    Ok(choose_base_strategy()?.data_dir().join(NAME))
}

/// The settings file: `tabiya/config.toml` in `XDG_CONFIG_HOME`, or the platform's equivalent.
pub fn config_file() -> Result<PathBuf, HomeFolderError> {
    Ok(choose_base_strategy()?
        .config_dir()
        .join(NAME)
        .join("config.toml"))
}
