//! The encoding of text: everything is read as UTF-8.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// UTF-16 is decoded in pieces of this many bytes.
const CHUNK: usize = 1 << 16;

/// How the text of a file is encoded, as far as its first bytes say so.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// UTF-8, or Latin-1 where it is not UTF-8: older files mix the two.
    #[default]
    Utf8,
    /// UTF-16 with the low byte first, as Windows writes it.
    Utf16Le,
    /// UTF-16 with the high byte first.
    Utf16Be,
}

impl Encoding {
    /// Returns the name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le | Self::Utf16Be => "UTF-16",
        }
    }

    /// Recognises UTF-16 by its byte order mark or, without one, by its first two characters, if they are ASCII.
    fn of_start(start: &[u8]) -> io::Result<Self> {
        let is_ascii = |byte: u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        Ok(match *start {
            [0xff, 0xfe, 0, 0] | [0, 0, 0xfe, 0xff] => {
                let advice = "it is UTF-32; convert it with: iconv -f UTF-32 -t UTF-8";
                return Err(io::Error::new(io::ErrorKind::InvalidData, advice));
            }
            [0xff, 0xfe, ..] => Self::Utf16Le,
            [0xfe, 0xff, ..] => Self::Utf16Be,
            [first, 0, second, 0] if is_ascii(first) && is_ascii(second) => Self::Utf16Le,
            [0, first, 0, second] if is_ascii(first) && is_ascii(second) => Self::Utf16Be,
            _ => Self::Utf8,
        })
    }
}

/// The encoding of an input, known once its first bytes have been read.
#[derive(Clone, Default, Debug)]
pub(crate) struct EncodingSlot(Arc<AtomicU8>);

