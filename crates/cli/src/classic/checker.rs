//! `tabiya classic checker`.

use clap::Args;

use crate::screen::{Answer, Screen};

/// Checks move sequences
#[derive(Args)]
pub(crate) struct Arguments {}

pub(crate) fn run(_arguments: &Arguments, _screen: Screen) -> anyhow::Result<Answer> {
    anyhow::bail!("not written yet")
}
