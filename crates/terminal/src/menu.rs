//! The main menu and the page of the classics.

use crossterm::event::KeyCode;
use ratatui::Frame;
use tabiya_board::Board;
use tabiya_notation::pgn::Game;

use crate::app::{MenuCommand, Screen, Transition, UserInput};
use crate::appearance::Appearance;
use crate::context::SharedContext;
use crate::files::FilesScreen;
use crate::game::GameScreen;
use crate::game_view::Message;
use crate::keys::Key;
use crate::list::{List, ListAction, ListEntry, Page};
use crate::replay::ReplayScreen;
use crate::settings::SettingsScreen;
use crate::setup::SetupScreen;

const KEYS: [Key; 3] = [
    Key::plain(KeyCode::Enter, "open"),
    Key::plain(KeyCode::Up, "choose"),
    Key::plain(KeyCode::Char('q'), "quit"),
];

/// The menu, or the page of the classics.
pub(crate) struct MenuScreen {
    context: SharedContext,
    items: Vec<Item>,
    is_classics: bool,
    list: List,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    Continue,
    Computer,
    TwoPlayers,
    Analyse,
    Replay,
    Browser,
    Classics,
    Settings,
    Quit,
    Classic(Classic),
}

/// The five classic programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Classic {
    Chessmoves,
    Chessmaster,
    Herochess,
    Analysis,
    Checker,
}

impl Item {
    fn entry(self) -> ListEntry {
        let (label, detail) = match self {
            Self::Continue => ("Continue", "your unfinished game"),
            Self::Computer => ("Play the computer", "ten levels, with hints and undo"),
            Self::TwoPlayers => ("Two players", "on this computer"),
            Self::Analyse => ("Analyse", "try moves and see the engine's best lines"),
            Self::Replay => ("Replay a game", "from a PGN file"),
            Self::Browser => ("Open in the browser", "play and analyse on a web page"),
            Self::Classics => ("Classics", "five classic chess programs"),
            Self::Settings => ("Settings", "theme, name, level, clock and more"),
            Self::Quit => ("Quit", ""),
            Self::Classic(Classic::Chessmoves) => ("chessmoves", "a game, board by board"),
            Self::Classic(Classic::Chessmaster) => ("chessmaster", "where a lone piece can go"),
            Self::Classic(Classic::Herochess) => ("herochess", "a game at the console"),
            Self::Classic(Classic::Analysis) => ("analysis", "how a game ended, or a good move"),
            Self::Classic(Classic::Checker) => ("checker", "are these moves legal?"),
        };
        ListEntry::new(label, detail)
    }
}

impl MenuScreen {
    pub(crate) fn new(context: SharedContext) -> Self {
        let mut items = vec![
            Item::Computer,
            Item::TwoPlayers,
            Item::Analyse,
            Item::Replay,
            Item::Browser,
            Item::Classics,
            Item::Settings,
            Item::Quit,
        ];
        if has_unfinished(&context) {
            items.insert(0, Item::Continue);
        }
        Self {
            context,
            items,
            is_classics: false,
            list: List::default(),
        }
    }

    fn classics(context: SharedContext) -> Self {
        let programs = [
            Classic::Herochess,
            Classic::Chessmoves,
            Classic::Chessmaster,
            Classic::Analysis,
            Classic::Checker,
        ];
        Self {
            items: programs.map(Item::Classic).to_vec(),
            is_classics: true,
            context,
            list: List::default(),
        }
    }

