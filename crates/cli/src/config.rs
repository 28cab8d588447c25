//! `tabiya config`: shows and changes settings.

use std::fmt::Write;

use anstyle::Style;
use clap::{Args, Subcommand};
use tabiya_display::text::{columns, padded};
use tabiya_play::{SETTINGS, Settings, config_file};

use crate::screen::{CommandOutput, Screen};
use crate::{examples, remark};

const BOLD: Style = Style::new().bold();
const DIMMED: Style = Style::new().dimmed();

/// Show or change settings
///
/// Settings are kept in a TOML file (see `tabiya config path`). Command-line options override them. Without a command,
/// all settings are shown.
#[derive(Args)]
#[command(after_help = examples!(
    "tabiya config"
    "tabiya config set level 5"
    "tabiya config set clock 10+5"
    "tabiya config get name"
    "tabiya config unset clock"
))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Show all settings
    List,
    /// Print the value of a setting
    Get {
        /// Name of the setting
        name: String,
    },
    /// Change a setting
    Set {
        /// Name of the setting
        name: String,
        /// New value
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Reset a setting to its default
    Unset {
        /// Name of the setting
        name: String,
    },
    /// Print the path of the settings file
    Path,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<CommandOutput> {
    let path = config_file()?;
    if let Some(Command::Path) = arguments.command {
        return Ok(format!("{}\n", path.display()).into());
    }
    let mut settings = Settings::load(path)?;
    let text = match &arguments.command {
        None | Some(Command::List | Command::Path) => list(&settings, screen)?,
        Some(Command::Get { name }) => format!("{}\n", settings.get(name)?),
        Some(Command::Set { name, value }) => {
            settings.set(name, value)?;
            settings.save()?;
            String::new()
        }
        Some(Command::Unset { name }) => {
            settings.unset(name)?;
            settings.save()?;
            String::new()
        }
    };
    Ok(text.into())
}

fn list(settings: &Settings, screen: Screen) -> anyhow::Result<String> {
    let mut text = String::new();
    let values: Vec<String> = SETTINGS
        .iter()
        .map(|setting| settings.get(setting.name))
        .collect::<Result<_, _>>()?;
    let width = values.iter().map(|value| columns(value)).max();
    let width = width.unwrap_or_default();
    for (setting, value) in SETTINGS.iter().zip(&values) {
        let name = setting.name;
        let indent = 8 + 2 + width + 2;
        let value = padded(value, width);
        let line = format!("{name:<8}  {value}  {}", setting.about);
        let wrapped = screen.wrap(&line, indent);
        // Defaults are dimmed.
        let style = if settings.is_set(name) { BOLD } else { DIMMED };
        write!(text, "{style}{name}{style:#}{}", &wrapped[name.len()..])?;
    }
    warn_of_unknown(settings);
    Ok(text)
}

/// Warns about names in the file that are not settings.
pub(crate) fn warn_of_unknown(settings: &Settings) {
    for name in settings.unknown() {
        remark(format_args!(
            "{}: unknown setting {name:?} ignored",
            settings.path().display()
        ));
    }
}
