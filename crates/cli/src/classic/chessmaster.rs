//! `tabiya classic chessmaster`.

use clap::Args;

use crate::screen::{Answer, Screen};

/// Where a lone piece can go
#[derive(Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments, _screen: Screen) -> anyhow::Result<Answer> {
    anyhow::bail!("not written yet")
}
