//! `tabiya completions`: shell completions.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::screen::CommandOutput;
use crate::{Cli, examples};

/// Print a completion script for a shell
///
/// Save the script where the shell looks for it. For bash: ~/.local/share/bash-completion/completions/tabiya. For zsh:
/// a file named _tabiya in a folder of $fpath. For fish: ~/.config/fish/completions/tabiya.fish.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya completions bash"
    "tabiya completions zsh > _tabiya"
    "tabiya completions fish > tabiya.fish"
))]
pub(crate) struct Arguments {
    /// Shell to complete for
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> CommandOutput {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "tabiya", &mut script);
    String::from_utf8_lossy(&script).into_owned().into()
}
