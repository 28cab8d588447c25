//! A game on the terminal, to be walked through with keys.

use anstyle::{Effects, Style};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use tabiya_notation::pgn::{Game, NodeId};
use tabiya_notation::{Letters, opening};

use super::games::{Games, Loaded};
use super::moves::{Moves, Word};
use super::terminal::{self, Terminal};
use super::{comment, diagram, occasion, title};
use crate::pgn::check::printable;
use crate::screen::Screen;

/// How many plies up and down go.
const LEAP: usize = 10;
/// The columns between the board and the moves.
const GAP: usize = 3;
/// Moves stand beside the board where they have at least so many columns, and else below it.
const NARROWEST_MOVES: usize = 18;
const KEYS: &str = "←→ move  ↑↓ ten  Home End  v variation  n p game  f flip  q quit";
const PLAIN_KEYS: &str = "arrows move/ten  Home End  v variation  n p game  f flip  q quit";

/// Shows games until the user has seen enough.
pub(crate) fn view(
    games: &mut Games,
    first: Loaded,
    letters: Letters,
    screen: Screen,
) -> anyhow::Result<()> {
    let mut view = View::new(first, letters, screen);
    let _entered = Terminal::enter()?;
    loop {
        let (columns, rows) = terminal::size()?;
        terminal::draw(&view.lines(columns, rows, games.total()), rows)?;
        let Event::Key(key) = event::read()? else {
            continue;
        };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        match Wish::of(key) {
            Some(Wish::Quit) => return Ok(()),
            Some(Wish::Game(by)) => {
                let number = view.loaded.number.saturating_add_signed(by);
                if number > 0
                    && let Some(loaded) = games.get(number)?
                {
                    let flipped = view.flipped;
                    view = View::new(loaded, letters, screen);
                    view.flipped = flipped;
                }
            }
            Some(Wish::Walk(step)) => view.walk(step),
            None => {}
        }
    }
}

/// What a key asks for.
enum Wish {
    Quit,
    Walk(Step),
    /// So many games on, or back.
    Game(isize),
}

#[derive(Clone, Copy)]
enum Step {
    On(usize),
    Back(usize),
    Start,
    End,
    /// To another move in place of the last, or of the next.
    Vary,
    Flip,
}

impl Wish {
    fn of(key: KeyEvent) -> Option<Self> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        Some(match key.code {
            KeyCode::Char('c' | 'd') if control => Self::Quit,
            KeyCode::Char('q') | KeyCode::Esc => Self::Quit,
            KeyCode::Right | KeyCode::Char(' ' | 'l') => Self::Walk(Step::On(1)),
            KeyCode::Left | KeyCode::Backspace | KeyCode::Char('h') => Self::Walk(Step::Back(1)),
            KeyCode::Down | KeyCode::PageDown | KeyCode::Char('j') => Self::Walk(Step::On(LEAP)),
            KeyCode::Up | KeyCode::PageUp | KeyCode::Char('k') => Self::Walk(Step::Back(LEAP)),
            KeyCode::Home => Self::Walk(Step::Start),
            KeyCode::End => Self::Walk(Step::End),
            KeyCode::Char('v') => Self::Walk(Step::Vary),
            KeyCode::Char('f') => Self::Walk(Step::Flip),
            KeyCode::Char('n') => Self::Game(1),
            KeyCode::Char('p') => Self::Game(-1),
            _ => return None,
        })
    }
}

/// A game and where one is in it.
struct View {
    loaded: Loaded,
    moves: Moves,
    at: NodeId,
    flipped: bool,
    screen: Screen,
}

impl View {
    fn new(loaded: Loaded, letters: Letters, screen: Screen) -> Self {
        Self {
            moves: Moves::of(&loaded.game, letters),
            loaded,
            at: Game::ROOT,
            flipped: false,
            screen,
        }
    }

