//! Streams, split into batches anywhere.

use super::*;

/// An event, its offset in the whole stream, and its line.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Seen {
    offset: u64,
    line: usize,
    event: String,
}

/// Returns all events of a text, read in one piece.
fn seen_in_one(text: &[u8]) -> Vec<Seen> {
    let mut reader = Reader::new(text);
    let mut seen = Vec::new();
    while let Some(event) = reader.next() {
        let offset = reader.event_offset();
        seen.push(Seen {
            offset: offset as u64,
            line: reader.line_and_column(offset).0,
            event: shown(event),
        });
    }
    seen
}

/// Returns its bytes a few at a time.
struct Dribble<'a> {
    text: &'a [u8],
    rng: Rng,
}

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(self.text.len());
        let length = most.min(1 + self.rng.below(100));
        let (now, later) = self.text.split_at(length);
        buffer[..length].copy_from_slice(now);
        self.text = later;
        Ok(length)
    }
}

/// Returns all events of a text, read in batches.
fn seen_in_batches(text: &[u8], size: usize) -> Vec<Seen> {
    let input = Dribble {
        text,
        rng: Rng::new(size as u64),
    };
    let mut seen = Vec::new();
    let mut bytes = 0;
    for batch in Batches::new(input, size) {
        let batch = batch.unwrap();
        assert_eq!(batch.bytes_before, bytes, "batches of {size}");
        assert!(!batch.text.is_empty());
        let range = bytes as usize..bytes as usize + batch.text.len();
        assert!(text[range] == batch.text, "batches of {size}");
        bytes += batch.text.len() as u64;
        let mut reader = Reader::new(&batch.text);
        while let Some(event) = reader.next() {
            let offset = reader.event_offset();
            seen.push(Seen {
                offset: batch.bytes_before + offset as u64,
                line: batch.line_and_column(offset).0,
                event: shown(event),
            });
        }
    }
    assert_eq!(bytes, text.len() as u64, "batches of {size}");
    seen
}

#[track_caller]
pub(super) fn check_batches(text: &[u8], sizes: impl IntoIterator<Item = usize>) {
    let wanted = seen_in_one(text);
    for size in sizes {
        let seen = seen_in_batches(text, size);
        if seen != wanted {
            let first = seen
                .iter()
                .zip(&wanted)
                .find(|(seen, wanted)| seen != wanted);
            panic!("batches of {size} give {first:?} for {:?}", escaped(text));
        }
    }
}

/// Bytes for a message.
pub(super) fn escaped(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}

#[test]
fn odd_files_give_the_same_in_batches_of_any_size() {
    let mut all = Vec::new();
    for (name, _) in ODD {
        let text = odd(name);
        check_batches(&text, [1, 64, 100]);
        all.extend_from_slice(&text);
        all.extend_from_slice(b"\n\n");
    }
    check_batches(&all, (60..400).step_by(7).chain([1000, 5000, 1 << 20]));
}

/// At the end of a batch, a name, a value, a result or a variation may be incomplete.
#[test]
fn batches_do_not_split_incomplete_games() {
    for unit in [
        "[Event \"a\"]\n[EventDate \"b\"]\n",
        "[Site \"a\nb 1-0 c\nd\"]\n*\n",
        "[Site\n\n\"1-0 * 1-0\"] *",
        "1. e4 (1. d4 1-0   ) 1... e5 1-0\n",
        "1. e4 (1. d4 1-0 \n\n [Event) 1... e5 1-0\n",
        "1. e4 1-0-1 1/2-1/2 1/2-1/2-1/2 *%\n*\n%*\n",
        "1. e4 {1-0 *} ; 1-0\n% 1-0\n1-0 {1-0 \n *}\n",
        "* \u{feff}[Event \"a\"]\n\u{feff}*",
        "*{;}",
        ". e} {open *\n\n1. c4 *\n\n1. c4 {clo {closed 1-0\n",
        "1. e4 {open *\n\n1. c4 *\n\n1. d4 } *\n",
    ] {
        let text = unit.repeat(1500 / unit.len());
        check_batches(text.as_bytes(), 64..=130);
    }
}

/// A unit repeated endlessly, generated as it is read.
struct Endless {
    unit: &'static [u8],
    left: usize,
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.left);
        for byte in &mut buffer[..length] {
            *byte = self.unit[self.at % self.unit.len()];
            self.at += 1;
        }
        self.left -= length;
        Ok(length)
    }
}

#[test]
fn memory_is_bounded_for_endless_streams() {
    let size = 4096;
    let units: [&[u8]; 7] = [
        b"[Event \"a\"]\n\n1. e4 e5 {[%clk 0:01:00]} 2. Nf3 1-0\n\n",
        b"1. e4 e5 2. Nf3 Nc6 1/2-1/2\n",
        b"1. e4 e5 2. Nf3 Nc6 *\r\n\r\n",
        b"1. e4 e5 (1... c5 *) 2. Nf3 Nc6 1-0 ",
        b"[Site \"a\"]\n\n1. e4 e5\n\n",
        b"[Site \"a]\n\n1. e4 e5\n\n",
        b"*",
    ];
    for unit in units {
        let games = 2_000_000 / unit.len();
        let input = Endless {
            unit,
            left: games * unit.len(),
            at: 0,
        };
        let (mut largest, mut ends) = (0, 0);
        for batch in Batches::new(input, size) {
            let batch = batch.unwrap();
            largest = largest.max(batch.text.len());
            for event in Reader::new(&batch.text) {
                ends += usize::from(matches!(event, Event::End(_)));
            }
        }
        let unit = escaped(unit);
        assert_eq!(ends, games, "{unit}");
        assert!(largest <= 16 * size, "{largest} bytes at once of {unit}");
    }
}

#[test]
fn stream_errors_are_returned() {
    struct Broken(usize);
    impl Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(io::Error::other("the disk is gone"));
            }
            self.0 -= 1;
            buffer[0] = b'*';
            Ok(1)
        }
    }
    let mut batches = Batches::new(Broken(1000), 64);
    let error = loop {
        match batches.next_batch() {
            Ok(batch) => assert!(batch.is_some(), "the stream just ends"),
            Err(error) => break error,
        }
    };
    assert_eq!(error.to_string(), "the disk is gone");
}
