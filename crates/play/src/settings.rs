//! The user's settings, in a TOML file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tabiya_engine::Level;
use thiserror::Error;
use toml_edit::{Array, DocumentMut, Item, Value};

use tabiya_notation::TimeControl;
use tabiya_uci::EngineCommand;

/// A setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name in the file.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
    /// Its default value, as typed.
    pub default: &'static str,
    kind: SettingKind,
}

/// The type of a setting's value.
#[derive(Clone, Copy, Debug)]
enum SettingKind {
    Text,
    Switch,
    Level,
    Choice(&'static [&'static str]),
    Clock,
    Folder,
}

/// All settings, in display order.
pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "name",
        about: "your name in saved games",
        default: "Player",
        kind: SettingKind::Text,
    },
    Setting {
        name: "level",
        about: "the computer's strength, 1 to 10",
        default: "3",
        kind: SettingKind::Level,
    },
    Setting {
        name: "side",
        about: "your colour: white, black or random",
        default: "white",
        kind: SettingKind::Choice(&["white", "black", "random"]),
    },
    Setting {
        name: "clock",
        about: "minutes plus seconds per move as in 5+3, time per move as in 10s/move, or none",
        default: "none",
        kind: SettingKind::Clock,
    },
    Setting {
        name: "pace",
        about: "make the weaker levels think as long as a person would",
        default: "true",
        kind: SettingKind::Switch,
    },
    Setting {
        name: "resigns",
        about: "let the computer resign lost games (level 4 and up)",
        default: "true",
        kind: SettingKind::Switch,
    },
    Setting {
        name: "thinking",
        about: "show what the computer is thinking",
        default: "false",
        kind: SettingKind::Switch,
    },
    Setting {
        name: "eval",
        about: "show an evaluation bar beside the board",
        default: "false",
        kind: SettingKind::Switch,
    },
    Setting {
        name: "bell",
        about: "ring the bell when it is your turn",
        default: "false",
        kind: SettingKind::Switch,
    },
    Setting {
        name: "speak",
        about: "play line by line and in words, for a screen reader",
        default: "false",
        kind: SettingKind::Switch,
    },
    Setting {
        name: "theme",
        about: "the colour theme: dark, light, high-contrast or colour-blind",
        default: "dark",
        kind: SettingKind::Choice(&["dark", "light", "high-contrast", "colour-blind"]),
    },
    Setting {
        name: "pieces",
        about: "how pieces are drawn: figures, or letters (plain ASCII)",
        default: "figures",
        kind: SettingKind::Choice(&["figures", "letters"]),
    },
    Setting {
        name: "archive",
        about: "the archive whose openings the analysis board shows: the full path of its folder, or none",
        default: NO_FOLDER,
        kind: SettingKind::Folder,
    },
];

/// The value for no folder.
const NO_FOLDER: &str = "none";

/// The list of engines in the file. It is not a setting that a person types.
const ENGINES: &str = "engines";
/// The most letters in a setting.
const MAX_TEXT: usize = 100;
/// The most letters in the path of a folder.
const MAX_PATH: usize = 1000;