    fn walk(&mut self, step: Step) {
        let game = &self.loaded.game;
        let on = |at: &NodeId| game.children(*at).next();
        let back = |at: &NodeId| game.parent(*at);
        let far = |count, way: &dyn Fn(&NodeId) -> Option<NodeId>| {
            let places = std::iter::successors(Some(self.at), way);
            places.take(count + 1).last().unwrap_or(self.at)
        };
        match step {
            Step::On(count) => self.at = far(count, &on),
            Step::Back(count) => self.at = far(count, &back),
            Step::Start => self.at = Game::ROOT,
            Step::End => self.at = far(usize::MAX - 1, &on),
            Step::Vary => self.at = self.varied(),
            Step::Flip => self.flipped = !self.flipped,
        }
    }

    /// The next of the moves that could stand in place of the last one; or, if there is only this one, the first of
    /// those in place of the next.
    fn varied(&self) -> NodeId {
        let game = &self.loaded.game;
        if let Some(parent) = game.parent(self.at) {
            let siblings: Vec<NodeId> = game.children(parent).collect();
            if siblings.len() > 1 {
                let index = siblings.iter().position(|&id| id == self.at).unwrap_or(0);
                return siblings[(index + 1) % siblings.len()];
            }
        }
        game.children(self.at).nth(1).unwrap_or(self.at)
    }

