//! `tabiya config`: shows and changes the settings.

use std::fmt::Write;

use anstyle::Style;
use clap::{Args, Subcommand};
use tabiya_play::{SETTINGS, Settings, config_file};
use tabiya_terminal::{columns, padded};

use crate::screen::{Answer, Screen};
use crate::{examples, remark};

const BOLD: Style = Style::new().bold();
const DIMMED: Style = Style::new().dimmed();

/// Show and change the settings
///
/// They are in a TOML file in the folder where your platform keeps settings. What is given on the command line goes
/// before them. Without a command, all of them are shown.
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
    /// Print a setting
    Get {
        /// Its name
        name: String,
    },
    /// Change a setting
    Set {
        /// Its name
        name: String,
        /// Its value; a text needs no quotation marks but those of the shell
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
    /// Give a setting its default again
    Unset {
        /// Its name
        name: String,
    },
    /// Print where the settings are
    Path,
}

pub(crate) fn run(arguments: &Arguments, screen: Screen) -> anyhow::Result<Answer> {
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
        // What is only a default stands back.
        let style = if settings.is_set(name) { BOLD } else { DIMMED };
        write!(text, "{style}{name}{style:#}{}", &wrapped[name.len()..])?;
    }
    warn_of_unknown(settings);
    Ok(text)
}

/// Says which names in the file mean nothing.
pub(crate) fn warn_of_unknown(settings: &Settings) {
    for name in settings.unknown() {
        remark(format_args!(
            "{}: there is no setting {name:?}; it is ignored",
            settings.path().display()
        ));
    }
}
