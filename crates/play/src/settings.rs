//! What a player likes: settings in a TOML file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tabiya_engine::Level;
use thiserror::Error;
use toml_edit::{DocumentMut, Item, Value};

use crate::clock::TimeControl;
use crate::whole_file;

/// Something that can be set.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name in the file.
    pub name: &'static str,
    /// What it is, as a short phrase.
    pub about: &'static str,
    /// Its value unless another one is set, as it is typed.
    pub default: &'static str,
    kind: Kind,
}

/// What a value may be.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Text,
    Switch,
    Level,
    Choice(&'static [&'static str]),
    Clock,
}

/// All settings, in the order in which they are shown.
pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "name",
        about: "your name in the games that you play",
        default: "Player",
        kind: Kind::Text,
    },
    Setting {
        name: "level",
        about: "how strong the computer is, from 1 to 10",
        default: "3",
        kind: Kind::Level,
    },
    Setting {
        name: "side",
        about: "the pieces that you play with: white, black or random",
        default: "white",
        kind: Kind::Choice(&["white", "black", "random"]),
    },
    Setting {
        name: "clock",
        about: "minutes and seconds for each move as in 5+3, seconds as in move=10, or none",
        default: "none",
        kind: Kind::Clock,
    },
    Setting {
        name: "pace",
        about: "whether a weak computer takes as long for a move as a person",
        default: "true",
        kind: Kind::Switch,
    },
    Setting {
        name: "resigns",
        about: "whether the computer gives up when it has no hope left, from level 4 on",
        default: "true",
        kind: Kind::Switch,
    },
    Setting {
        name: "thinking",
        about: "whether to show what the computer thinks",
        default: "false",
        kind: Kind::Switch,
    },
    Setting {
        name: "eval",
        about: "whether to show who stands better, as a bar beside the board",
        default: "false",
        kind: Kind::Switch,
    },
    Setting {
        name: "theme",
        about: "the colours of the full screen: dark, light, high-contrast or colour-blind",
        default: "dark",
        kind: Kind::Choice(&["dark", "light", "high-contrast", "colour-blind"]),
    },
    Setting {
        name: "pieces",
        about: "how pieces are drawn on the full screen: figures, or letters in plain ASCII",
        default: "figures",
        kind: Kind::Choice(&["figures", "letters"]),
    },
];

/// What goes wrong with settings.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// There is no such setting.
    #[error("there is no setting {name:?}; the settings are {}", names())]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The value does not fit.
    #[error("{name} cannot be {value:?}: {expected}")]
    Wrong {
        /// The setting.
        name: &'static str,
        /// The value.
        value: String,
        /// What it could be.
        expected: String,
    },
    /// The file is no TOML.
    #[error("{path} is no TOML: {problem}", path = path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        problem: String,
    },
    /// A value in the file does not fit.
    #[error("{path}: {error}; mend it, or run \"tabiya config unset\" with its name", path = path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// Which, and why.
        error: Box<SettingsError>,
    },
    /// The file cannot be read or written.
    #[error("{path} cannot be {verb}: {error}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Read or written.
        verb: &'static str,
        /// Why.
        error: io::Error,
    },
}

fn names() -> String {
    let names: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
    names.join(", ")
}

impl Setting {
    /// The setting of a name.
    pub fn find(name: &str) -> Result<&'static Self, SettingsError> {
        let found = SETTINGS.iter().find(|setting| setting.name == name);
        found.ok_or_else(|| SettingsError::Unknown {
            name: name.to_owned(),
        })
    }

    /// The value as it stands in the file, if the text is one.
    fn value(&self, text: &str) -> Result<Value, SettingsError> {
        let text = text.trim();
        let wrong = |expected: &str| SettingsError::Wrong {
            name: self.name,
            value: text.to_owned(),
            expected: expected.to_owned(),
        };
        match self.kind {
            Kind::Text => {
                let fits = !text.is_empty() && !text.contains(char::is_control);
                fits.then(|| text.into())
                    .ok_or_else(|| wrong("give a text in one line"))
            }
            Kind::Switch => match text {
                "true" | "on" | "yes" => Ok(true.into()),
                "false" | "off" | "no" => Ok(false.into()),
                _ => Err(wrong("give true or false")),
            },
            Kind::Level => {
                let level = text.parse().ok().and_then(Level::new);
                let level = level.ok_or_else(|| wrong("give a number from 1 to 10"))?;
                Ok(i64::from(level.number()).into())
            }
            Kind::Choice(choices) => {
                let expected = || wrong(&format!("give one of {}", choices.join(", ")));
                let choice = choices.iter().find(|choice| **choice == text);
                choice.map(|choice| (*choice).into()).ok_or_else(expected)
            }
            Kind::Clock => match text.parse::<TimeControl>() {
                Ok(_) => Ok(text.into()),
                Err(error) => Err(wrong(&error.to_string())),
            },
        }
    }
}

/// The settings of a file. What is not in it has its default.
#[derive(Clone, Debug)]
pub struct Settings {
    path: PathBuf,
    document: DocumentMut,
}