/// A problem with the settings.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// There is no such setting.
    #[error("there is no setting {name:?}; the settings are {}", names())]
    Unknown {
        /// The unknown name.
        name: String,
    },
    /// The value is invalid.
    #[error("invalid value {value:?} for {name}: {expected}")]
    InvalidValue {
        /// The setting.
        name: &'static str,
        /// The value.
        value: String,
        /// The values it accepts.
        expected: String,
    },
    /// The value is too long to print.
    #[error("the value of {name} is too long: use at most {most} characters")]
    TooLong {
        /// The setting.
        name: &'static str,
        /// The most characters.
        most: usize,
    },
    /// The file is not valid TOML.
    #[error("{path} is not valid TOML: {problem}", path = path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The problem and its place.
        problem: String,
    },
    /// A value in the file is invalid.
    #[error("{path}: {error}; correct it, or reset it with: tabiya config unset NAME", path = path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// The setting and the problem.
        error: Box<SettingsError>,
    },
    /// The file cannot be read or written.
    #[error("could not {verb} {path}: {error}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// "read" or "write".
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
    /// Finds a setting by name.
    pub fn find(name: &str) -> Result<&'static Self, SettingsError> {
        let found = SETTINGS.iter().find(|setting| setting.name == name);
        found.ok_or_else(|| SettingsError::Unknown {
            name: name.to_owned(),
        })
    }

    /// Parses a typed value into the value for the file.
    fn value(&self, text: &str) -> Result<Value, SettingsError> {
        let text = text.trim();
        let wrong = |expected: &str| SettingsError::InvalidValue {
            name: self.name,
            value: text.to_owned(),
            expected: expected.to_owned(),
        };
        match self.kind {
            SettingKind::Text => {
                let fits = !text.is_empty() && !text.contains(char::is_control);
                if text.chars().count() > MAX_TEXT {
                    return Err(SettingsError::TooLong {
                        name: self.name,
                        most: MAX_TEXT,
                    });
                }
                fits.then(|| text.into())
                    .ok_or_else(|| wrong("enter one line of text"))
            }
            SettingKind::Switch => match text {
                "true" | "on" | "yes" => Ok(true.into()),
                "false" | "off" | "no" => Ok(false.into()),
                _ => Err(wrong("use true or false")),
            },
            SettingKind::Level => {
                let level = text.parse().ok().and_then(Level::new);
                let level = level.ok_or_else(|| wrong("use a number from 1 to 10"))?;
                Ok(i64::from(level.number()).into())
            }
            SettingKind::Choice(choices) => {
                let expected = || wrong(&format!("use one of {}", choices.join(", ")));
                let choice = choices.iter().find(|choice| **choice == text);
                choice.map(|choice| (*choice).into()).ok_or_else(expected)
            }
            SettingKind::Folder => {
                let is_path = Path::new(text).is_absolute() && !text.contains(char::is_control);
                if text.chars().count() > MAX_PATH {
                    // Not the value, which is too long to print.
                    return Err(SettingsError::TooLong {
                        name: self.name,
                        most: MAX_PATH,
                    });
                }
                (is_path || text == NO_FOLDER)
                    .then(|| text.into())
                    .ok_or_else(|| wrong("use the full path of a folder, or none"))
            }
            SettingKind::Clock => match text.parse::<TimeControl>() {
                Ok(_) => Ok(text.into()),
                Err(error) => Err(wrong(&error.to_string())),
            },
        }
    }
}

/// The settings in a file. Settings that are not in the file have their defaults.
#[derive(Clone, Debug)]
pub struct Settings {
    path: PathBuf,
    document: DocumentMut,
}

