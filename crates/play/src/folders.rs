//! Where the platform keeps the files of a user.

use std::path::PathBuf;

use etcetera::{BaseStrategy, HomeDirError, choose_base_strategy};
use thiserror::Error;

/// The name of our folders.
const NAME: &str = "tabiya";

/// Nobody knows where the files of the user are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("your home folder is not known; set the variable HOME")]
pub struct NoHome;

impl From<HomeDirError> for NoHome {
    fn from(_: HomeDirError) -> Self {
        Self
    }
}

/// The folder for what has been played: `tabiya` in `XDG_DATA_HOME`, or what stands for that on this platform.
pub fn data_folder() -> Result<PathBuf, NoHome> {
    Ok(choose_base_strategy()?.data_dir().join(NAME))
}

/// The file of the settings: `tabiya/config.toml` in `XDG_CONFIG_HOME`, or what stands for that on this platform.
pub fn config_file() -> Result<PathBuf, NoHome> {
    Ok(choose_base_strategy()?
        .config_dir()
        .join(NAME)
        .join("config.toml"))
}
