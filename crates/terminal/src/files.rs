//! The page to choose a file of games.

use std::path::{Path, PathBuf};

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::Frame;

use crate::app::{Screen, Transition, UserInput};
use crate::appearance::Appearance;
use crate::context::SharedContext;
use crate::game_view::Message;
use crate::keys::Key;
use crate::list::{self, List, ListAction, ListEntry, Page};
use crate::prompt::Prompt;
use crate::replay::ReplayScreen;
use crate::text::printable;

const KEYS: [Key; 3] = [
    Key::plain(KeyCode::Enter, "open"),
    Key::plain(KeyCode::Up, "choose"),
    Key::plain(KeyCode::Esc, "back"),
];

/// The most files that are listed.
const MAX_FILES: usize = 200;

/// The page to choose a file: your finished games, the files in this folder, or any other by name.
pub(crate) struct FilesScreen {
    context: SharedContext,
    files: Vec<(PathBuf, &'static str)>,
    list: List,
    prompt: Prompt,
}

impl FilesScreen {
    pub(crate) fn new(context: SharedContext) -> Self {
        let mut files = Vec::new();
        let collection = context.borrow().store.collection();
        if collection.path().is_file() {
            let path = collection.path().to_owned();
            files.push((path, "your finished games"));
        }
        files.extend(here().into_iter().map(|path| (path, "")));
        Self {
            context,
            files,
            list: List::default(),
            prompt: Prompt::new("File", "type the name of a PGN file, or choose one above"),
        }
    }

    fn open(&mut self, path: &Path) -> Transition {
        let opened = (self.context.borrow().open)(path);
        let first = opened.and_then(|mut source| Ok((source.get(1)?, source)));
        match first {
            Ok((Some(first), source)) => {
                let save = self.context.borrow().save.clone();
                let letters = source.letters();
                let explorer = self.context.borrow().explorer();
                let replay =
                    ReplayScreen::new(Some(source), first, letters, save).with_explorer(explorer);
                Transition::Open(Box::new(replay))
            }
            Ok((None, _)) => {
                self.list.message = Message::refusal(format!("{} has no games", path.display()));
                Transition::Stay
            }
            Err(error) => {
                self.list.message = Message::refusal(error.to_string());
                Transition::Stay
            }
        }
    }

    fn open_chosen(&mut self) -> Transition {
        match self.files.get(self.list.chosen) {
            Some((path, _)) => self.open(&path.clone()),
            None => Transition::Stay,
        }
    }

    /// Letters go to the prompt. Other keys navigate the list if the prompt is empty.
    fn press(&mut self, key: KeyEvent) -> Transition {
        let is_empty = self.prompt.is_empty();
        match key.code {
            KeyCode::Enter if is_empty => return self.open_chosen(),
            KeyCode::Enter => {
                let path = PathBuf::from(self.prompt.take());
                return self.open(&path);
            }
            KeyCode::Esc if is_empty => return Transition::Back,
            KeyCode::Char(_) => {
                self.prompt.edit(key);
            }
            code if is_empty => {
                self.list.handle_key(code);
            }
            _ => {
                self.prompt.edit(key);
            }
        }
        Transition::Stay
    }
}

/// The PGN files in the current folder, sorted by name.
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
    names.truncate(MAX_FILES);
    names.into_iter().map(PathBuf::from).collect()
}

impl Screen for FilesScreen {
    fn draw(&mut self, frame: &mut Frame, appearance: &Appearance) {
        let entries = self.files.iter().map(|(path, detail)| {
            let name = path.file_name().unwrap_or(path.as_os_str());
            ListEntry::new(&printable(&name.to_string_lossy()), detail)
        });
        let entries: Vec<ListEntry> = entries.collect();
        let page = Page {
            title: "Replay a game",
            about: "choose a PGN file",
            keys: &KEYS,
            has_prompt: true,
            value_width: 0,
        };
        self.list.draw(page, &entries, frame, appearance);
        list::draw_prompt(&self.prompt, frame, appearance);
    }

    fn handle(&mut self, input: UserInput, appearance: &mut Appearance) -> Transition {
        match input {
            UserInput::Key(key) => return self.press(key),
            UserInput::Paste(text) => self.prompt.insert(&text),
            UserInput::Press(point) => match self.list.handle_press(point, appearance) {
                ListAction::Key(code) => return self.press(code.into()),
                ListAction::Click { .. } => return self.open_chosen(),
                _ => {}
            },
            UserInput::Wheel { down } => {
                self.list
                    .handle_key(if down { KeyCode::Down } else { KeyCode::Up });
            }
            UserInput::Release(_) => {}
        }
        Transition::Stay
    }
}