impl Settings {
    /// Reads a file, which need not be there. Comments in it stay when it is written again.
    pub fn load(path: impl Into<PathBuf>) -> Result<Self, SettingsError> {
        let path = path.into();
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                return Err(SettingsError::File {
                    path,
                    verb: "read",
                    error,
                });
            }
            Ok(text) => text,
        };
        match text.parse() {
            Ok(document) => Ok(Self { path, document }),
            Err(error) => Err(SettingsError::Syntax {
                path,
                problem: toml_edit::TomlError::to_string(&error).trim().to_owned(),
            }),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The value of a setting as it is typed.
    pub fn get(&self, name: &str) -> Result<String, SettingsError> {
        let setting = Setting::find(name)?;
        let Some(item) = self.document.get(setting.name) else {
            return Ok(setting.default.to_owned());
        };
        let in_file = |error| SettingsError::InFile {
            path: self.path.clone(),
            error: Box::new(error),
        };
        let value = setting.value(&plain(item)).map_err(in_file)?;
        Ok(plain(&Item::Value(value)))
    }

    /// Whether a setting is in the file.
    pub fn is_set(&self, name: &str) -> bool {
        self.document.contains_key(name)
    }

    /// What is in the file but is no setting, perhaps because of a slip of the pen.
    pub fn unknown(&self) -> Vec<String> {
        let names = self.document.iter().map(|(name, _)| name);
        names
            .filter(|name| Setting::find(name).is_err())
            .map(str::to_owned)
            .collect()
    }

    /// Gives a setting a value. It is for the caller to [`save`](Self::save) it.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingsError> {
        let setting = Setting::find(name)?;
        let mut value = setting.value(value)?;
        // What stands around the old value, such as a comment, stays.
        match self.document.get_mut(name) {
            Some(old) => {
                if let Some(old) = old.as_value() {
                    *value.decor_mut() = old.decor().clone();
                }
                *old = Item::Value(value);
            }
            None => drop(self.document.insert(name, Item::Value(value))),
        }
        Ok(())
    }

    /// Gives a setting its default again. Names that are no settings can be removed, too.
    pub fn unset(&mut self, name: &str) -> Result<(), SettingsError> {
        if self.document.as_table_mut().remove(name).is_none() {
            Setting::find(name)?;
        }
        Ok(())
    }

    /// Writes the file: all of it or nothing.
    pub fn save(&self) -> Result<(), SettingsError> {
        let write = || {
            if let Some(folder) = self.path.parent() {
                fs::create_dir_all(folder)?;
            }
            whole_file::replace(&self.path, &self.document.to_string())
        };
        match write() {
            Ok(_) => Ok(()),
            Err(error) => Err(SettingsError::File {
                path: self.path.clone(),
                verb: "written",
                error,
            }),
        }
    }

    /// How strong the computer is.
    pub fn level(&self) -> Result<Level, SettingsError> {
        let number = self.get("level")?.parse().ok();
        Ok(number.and_then(Level::new).unwrap_or(Level::FULL))
    }

    /// How much time the players have.
    pub fn clock(&self) -> Result<TimeControl, SettingsError> {
        Ok(self.get("clock")?.parse().unwrap_or_default())
    }

    /// Whether a switch is on.
    pub fn is_on(&self, name: &str) -> Result<bool, SettingsError> {
        Ok(self.get(name)? == "true")
    }
}

/// A value as it is typed, without quotation marks or comments.
fn plain(item: &Item) -> String {
    match item.as_str() {
        Some(text) => text.to_owned(),
        None => item.as_value().map_or_else(String::new, |value| {
            value.clone().decorated("", "").to_string()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Settings {
        Settings {
            path: "config.toml".into(),
            document: text.parse().unwrap(),
        }
    }

    #[test]
    fn defaults_fit() {
        let empty = settings("");
        for setting in SETTINGS {
            assert_eq!(empty.get(setting.name).unwrap(), setting.default);
            setting.value(setting.default).unwrap();
        }
        assert_eq!(empty.level().unwrap().number(), 3);
        assert!(empty.is_on("pace").unwrap());
    }

    #[test]
    fn comments_stay() {
        let text = "# mine\nlevel = 4 # easy\n\n[other]\nx = 1\n";
        let mut settings = settings(text);
        assert_eq!(settings.get("level").unwrap(), "4");
        settings.set("level", "5").unwrap();
        settings.set("side", "black").unwrap();
        let written = settings.document.to_string();
        assert!(
            written.starts_with("# mine\nlevel = 5 # easy\nside = \"black\"\n"),
            "{written}"
        );
        assert_eq!(settings.unknown(), ["other"]);
        settings.unset("level").unwrap();
        assert_eq!(settings.get("level").unwrap(), "3");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut empty = settings("");
        for (name, value, sentence) in [
            (
                "speed",
                "3",
                "there is no setting \"speed\"; the settings are name, level",
            ),
            (
                "level",
                "11",
                "level cannot be \"11\": give a number from 1 to 10",
            ),
            (
                "side",
                "green",
                "side cannot be \"green\": give one of white, black, random",
            ),
            (
                "pace",
                "maybe",
                "pace cannot be \"maybe\": give true or false",
            ),
            ("clock", "soon", "clock cannot be \"soon\": give minutes"),
            ("name", "", "name cannot be \"\": give a text in one line"),
        ] {
            let error = empty.set(name, value).unwrap_err().to_string();
            assert!(error.starts_with(sentence), "{error}");
        }
        let wrong = settings("level = \"high\"\n");
        let error = wrong.get("level").unwrap_err().to_string();
        assert!(
            error.starts_with("config.toml: level cannot be \"high\""),
            "{error}"
        );
        assert!(settings("").unset("speed").is_err());
    }
}
