//! The prompt in a pseudo-terminal, and Ctrl-C.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{Folder, PROGRAM, league, sql};

/// Generous, for busy machines.
const TIMEOUT: Duration = Duration::from_mins(5);

/// Says that it has begun, and then takes until it is stopped.
const ENDLESS: &str =
    "select 'begun' as begun; select sum(eval(fen_after(moves, 12, FEN), 1000000000)) from games;";

struct Prompt {
    child: Child,
    keys: ChildStdin,
    output: Receiver<Vec<u8>>,
    /// What was printed and not waited for yet.
    text: String,
}

impl Prompt {
    /// Starts the program in a pseudo-terminal, which `script` provides.
    fn start(home: &Folder, width: u16) -> Self {
        let command = format!(
            "stty cols {width} rows 50; exec '{PROGRAM}' query '{}'",
            league()
        );
        let mut child = Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .env("HOME", home.path(""))
            .env("XDG_CONFIG_HOME", home.path(""))
            .env("SHELL", "/bin/sh")
            .env("TERM", "xterm")
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, output) = channel();
        let (keys, mut screen) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count) = screen.read(&mut buffer)
                && count > 0
                && sender.send(buffer[..count].to_vec()).is_ok()
            {}
        });
        Self {
            child,
            keys,
            output,
            text: String::new(),
        }
    }

    /// Presses keys once the prompt waits for them: what Ctrl-D means before is lost.
    fn ask(&mut self, keys: &str) {
        self.wait_for("sql> ");
        self.press(keys);
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until a text is printed. Returns what came before it.
    fn wait_for(&mut self, wanted: &str) -> String {
        let end = Instant::now() + TIMEOUT;
        loop {
            if let Some((before, after)) = self.text.split_once(wanted) {
                let before = before.to_owned();
                self.text = after.to_owned();
                return before;
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("{wanted:?} does not come after {:?}", self.text)
                }
            }
        }
    }

    fn leave(mut self) {
        self.ask("\x04");
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Prompt {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_prompt_answers_completes_and_remembers() {
    let home = Folder::new();
    let mut prompt = Prompt::start(&home, 100);
    // Tab completes the only column that begins so.
    prompt.ask("select count(*) as n from games where WhiteE\t > 0;\r");
    prompt.wait_for("WhiteElo");
    prompt.wait_for("242");
    prompt.wait_for("(1 row)");
    // A query over two lines; an error does not end the prompt.
    prompt.ask("select 40 +\r2 as sum;\r");
    prompt.wait_for("42");
    prompt.ask("select nonsense;\r");
    prompt.wait_for("error: No field named nonsense");
    prompt.ask("help\r");
    prompt.wait_for("Tab completes names");
    prompt.leave();
    let history = fs::read_to_string(home.path("tabiya/sql-history")).unwrap();
    assert!(history.contains("nonsense"), "{history}");

    // The next time, the arrow key brings the last line back.
    let mut prompt = Prompt::start(&home, 100);
    prompt.ask("\x1b[A\x1b[A\r");
    prompt.wait_for("error: No field named nonsense");
    prompt.ask("quit\r");
    assert!(prompt.child.wait().unwrap().success());
}

#[test]
fn tables_fit_the_terminal() {
    let home = Folder::new();
    let mut prompt = Prompt::start(&home, 40);
    // In two lines, so that the query itself does not wrap.
    prompt.ask("select repeat('a', 50) as a, 7 as b,\r'x' as c;\r");
    prompt.wait_for(&format!("{}…  7  x", "a".repeat(33)));
    // Too many columns for one line: a line for each.
    prompt.ask("select * from games where game_id=3;\r");
    prompt.wait_for("TimeControl      60+0");
    prompt.wait_for("(1 row)");
    prompt.leave();
}

#[test]
fn ctrl_c_at_the_prompt_ends_the_query_and_nothing_else() {
    let home = Folder::new();
    let mut prompt = Prompt::start(&home, 200);
    prompt.ask(&format!("{ENDLESS}\r"));
    prompt.wait_for("(1 row)");
    prompt.press("\x03");
    prompt.wait_for("The query was stopped.");
    prompt.ask("select 6 * 7 as answer;\r");
    prompt.wait_for("42");
    prompt.leave();
}

#[test]
fn ctrl_c_ends_a_query_without_a_prompt() {
    let mut child = sql(&[league(), ENDLESS, "--csv"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "begun");
    assert_eq!(lines.next().unwrap().unwrap(), "begun");
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