impl EncodingSlot {
    fn set(&self, encoding: Encoding) {
        self.0.store(encoding as u8, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> Encoding {
        let all = [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be];
        let index = usize::from(self.0.load(Ordering::Relaxed));
        all.get(index).copied().unwrap_or_default()
    }
}

/// Turns text into UTF-8 while it is read.
pub(crate) struct Decoder<R> {
    bytes: R,
    encoding: EncodingSlot,
    /// Whether the encoding is still to be found.
    is_new: bool,
    /// Whether the encoding is one that is not read.
    refused: bool,
    utf16: bool,
    /// Decoded or peeked bytes.
    ready: Vec<u8>,
    /// How many of those have been handed out.
    taken: usize,
    /// Half a character.
    odd: Vec<u8>,
}

impl<R: Read> Decoder<R> {
    pub(crate) fn new(bytes: R, encoding: EncodingSlot) -> Self {
        Self {
            bytes,
            encoding,
            is_new: true,
            refused: false,
            utf16: false,
            ready: Vec::new(),
            taken: 0,
            odd: Vec::new(),
        }
    }

    fn find_encoding(&mut self) -> io::Result<()> {
        let mut start = Vec::new();
        self.bytes.by_ref().take(4).read_to_end(&mut start)?;
        // After a refusal, the text has ended: it is not read in another encoding.
        self.is_new = false;
        let encoding = match Encoding::of_start(&start) {
            Ok(encoding) => encoding,
            Err(error) => {
                self.refused = true;
                return Err(error);
            }
        };
        self.encoding.set(encoding);
        self.utf16 = encoding != Encoding::Utf8;
        if self.utf16 {
            let mark = matches!(start[..], [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
            self.odd = start.split_off(if mark { 2 } else { 0 });
        } else {
            self.ready = start;
        }
        Ok(())
    }

    /// Decodes the next piece; leaves nothing ready only at the end.
    fn decode(&mut self) -> io::Result<()> {
        let mut raw = std::mem::take(&mut self.odd);
        let more = self.bytes.by_ref().take(CHUNK as u64);
        let at_end = { more }.read_to_end(&mut raw)? == 0;
        let unit = |pair: &[u8]| match self.encoding.get() {
            Encoding::Utf16Be => u16::from_be_bytes([pair[0], pair[1]]),
            _ => u16::from_le_bytes([pair[0], pair[1]]),
        };
        // Keep half a unit, and the first half of a pair of surrogates, for the next piece.
        let mut whole = raw.len() & !1;
        if !at_end && whole >= 2 && matches!(unit(&raw[whole - 2..]), 0xd800..=0xdbff) {
            whole -= 2;
        }
        let units = raw[..whole].chunks_exact(2).map(unit);
        let text: String = char::decode_utf16(units)
            .map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
        self.ready = text.into_bytes();
        self.taken = 0;
        if at_end && whole < raw.len() {
            let replacement = char::REPLACEMENT_CHARACTER.to_string();
            self.ready.extend_from_slice(replacement.as_bytes());
        } else {
            self.odd = raw.split_off(whole);
        }
        Ok(())
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_new {
            self.find_encoding()?;
        }
        if self.refused {
            return Ok(0);
        }
        if self.taken == self.ready.len() {
            if !self.utf16 {
                return self.bytes.read(buffer);
            }
            self.decode()?;
        }
        let ready = &self.ready[self.taken..];
        let count = ready.len().min(buffer.len());
        buffer[..count].copy_from_slice(&ready[..count]);
        self.taken += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> (String, Encoding) {
        let slot = EncodingSlot::default();
        let mut text = String::new();
        // One byte at a time: no character may be cut in half.
        let slow = bytes
            .chunks(1)
            .fold(Box::new(io::empty()) as Box<dyn Read>, |before, byte| {
                Box::new(before.chain(byte))
            });
        let mut decoder = Decoder::new(slow, slot.clone());
        decoder.read_to_string(&mut text).unwrap();
        (text, slot.get())
    }

    fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    #[test]
    fn utf_16_is_decoded_with_and_without_a_mark() {
        let game = "[White \"Müller 王 🙂\"]\n\n1. e4 e5 *\n";
        let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
        for text in [game, position, "# Ö\n", "\r\n% x\n"] {
            for mark in ["", "\u{feff}"] {
                let marked = format!("{mark}{text}");
                let little = utf16(&marked, u16::to_le_bytes);
                assert_eq!(decoded(&little), (text.to_owned(), Encoding::Utf16Le));
                let big = utf16(&marked, u16::to_be_bytes);
                assert_eq!(decoded(&big), (text.to_owned(), Encoding::Utf16Be));
            }
        }
    }

    #[test]
    fn damaged_utf_16_is_marked() {
        let mut bytes = utf16("\u{feff}1. e4", u16::to_le_bytes);
        bytes.extend([0x00, 0xd8, b'x', 0, b'y']);
        assert_eq!(decoded(&bytes).0, "1. e4\u{fffd}x\u{fffd}");
    }

    #[test]
    fn other_text_stays_byte_for_byte() {
        for text in [
            "",
            "1",
            "1.",
            "[Event \"é\"]",
            "\u{feff}[Event \"?\"]",
            "\0\0\0\0\0",
        ] {
            assert_eq!(decoded(text.as_bytes()), (text.to_owned(), Encoding::Utf8));
        }
        let mut bytes = Vec::new();
        let latin = &b"[White \"M\xfcller\"]\n"[..];
        let mut decoder = Decoder::new(latin, EncodingSlot::default());
        decoder.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, latin);
    }

    #[test]
    fn utf_32_is_refused_with_a_remedy() {
        let bytes = &[0xff, 0xfe, 0, 0, b'1', 0, 0, 0][..];
        let mut decoder = Decoder::new(bytes, EncodingSlot::default());
        let mut text = Vec::new();
        let error = decoder.read_to_end(&mut text).unwrap_err();
        assert!(error.to_string().contains("iconv"), "{error}");
        // Who reads on reads nothing.
        decoder.read_to_end(&mut text).unwrap();
        assert_eq!(text, b"");
    }
}
