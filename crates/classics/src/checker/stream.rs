//! Many lines: read in blocks, checked on several threads, answered in order.

use std::io::{self, Read, Write};
use std::mem;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, Scope};

use memchr::{memchr, memrchr};

use super::line::{LineReader, Verdict, verdict};
use super::{BYTE_ORDER_MARK, Failure, Summary};

/// How many bytes are handed to a thread at a time.
const BLOCK: usize = 1 << 18;
/// So many blocks a thread are being worked on or wait for an earlier one.
const AHEAD: usize = 4;

/// Checks all lines of an input on so many threads, and writes the answers in the order of the lines, one a line. After
/// each block `tick` is called, to show how far it has come.
///
/// Memory is bounded, however many lines there are and however long they are.
pub fn check(
    input: impl Read,
    output: &mut impl Write,
    threads: usize,
    mut tick: impl FnMut(),
) -> Result<Summary, Failure> {
    let mut blocks = Blocks::new(input);
    let mut summary = Summary::default();
    let mut write = |answers: &Answers| {
        summary.add(answers.summary);
        let written = output.write_all(&answers.text);
        tick();
        written.map_err(Failure::Write)
    };
    if threads <= 1 {
        while let Some(block) = blocks.next().map_err(Failure::Read)? {
            write(&block.answers())?;
        }
        return Ok(summary);
    }
    thread::scope(|scope| {
        let mut workers = Vec::with_capacity(threads);
        for _ in 0..threads {
            match Worker::start(scope) {
                Ok(worker) => workers.push(worker),
                Err(error) if workers.is_empty() => return Err(Failure::NoThreads(error)),
                // Fewer do as well.
                Err(_) => break,
            }
        }
        // The blocks go round, and their answers are fetched in the same order.
        let mut sent: usize = 0;
        let mut written: usize = 0;
        let mut ended = false;
        loop {
            while !ended && sent - written < workers.len() * AHEAD {
                match blocks.next().map_err(Failure::Read)? {
                    Some(block) => {
                        // A thread that has come to a bad end is found when its answers are missing.
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
                // Its panic goes on where the threads are waited for.
                return Ok(());
            };
            write(&answers)?;
            written += 1;
        }
    })?;
    Ok(summary)
}

/// A thread that checks blocks, and the way to it and back. It ends when nobody sends any more.
struct Worker {
    blocks: Sender<Block>,
    answers: Receiver<Answers>,
}

impl Worker {
    fn start<'scope>(scope: &'scope Scope<'scope, '_>) -> io::Result<Self> {
        let (blocks, todo) = mpsc::channel::<Block>();
        let (done, answers) = mpsc::channel();
        thread::Builder::new().spawn_scoped(scope, move || {
            for block in todo {
                if done.send(block.answers()).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { blocks, answers })
    }
}

/// Whole lines, and before them perhaps one that was too long for a block and was checked while it was read.
struct Block {
    long: Option<Verdict>,
    text: Vec<u8>,
}

/// What there is to say about a block.
struct Answers {
    text: Vec<u8>,
    summary: Summary,
}

impl Block {
    fn answers(&self) -> Answers {
        let mut answers = Answers {
            text: Vec::with_capacity(self.text.len() / 4),
            summary: Summary::default(),
        };
        if let Some(verdict) = &self.long {
            answers.add(verdict);
        }
        let mut rest = &self.text[..];
        while !rest.is_empty() {
            let end = memchr(b'\n', rest).unwrap_or(rest.len());
            answers.add(&verdict(&rest[..end]));
            rest = rest.get(end + 1..).unwrap_or_default();
        }
        answers
    }
}

impl Answers {
    fn add(&mut self, verdict: &Verdict) {
        self.summary.count(verdict);
        // The answers that make up nearly all of a file go without the formatter, which takes longer than the checking.
        match verdict {
            Verdict::Legal => self.text.extend_from_slice(b"Legal\n"),
            Verdict::Illegal(step) => {
                let [a, b, c, d] = step.digits();
                let line = [a, b' ', b, b' ', c, b' ', d];
                self.text.extend_from_slice(&line);
                self.text.extend_from_slice(b" illegal\n");
            }
            Verdict::Error(_) => {
                // Writing to memory does not fail.
                let _ = writeln!(self.text, "{verdict}");
            }
        }
    }
}

/// An input cut into blocks.
struct Blocks<R> {
    input: R,
    /// What has been read of the next block.
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
            return Ok((!text.is_empty()).then_some(Block { long: None, text }));
        }
        match memrchr(b'\n', &text) {
            Some(end) => {
                self.rest.extend_from_slice(&text[end + 1..]);
                text.truncate(end + 1);
                Ok(Some(Block { long: None, text }))
            }
            None => self.long_line(text).map(Some),
        }
    }

    /// Checks a line that starts with this text and goes on.
    fn long_line(&mut self, mut text: Vec<u8>) -> io::Result<Block> {
        let mut reader = LineReader::new(());
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
            long: Some(reader.finish()),
            text: Vec::new(),
        })
    }

    /// Reads until there is a block of text, or no more.
    fn fill(&mut self, text: &mut Vec<u8>) -> io::Result<()> {
        let wanted = BLOCK.saturating_sub(text.len());
        text.reserve(wanted);
        let mut input = self.input.by_ref().take(wanted as u64);
        if !self.ended && input.read_to_end(text)? < wanted {
            self.ended = true;
        }
        Ok(())
    }
}
