//! `tabiya classic chessmoves`.

use clap::Args;

use crate::screen::{Answer, Screen};

/// A game from notation, board by board
#[derive(Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments, _screen: Screen) -> anyhow::Result<Answer> {
    anyhow::bail!("not written yet")
}