    fn open(&mut self) -> Transition {
        let context = self.context.clone();
        let Some(&item) = self.items.get(self.list.chosen) else {
            return Transition::Stay;
        };
        match item {
            Item::Continue => self.resume_game(),
            Item::Computer => Transition::Open(Box::new(SetupScreen::new(context, false))),
            Item::TwoPlayers => Transition::Open(Box::new(SetupScreen::new(context, true))),
            Item::Analyse => {
                let save = context.borrow().save.clone();
                let explorer = context.borrow().explorer();
                let replay =
                    ReplayScreen::analysis(Game::new(Board::start()), save).with_explorer(explorer);
                Transition::Open(Box::new(replay))
            }
            Item::Replay => Transition::Open(Box::new(FilesScreen::new(context))),
            Item::Browser => Transition::Run(MenuCommand::Serve),
            Item::Classics => Transition::Open(Box::new(Self::classics(context))),
            Item::Settings => Transition::Open(Box::new(SettingsScreen::new(context))),
            Item::Quit => Transition::Quit,
            Item::Classic(Classic::Herochess) => Transition::Run(MenuCommand::Herochess),
            Item::Classic(other) => {
                self.list.message = Message::note(format!(
                    "Run it from the shell: {}",
                    match other {
                        Classic::Chessmoves => "echo \"1. e4 e5\" | tabiya classic chessmoves",
                        Classic::Chessmaster => "echo \"N c 5\" | tabiya classic chessmaster",
                        Classic::Analysis => {
                            "echo \"e4 e5 Bc4 Nc6 Qh5 Nf6\" | tabiya classic analysis"
                        }
                        _ => "tabiya classic checker boards.txt answers.txt",
                    }
                ));
                Transition::Stay
            }
        }
    }

    fn resume_game(&mut self) -> Transition {
        let found = self.context.borrow().resume();
        match found {
            Ok(Some(game)) => {
                let session = self.context.borrow().session(game);
                let screen = GameScreen::new(session, None, self.context.clone());
                return Transition::Open(Box::new(screen));
            }
            Ok(None) => self.list.message = Message::note("There is no unfinished game."),
            Err(error) => self.list.message = Message::refusal(error.to_string()),
        }
        Transition::Stay
    }

    fn press(&mut self, code: KeyCode) -> Transition {
        match code {
            KeyCode::Enter | KeyCode::Right | KeyCode::Char(' ') => self.open(),
            KeyCode::Esc | KeyCode::Char('q') => Transition::Back,
            _ => Transition::Stay,
        }
    }

    /// Clears the message when another entry is selected.
    fn moved(&mut self) -> Transition {
        self.list.message = Message::default();
        Transition::Stay
    }
}

fn has_unfinished(context: &SharedContext) -> bool {
    let unfinished = context.borrow().store.unfinished();
    unfinished.is_ok_and(|records| !records.is_empty())
}

impl Screen for MenuScreen {
    fn draw(&mut self, frame: &mut Frame, appearance: &Appearance) {
        let entries: Vec<ListEntry> = self.items.iter().map(|item| item.entry()).collect();
        let (title, about) = if self.is_classics {
            ("Classics", "five classic chess programs")
        } else {
            ("Tabiya", "chess in the terminal")
        };
        let page = Page::new(title, about, &KEYS);
        self.list.draw(page, &entries, frame, appearance);
    }

    fn handle(&mut self, input: UserInput, appearance: &mut Appearance) -> Transition {
        match self.list.handle(&input, appearance) {
            ListAction::Nothing => Transition::Stay,
            ListAction::Moved => self.moved(),
            ListAction::Key(code) => self.press(code),
            ListAction::Click { .. } => self.open(),
            ListAction::Wheel { down } => {
                self.list
                    .handle_key(if down { KeyCode::Down } else { KeyCode::Up });
                self.moved()
            }
        }
    }

    /// A game may have been started or finished.
    fn resume(&mut self, note: Option<&str>) {
        if self.is_classics {
            return;
        }
        self.list.message = note.map_or_else(Message::default, Message::note);
        let had = self.items.first() == Some(&Item::Continue);
        let has = has_unfinished(&self.context);
        if has && !had {
            self.items.insert(0, Item::Continue);
            self.list.chosen = 0;
        } else if had && !has {
            self.items.remove(0);
            self.list.chosen = self.list.chosen.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pictures::context;

    /// Chooses an entry and presses Enter.
    fn open(mut menu: MenuScreen, item: Item) -> Transition {
        menu.list.chosen = menu.items.iter().position(|&found| found == item).unwrap();
        menu.press(KeyCode::Enter)
    }

    #[test]
    fn the_browser_and_herochess_are_left_to_the_caller() {
        let browser = open(MenuScreen::new(context()), Item::Browser);
        assert!(matches!(browser, Transition::Run(MenuCommand::Serve)));
        let herochess = Item::Classic(Classic::Herochess);
        let herochess = open(MenuScreen::classics(context()), herochess);
        assert!(matches!(herochess, Transition::Run(MenuCommand::Herochess)));
    }
}
