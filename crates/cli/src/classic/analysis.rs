//! `tabiya classic analysis`.

use clap::Args;

use crate::screen::{Answer, Screen};

/// The verdict on a game
#[derive(Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments, _screen: Screen) -> anyhow::Result<Answer> {
    anyhow::bail!("not written yet")
}
