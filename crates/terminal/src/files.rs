//! Files of games to choose from.

use std::path::{Path, PathBuf};

use crossterm::event::KeyCode;
use ratatui::Frame;
use ratatui::layout::Rect;
use tabiya_notation::Letters;

use crate::app::{Input, Screen, Step};
use crate::home::Shared;
use crate::keys::Key;
use crate::list::{self, Entry, Page, Places};
use crate::look::Look;
use crate::prompt::Prompt;
use crate::replay::Replay;
use crate::scene::Message;

const KEYS: [Key; 3] = [
    Key::plain(KeyCode::Enter, "open"),
    Key::plain(KeyCode::Up, "choose"),
    Key::plain(KeyCode::Esc, "back"),
];

/// More are not listed.
const MOST: usize = 200;

/// The finished games, the files of this folder, or one whose name is typed.
pub(crate) struct FilesScreen {
    home: Shared,
    files: Vec<(PathBuf, &'static str)>,
    chosen: usize,
    prompt: Prompt,
    message: Message,
    places: Places,
}

impl FilesScreen {
    pub(crate) fn new(home: Shared) -> Self {
        let mut files = Vec::new();
        let collection = home.borrow().store.collection();
        if collection.path().is_file() {
            let path = collection.path().to_owned();
            files.push((path, "the games that you have finished"));
        }
        files.extend(here().into_iter().map(|path| (path, "")));
        Self {
            home,
            files,
            chosen: 0,
            prompt: Prompt::new("File", "type the name of a PGN file, or choose one"),
            message: Message::default(),
            places: Places::default(),
        }
    }

    fn open(&mut self, path: &Path) -> Step {
        let opened = (self.home.borrow().open)(path);
        let first = opened.and_then(|mut source| Ok((source.get(1)?, source)));
        match first {
            Ok((Some(first), source)) => {
                let save = self.home.borrow().save.clone();
                let replay = Replay::new(Some(source), first, Letters::ENGLISH, save);
                Step::Open(Box::new(replay))
            }
            Ok((None, _)) => {
                self.message = Message::refusal(format!("there is no game in {}", path.display()));
                Step::Stay
            }
            Err(error) => {
                self.message = Message::refusal(error.to_string());
                Step::Stay
            }
        }
    }
}

/// The files of games in the folder where the program runs, by their names.
fn here() -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(".") else {
        return Vec::new();
    };
    let names = entries.filter_map(|entry| entry.ok().map(|entry| entry.file_name()));
    let is_game = |name: &String| {
        let plain = [".gz", ".bz2", ".zst"]
            .iter()
            .find_map(|ending| name.strip_suffix(ending))
            .unwrap_or(name);
        Path::new(plain)
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"))
    };
    let names = names.filter_map(|name| name.into_string().ok());
    let mut names: Vec<String> = names.filter(is_game).collect();
    names.sort();
    names.truncate(MOST);
    names.into_iter().map(PathBuf::from).collect()
}

impl Screen for FilesScreen {
    fn draw(&mut self, frame: &mut Frame, look: &Look) {
        let entries = self.files.iter().map(|(path, detail)| {
            let name = path.file_name().unwrap_or(path.as_os_str());
            Entry::new(&crate::caption::printable(&name.to_string_lossy()), detail)
        });
        let entries: Vec<Entry> = entries.collect();
        let page = Page {
            title: "Replay a game",
            about: "files of games",
            entries: &entries,
            chosen: self.chosen,
            message: &self.message,
            keys: &KEYS,
        };
        self.places = page.draw(frame, look);
        let area = frame.area();
        if area.height > 2 {
            let row = Rect {
                x: area.x + area.width.min(2),
                y: area.bottom() - 2,
                width: area.width.saturating_sub(4),
                height: 1,
            };
            self.prompt.draw(frame, row, look);
        }
    }

    fn handle(&mut self, input: Input, _look: &mut Look) -> Step {
        match input {
            Input::Key(key) => {
                if self.prompt.is_empty() && !matches!(key.code, KeyCode::Char(_)) {
                    if let Some(chosen) = list::moved(key.code, self.chosen, self.files.len()) {
                        self.chosen = chosen;
                        return Step::Stay;
                    }
                    match key.code {
                        KeyCode::Esc => return Step::Back,
                        KeyCode::Enter => {
                            let path = self.files.get(self.chosen).map(|(path, _)| path.clone());
                            return match path {
                                Some(path) => self.open(&path),
                                None => Step::Stay,
                            };
                        }
                        _ => {}
                    }
                }
                if key.code == KeyCode::Enter {
                    let path = PathBuf::from(self.prompt.take());
                    return self.open(&path);
                }
                self.prompt.edit(key);
                Step::Stay
            }
            Input::Paste(text) => {
                self.prompt.insert(&text);
                Step::Stay
            }
            Input::Press(point) => match self.places.entry_at(point) {
                Some(entry) => {
                    self.chosen = entry;
                    let path = self.files[entry].0.clone();
                    self.open(&path)
                }
                None => Step::Stay,
            },
            _ => Step::Stay,
        }
    }
}