    fn paint(&self, style: Style, text: &str) -> String {
        if self.screen.color {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    /// The screen, line by line.
    fn lines(&self, columns: usize, rows: usize, total: Option<usize>) -> Vec<String> {
        let screen = Screen {
            columns: Some(columns),
            ..self.screen
        };
        let game = &self.loaded.game;
        let bold = Style::new().bold();
        let dim = Style::new().dimmed();
        let mut number = format!("Game {}", self.loaded.number);
        if let Some(total) = total {
            number.extend([" of ", &total.to_string()]);
        }
        let occasion = occasion(game).map(|occasion| format!("{number}: {occasion}"));
        let mut lines = vec![
            self.paint(bold, &clipped(&title(game), columns)),
            self.paint(dim, &clipped(&occasion.unwrap_or(number), columns)),
            String::new(),
        ];

        let picture = diagram(game, self.at, &self.moves, screen, self.flipped);
        let picture: Vec<&str> = picture.lines().collect();
        // On a low screen the board is more than the names.
        if rows < lines.len() + picture.len() + 4 {
            lines.truncate(1);
        }
        let free = rows.saturating_sub(lines.len() + picture.len() + 2);
        let remarks = self.remarks(screen, free);
        let board_width = width(picture[0]);
        let keys = if self.screen.color { KEYS } else { PLAIN_KEYS };
        let last = self.paint(dim, &clipped(keys, columns));

        let beside = columns.saturating_sub(board_width + GAP);
        let body = rows.saturating_sub(lines.len() + remarks.len() + 2);
        if beside >= NARROWEST_MOVES {
            let moves = self.move_lines(beside, body);
            for row in 0..body.max(picture.len()) {
                let left = picture.get(row).copied().unwrap_or("");
                let fill = board_width.saturating_sub(width(left)) + GAP;
                let right = moves.get(row).map_or("", String::as_str);
                lines.push(format!("{left}{:fill$}{right}", ""));
            }
        } else {
            lines.extend(picture.iter().map(|&line| line.to_owned()));
            let below = body.saturating_sub(picture.len());
            lines.extend(self.move_lines(columns, below));
        }
        lines.push(String::new());
        lines.extend(remarks);
        lines.truncate(rows.saturating_sub(1));
        lines.resize(rows.saturating_sub(1), String::new());
        lines.push(last);
        lines
    }

    /// What there is to say about the place: the opening, other moves, comments, what is broken.
    fn remarks(&self, screen: Screen, most: usize) -> Vec<String> {
        let game = &self.loaded.game;
        let mut texts = Vec::new();
        if let Some(problem) = &self.loaded.problem
            && game.children(self.at).next().is_none()
        {
            texts.push(printable(problem));
        }
        let path = std::iter::successors(Some(self.at), |&id| game.parent(id));
        if let Some(opening) = path
            .map(|id| self.moves.board(id))
            .find_map(|board| opening(&board))
        {
            texts.push(format!("{} {}", opening.eco, opening.name));
        }
        texts.extend(comment(game, self.at));
        let text: String = texts.iter().map(|text| screen.wrap(text, 0)).collect();
        let mut lines: Vec<String> = text
            .lines()
            .map(|line| clipped(line, screen.columns.unwrap_or(usize::MAX)))
            .collect();
        if lines.len() > most {
            lines.truncate(most);
            if let Some(last) = lines.last_mut() {
                let columns = screen.columns.unwrap_or(usize::MAX);
                *last = clipped(last, columns.saturating_sub(4)) + " ...";
            }
        }
        lines
    }

    /// The moves in lines, so many of them that the current one can be seen.
    fn move_lines(&self, columns: usize, rows: usize) -> Vec<String> {
        let mut lines: Vec<(String, usize)> = vec![(String::new(), 0)];
        let mut current = 0;
        for word in &self.moves.words {
            let is_here = word.place == Some(self.at);
            let shown = if is_here && !self.screen.color {
                format!("[{}]", word.text)
            } else {
                word.text.clone()
            };
            let length = shown.chars().count();
            let (_, column) = lines[lines.len() - 1];
            if column > 0 && column + 1 + length > columns {
                lines.push((String::new(), 0));
            }
            if is_here {
                current = lines.len() - 1;
            }
            let at = lines.len() - 1;
            let (line, column) = &mut lines[at];
            if *column > 0 {
                line.push(' ');
                *column += 1;
            }
            line.push_str(&self.painted(word, &shown, is_here));
            *column += length;
        }
        let first = current.saturating_sub(rows / 2);
        let first = first.min(lines.len().saturating_sub(rows));
        let lines = lines.into_iter().map(|(line, _)| line);
        lines.skip(first).take(rows).collect()
    }

    fn painted(&self, word: &Word, shown: &str, is_here: bool) -> String {
        let mut style = Style::new();
        if is_here {
            style = style.effects(Effects::INVERT | Effects::BOLD);
        } else if word.depth > 0 {
            style = style.dimmed();
        }
        self.paint(style, shown)
    }
}

/// How many columns a line takes.
fn width(line: &str) -> usize {
    let plain = anstream::adapter::strip_str(line).to_string();
    // The selector that asks for a plain pawn takes none.
    plain.chars().filter(|&letter| letter != '\u{fe0e}').count()
}

fn clipped(text: &str, columns: usize) -> String {
    text.chars().take(columns).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_notation::pgn::Reader;

    fn view(text: &str, color: bool) -> View {
        let game = Game::read(&mut Reader::new(text.as_bytes()))
            .unwrap()
            .unwrap();
        let loaded = Loaded {
            number: 1,
            game,
            problem: None,
        };
        let screen = Screen {
            color,
            terminal: true,
            columns: None,
        };
        View::new(loaded, Letters::ENGLISH, screen)
    }

    const GAME: &str = "1. e4 {best by test, as a very long comment says that goes on and on and on and on} \
                        e5 (1... c5 2. Nf3) (1... e6) 2. Nf3 Nc6 3. Bb5 *";

    #[test]
    fn every_size_is_filled_and_no_more() {
        for color in [false, true] {
            let mut view = view(GAME, color);
            for step in [Step::Start, Step::On(1), Step::Vary, Step::End, Step::Flip] {
                view.walk(step);
                for (columns, rows) in [(80, 24), (200, 60), (40, 24), (30, 15), (20, 5), (1, 1)] {
                    let lines = view.lines(columns, rows, Some(3));
                    assert_eq!(lines.len(), rows);
                    for line in lines {
                        // A board cannot be made narrower than it is.
                        assert!(
                            width(&line) <= columns.max(24),
                            "{columns} {rows}: {line:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn walking() {
        let mut view = view(GAME, false);
        let here = |view: &View| {
            let words = &view.moves.words;
            let word = words.iter().find(|word| word.place == Some(view.at));
            word.map_or(String::new(), |word| word.text.clone())
        };
        for (step, expected) in [
            (Step::Back(1), ""),
            (Step::On(1), "1. e4"),
            (Step::Vary, "(1... c5"),
            (Step::Vary, "(1... e6)"),
            (Step::Vary, "e5"),
            (Step::On(LEAP), "3. Bb5"),
            (Step::Back(2), "2. Nf3"),
            (Step::End, "3. Bb5"),
            (Step::Start, ""),
        ] {
            view.walk(step);
            assert_eq!(here(&view), expected);
        }
    }
}
