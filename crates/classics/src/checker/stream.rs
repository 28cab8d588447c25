//! Checking many lines on several threads, with the verdicts in order.

use std::io::{self, Read, Write};
use std::mem;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, Scope};

use memchr::{memchr, memrchr};

use super::line::{LineChecker, LineVerdict, check_line};
use super::{BYTE_ORDER_MARK, CheckSummary, CheckerError};

/// How many bytes a thread gets at a time.
const BLOCK_SIZE: usize = 1 << 18;
/// How many blocks per thread may be in flight: being checked, or waiting for an earlier block.
const BLOCKS_PER_THREAD: usize = 4;

/// Checks all lines of an input and writes the verdicts in the same order, one per line. Calls `tick` after each block,
/// to show progress.
///
/// Memory stays constant, however many lines there are and however long they are.
pub fn check(
    input: impl Read,
    output: &mut impl Write,
    threads: usize,
    mut tick: impl FnMut(),
) -> Result<CheckSummary, CheckerError> {
    let mut blocks = Blocks::new(input);
    let mut summary = CheckSummary::default();
    let mut write = |answers: &BlockVerdicts| {
        summary.add(answers.summary);
        let written = output.write_all(&answers.text);
        tick();
        written.map_err(CheckerError::Write)
    };
    if threads <= 1 {
        while let Some(block) = blocks.next().map_err(CheckerError::Read)? {
            write(&block.check())?;
        }
        return Ok(summary);
    }
    thread::scope(|scope| {
        let mut workers = Vec::with_capacity(threads);
        for _ in 0..threads {
            match Worker::start(scope) {
                Ok(worker) => workers.push(worker),
                Err(error) if workers.is_empty() => return Err(CheckerError::NoThreads(error)),
                // Fewer threads work too.
                Err(_) => break,
            }
        }
        // Hand out blocks to the workers in turn, and collect their verdicts in the same order.
        let mut sent: usize = 0;
        let mut written: usize = 0;
        let mut ended = false;
        loop {
            while !ended && sent - written < workers.len() * BLOCKS_PER_THREAD {
                match blocks.next().map_err(CheckerError::Read)? {
                    Some(block) => {
                        // If the thread has panicked, receiving from it fails below.
                        let _ = workers[sent % workers.len()].blocks.send(block);
                        sent += 1;
                    }
                    None => ended = true,
                }
            }
            if written == sent {
                return Ok(());
            }
            let Ok(answers) = workers[written % workers.len()].answers.recv() else {
                // The scope passes its panic on when it joins the threads.
                return Ok(());
            };
            write(&answers)?;
            written += 1;
        }
    })?;
    Ok(summary)
}

/// A thread that checks blocks, with its channels. It ends when the sender is dropped.
struct Worker {
    blocks: Sender<Block>,
    answers: Receiver<BlockVerdicts>,
}

impl Worker {
    fn start<'scope>(scope: &'scope Scope<'scope, '_>) -> io::Result<Self> {
        let (blocks, todo) = mpsc::channel::<Block>();
        let (done, answers) = mpsc::channel();
        thread::Builder::new().spawn_scoped(scope, move || {
            for block in todo {
                if done.send(block.check()).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { blocks, answers })
    }
}

/// A number of whole lines. A line too long for a block was checked while it was read; its verdict comes first.
struct Block {
    long_line: Option<LineVerdict>,
    text: Vec<u8>,
}

/// The verdicts on a block, as text and in numbers.
struct BlockVerdicts {
    text: Vec<u8>,
    summary: CheckSummary,
}

impl Block {
    fn check(&self) -> BlockVerdicts {
        let mut answers = BlockVerdicts {
            text: Vec::with_capacity(self.text.len() / 4),
            summary: CheckSummary::default(),
        };
        if let Some(verdict) = &self.long_line {
            answers.add(verdict);
        }
        let mut rest = &self.text[..];
        while !rest.is_empty() {
            let end = memchr(b'\n', rest).unwrap_or(rest.len());
            answers.add(&check_line(&rest[..end]));
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        answers
    }
}

impl BlockVerdicts {
    fn add(&mut self, verdict: &LineVerdict) {
        self.summary.count(verdict);
        // Formatting would take longer than checking, so the common verdicts are written by hand.
        match verdict {
            LineVerdict::Legal => self.text.extend_from_slice(b"Legal\n"),
            LineVerdict::Illegal(mv) => {
                let [a, b, c, d] = mv.digits();
                let line = [a, b' ', b, b' ', c, b' ', d];
                self.text.extend_from_slice(&line);
                self.text.extend_from_slice(b" illegal\n");
            }
            LineVerdict::Error(_) => {
                // Writing to a Vec cannot fail.
                let _ = writeln!(self.text, "{verdict}");
            }
        }
    }
}

/// Cuts an input into blocks of whole lines.
struct Blocks<R> {
    input: R,
    /// The start of the next block.
    rest: Vec<u8>,
    started: bool,
    ended: bool,
}

impl<R: Read> Blocks<R> {
    const fn new(input: R) -> Self {
        Self {
            input,
            rest: Vec::new(),
            started: false,
            ended: false,
        }
    }

    fn next(&mut self) -> io::Result<Option<Block>> {
        let mut text = mem::take(&mut self.rest);
        self.fill(&mut text)?;
        if !mem::replace(&mut self.started, true) && text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len());
        }
        if self.ended {
            return Ok((!text.is_empty()).then_some(Block {
                long_line: None,
                text,
            }));
        }
        match memrchr(b'\n', &text) {
            Some(end) => {
                self.rest.extend_from_slice(&text[end + 1..]);
                text.truncate(end + 1);
                Ok(Some(Block {
                    long_line: None,
                    text,
                }))
            }
            None => self.long_line(text).map(Some),
        }
    }

    /// Checks a line that is longer than a block and starts with `text`.
    fn long_line(&mut self, mut text: Vec<u8>) -> io::Result<Block> {
        let mut reader = LineChecker::new(());
        loop {
            if let Some(end) = memchr(b'\n', &text) {
                reader.feed(&text[..end]);
                self.rest.extend_from_slice(&text[end + 1..]);
                break;
            }
            reader.feed(&text);
            if self.ended {
                break;
            }
            text.clear();
            self.fill(&mut text)?;
        }
        Ok(Block {
            long_line: Some(reader.finish()),
            text: Vec::new(),
        })
    }

    /// Reads until `text` is a whole block, or the input ends.
    fn fill(&mut self, text: &mut Vec<u8>) -> io::Result<()> {
        let wanted = BLOCK_SIZE.saturating_sub(text.len());
        text.reserve(wanted);
        let mut input = self.input.by_ref().take(wanted as u64);
        if !self.ended && input.read_to_end(text)? < wanted {
            self.ended = true;
        }
        Ok(())
    }
}