impl Settings {
    /// Reads a file, if it exists. Saving keeps its comments.
    pub fn load(path: impl Into<PathBuf>) -> Result<Self, SettingsError> {
        let path = path.into();
        let text = tabiya_files::open(&path).and_then(|file| tabiya_files::read_text(&file));
        let text = match text {
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

    /// The value of a setting, as typed.
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

    /// The engines that the person has chosen as opponents, in the order in which they were added.
    pub fn engines(&self) -> Vec<EngineCommand> {
        let list = self.document.get(ENGINES).and_then(Item::as_array);
        let lines = list.into_iter().flatten().filter_map(Value::as_str);
        lines.filter_map(EngineCommand::parse).collect()
    }

    /// Adds an engine to the list and saves the file. Only these engines are started again when a game is resumed.
    pub fn remember_engine(&mut self, engine: &EngineCommand) -> Result<(), SettingsError> {
        if self.engines().contains(engine) {
            return Ok(());
        }
        let list = self
            .document
            .entry(ENGINES)
            .or_insert_with(|| Item::Value(Array::new().into()));
        if list.as_array().is_none() {
            *list = Item::Value(Array::new().into());
        }
        if let Some(list) = list.as_array_mut() {
            list.push(engine.to_string());
        }
        self.save()
    }

    /// Unknown names in the file, probably misspelled.
    pub fn unknown(&self) -> Vec<String> {
        let names = self.document.iter().map(|(name, _)| name);
        names
            .filter(|&name| name != ENGINES && Setting::find(name).is_err())
            .map(str::to_owned)
            .collect()
    }

    /// Changes a setting. [`save`](Self::save) writes it to the file.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingsError> {
        let setting = Setting::find(name)?;
        let mut value = setting.value(value)?;
        // Keep the spaces and comments around the old value.
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

    /// Resets a setting to its default. Also removes unknown names.
    pub fn unset(&mut self, name: &str) -> Result<(), SettingsError> {
        if self.document.as_table_mut().remove(name).is_none() {
            Setting::find(name)?;
        }
        Ok(())
    }

    /// Writes the file atomically.
    pub fn save(&self) -> Result<(), SettingsError> {
        let write = || {
            if let Some(folder) = self.path.parent() {
                fs::create_dir_all(folder)?;
            }
            tabiya_files::replace(&self.path, &self.document.to_string())
        };
        match write() {
            Ok(_) => Ok(()),
            Err(error) => Err(SettingsError::File {
                path: self.path.clone(),
                verb: "write",
                error,
            }),
        }
    }

    /// The computer's level.
    pub fn level(&self) -> Result<Level, SettingsError> {
        let number = self.get("level")?.parse().ok();
        Ok(number.and_then(Level::new).unwrap_or(Level::FULL))
    }

    /// The time control.
    pub fn clock(&self) -> Result<TimeControl, SettingsError> {
        Ok(self.get("clock")?.parse().unwrap_or_default())
    }

    /// The folder of the archive, if there is one.
    pub fn archive(&self) -> Result<Option<PathBuf>, SettingsError> {
        let folder = self.get("archive")?;
        Ok((folder != NO_FOLDER).then(|| folder.into()))
    }

    /// Whether a switch is on.
    pub fn is_on(&self, name: &str) -> Result<bool, SettingsError> {
        Ok(self.get(name)? == "true")
    }
}

/// A value as typed, without quotation marks and comments.
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
    fn defaults_are_valid() {
        let empty = settings("");
        for setting in SETTINGS {
            assert_eq!(empty.get(setting.name).unwrap(), setting.default);
            setting.value(setting.default).unwrap();
        }
        assert_eq!(empty.level().unwrap().number(), 3);
        assert!(empty.is_on("pace").unwrap());
    }

    #[test]
    fn saving_keeps_comments() {
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
    fn engines_are_kept_as_a_list() {
        let folder = std::env::temp_dir().join(format!("tabiya-engines-{}", std::process::id()));
        let mut settings = Settings::load(folder.join("config.toml")).unwrap();
        let engines = ["stockfish Hash=64", "'/opt/my engine' --quiet"];
        for line in engines.iter().chain(&engines) {
            settings
                .remember_engine(&EngineCommand::parse(line).unwrap())
                .unwrap();
        }
        let settings = Settings::load(settings.path()).unwrap();
        let expected = engines.map(|line| EngineCommand::parse(line).unwrap());
        assert_eq!(settings.engines(), expected);
        assert!(settings.unknown().is_empty());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn an_archive_is_a_full_path() {
        let mut empty = settings("");
        assert_eq!(empty.archive().unwrap(), None);
        let folder = std::env::temp_dir().join("my games");
        empty.set("archive", folder.to_str().unwrap()).unwrap();
        assert_eq!(empty.archive().unwrap(), Some(folder.clone()));
        empty.set("archive", "none").unwrap();
        assert_eq!(empty.archive().unwrap(), None);
        let long = format!("{}{}", folder.display(), "x".repeat(2000));
        for (value, expected) in [
            ("games", "use the full path of a folder, or none"),
            ("", "use the full path of a folder, or none"),
            ("/a\nb", "use the full path of a folder, or none"),
            (&long, "use at most 1000 characters"),
        ] {
            let error = empty.set("archive", value).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn long_names_are_errors() {
        let mut empty = settings("");
        let long = "x".repeat(65_600);
        let error = empty.set("name", &long).unwrap_err().to_string();
        assert_eq!(
            error,
            "the value of name is too long: use at most 100 characters"
        );
        let error = settings(&format!("name = \"{long}\""))
            .get("name")
            .unwrap_err();
        assert!(error.to_string().len() < 200, "{error}");
    }

    #[test]
    fn invalid_values_are_errors() {
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
                "invalid value \"11\" for level: use a number from 1 to 10",
            ),
            (
                "side",
                "green",
                "invalid value \"green\" for side: use one of white, black, random",
            ),
            (
                "pace",
                "maybe",
                "invalid value \"maybe\" for pace: use true or false",
            ),
            ("clock", "soon", "invalid value \"soon\" for clock: "),
            (
                "name",
                "",
                "invalid value \"\" for name: enter one line of text",
            ),
        ] {
            let error = empty.set(name, value).unwrap_err().to_string();
            assert!(error.starts_with(sentence), "{error}");
        }
        let wrong = settings("level = \"high\"\n");
        let error = wrong.get("level").unwrap_err().to_string();
        assert!(
            error.starts_with("config.toml: invalid value \"high\" for level"),
            "{error}"
        );
        assert!(settings("").unset("speed").is_err());
    }
}
