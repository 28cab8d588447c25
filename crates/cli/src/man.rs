//! `tabiya man`: manual pages.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, CommandFactory};
use clap_mangen::Man;
use tabiya_games::display_name;

use crate::screen::CommandOutput;
use crate::{Cli, examples};

/// Print the manual page, or write all pages to a folder
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya man | man -l -"
    "tabiya man --dir man1"
))]
pub(crate) struct Arguments {
    /// Write a page for each command to this folder, which is created if necessary
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<CommandOutput> {
    let command = Cli::command();
    let Some(folder) = &arguments.dir else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        return Ok(String::from_utf8_lossy(&page).into_owned().into());
    };
    let cannot = || format!("cannot write manual pages to {}", display_name(folder));
    if folder.exists() && !folder.is_dir() {
        bail!("{}: it is not a folder", cannot());
    }
    fs::create_dir_all(folder).with_context(cannot)?;
    clap_mangen::generate_to(command, folder).with_context(cannot)?;
    Ok(String::new().into())
}
