//! `tabiya completions`: what a shell needs to complete our arguments.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::screen::Answer;
use crate::{Cli, examples};

/// Print the completions for a shell
///
/// Put them where the shell looks for them: for bash into ~/.local/share/bash-completion/completions/tabiya, for zsh into
/// a file _tabiya in a folder of $fpath, for fish into ~/.config/fish/completions/tabiya.fish.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya completions bash"
    "tabiya completions zsh > _tabiya"
    "tabiya completions fish > tabiya.fish"
))]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> Answer {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "tabiya", &mut script);
    String::from_utf8_lossy(&script).into_owned().into()
}
