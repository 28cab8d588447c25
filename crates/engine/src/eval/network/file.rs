//! The network file. `training/README.md` describes the format.

use std::sync::Arc;
#[cfg(not(tabiya_network_beside))]
use std::sync::LazyLock;
#[cfg(tabiya_network_beside)]
use std::sync::OnceLock;

use tabiya_board::{Board, Color, Piece, Square};
use thiserror::Error;

use super::accumulator::NetworkEvaluator;
use super::hidden::{HIDDEN, HiddenLayers};
use super::kernels::{Chunk, LANES};

const MAGIC: &[u8; 8] = b"TABIYANN";
/// The version of a file whose weights are plain numbers.
const PLAIN_VERSION: u32 = 1;
/// The version of a file whose weights compress well. Only such a file may have hidden layers.
const VERSION: u32 = 2;
/// The size of the fixed part of the header.
const FIXED: usize = 128;
/// The offset of the header's checksum, which is computed with zeros in its place.
const HEADER_CHECKSUM: usize = 120;
const MIRRORED: u32 = 1;
/// The first hidden layer has weights for each output.
const HIDDEN_BY_OUTPUT: u32 = 2;
/// The inputs of one king bucket: twelve pieces on 64 squares.
const INPUTS: usize = 768;
pub(super) const OUTPUTS: usize = 8;
const SCALE: i32 = 400;
const QB: i32 = 64;
/// The quantised activation of the first layer is clamped to this.
pub(super) const QA: i32 = 255;
/// The bound of the output weights: their product with a clamped activation fits 16 bits.
const MAX_OUTPUT_WEIGHT: u16 = 127;
/// The widest first layer that is accepted.
const MAX_WIDTH: usize = 1 << 13;

/// Why a network cannot be read.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file is not a network file.
    #[error("not a network file")]
    NotANetwork,
    /// The version or architecture is not supported.
    #[error("this version of Tabiya does not support this type of network")]
    Unsupported,
    /// The file is incomplete or changed.
    #[error("the network file is damaged")]
    Damaged,
}

/// A neural network that evaluates positions.
pub struct Network {
    /// The width of the first layer of one side, in chunks.
    pub(super) chunks: usize,
    mirrored: bool,
    /// The bucket for each square of a side's own king.
    king_buckets: [u8; 64],
    /// The weights of the first layer, a row for each input.
    rows: Vec<Chunk>,
    pub(super) bias: Vec<Chunk>,
    /// The weights of the second layer for each output bucket: the side to move's first.
    output: Vec<Chunk>,
    output_bias: [i32; OUTPUTS],
    pub(super) hidden: Option<HiddenLayers>,
    provenance: String,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Network")
            .field("width", &(self.chunks * LANES))
            .field("provenance", &self.provenance)
            .finish_non_exhaustive()
    }
}

/// A side's view of the board: which rows it uses, and how it flips squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    color: Color,
    /// Squares are XORed with this.
    flip: u8,
    bucket: u8,
}

/// A piece on a square, as White sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Input(u16);

impl Input {
    /// No piece.
    pub(super) const NONE: Self = Self(u16::MAX);

    #[inline]
    pub(super) const fn of(piece: Piece, square: Square) -> Self {
        Self((384 * piece.color.index() + 64 * piece.role.index() + square.index()) as u16)
    }
}

impl View {
    /// Returns the index of this view among those of one side.
    pub(super) fn index(self) -> usize {
        2 * usize::from(self.bucket) + usize::from(self.flip & 7 != 0)
    }
}

pub(super) fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut number = [0; N];
    number.copy_from_slice(&bytes[at..at + N]);
    number
}

/// Returns the weights as they are stored: two bytes each, or the lower bytes of all weights, then the upper ones.
fn decode(version: u32, weights: &[u8]) -> Vec<i16> {
    if version == PLAIN_VERSION {
        let pairs = weights.as_chunks().0.iter();
        return pairs.map(|&pair| i16::from_le_bytes(pair)).collect();
    }
    let (low, high) = weights.split_at(weights.len() / 2);
    let zigzags = low
        .iter()
        .zip(high)
        .map(|(&low, &high)| u16::from_le_bytes([low, high]));
    // 0, −1, 1, −2, … are stored as 0, 1, 2, 3, …
    zigzags
        .map(|zigzag| (zigzag >> 1 ^ (zigzag & 1).wrapping_neg()) as i16)
        .collect()
}

/// Whether each product of an output's weights fits 16 bits, and any of their sums 32 bits.
fn cannot_overflow(weights: &[Chunk]) -> bool {
    let weights = weights.iter().flat_map(|chunk| chunk.0);
    let (mut largest, mut sum) = (0, 0);
    for weight in weights.map(i16::unsigned_abs) {
        largest = weight.max(largest);
        sum += i64::from(weight);
    }
    largest <= MAX_OUTPUT_WEIGHT && sum * i64::from(QA * QA) <= i64::from(i32::MAX)
}

#[cfg(not(tabiya_network_beside))]
static EMBEDDED: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/network.packed"));
    Arc::new(Network::read(&super::packed::unpack(packed)).expect("valid embedded network"))
});

/// In a browser the network is a separate file, fetched along with the engine.
#[cfg(tabiya_network_beside)]
static INSTALLED: OnceLock<Arc<Network>> = OnceLock::new();

impl Network {
    /// Returns the network that is built into the engine.
    #[cfg(not(tabiya_network_beside))]
    pub fn embedded() -> Arc<Self> {
        EMBEDDED.clone()
    }

    /// Returns the network that was installed.
    ///
    /// # Panics
    ///
    /// Panics if none was.
    #[cfg(tabiya_network_beside)]
    pub fn embedded() -> Arc<Self> {
        INSTALLED.get().expect("an installed network").clone()
    }

    /// Sets what [`embedded`](Self::embedded) returns. Only the first call counts.
    #[cfg(tabiya_network_beside)]
    pub fn install(self) {
        let _ = INSTALLED.set(Arc::new(self));
    }

    /// Reads a network from the contents of its file.
    pub fn read(bytes: &[u8]) -> Result<Self, NetworkError> {
        if bytes.len() < FIXED || !bytes.starts_with(MAGIC) {
            return Err(NetworkError::NotANetwork);
        }
        let small = |at| i32::from(u16::from_le_bytes(number(bytes, at)));
        let word = |at| u32::from_le_bytes(number(bytes, at));
        let kind = (word(24) as usize, small(32), small(34), small(36));
        if kind != (OUTPUTS, QA, QB, SCALE) {
            return Err(NetworkError::Unsupported);
        }
        let (version, flags) = (word(8), word(28));
        // How many sets of weights the first hidden layer has.
        let sets = match (version, small(38) as usize, flags & !MIRRORED) {
            (PLAIN_VERSION | VERSION, 0, 0) => None,
            (VERSION, HIDDEN, 0) => Some(1),
            (VERSION, HIDDEN, HIDDEN_BY_OUTPUT) => Some(OUTPUTS),
            _ => return Err(NetworkError::Unsupported),
        };
        let (length, width, buckets) = (word(12) as usize, word(16) as usize, word(20) as usize);
        let king_buckets: [u8; 64] = number(bytes, 56);
        let most = king_buckets
            .iter()
            .max()
            .map_or(0, |&bucket| usize::from(bucket));
        // The inputs of the first hidden layer come in blocks of two chunks, each of one side.
        let unit = if sets.is_some() { 2 * LANES } else { LANES };
        if width == 0 || width > MAX_WIDTH || !width.is_multiple_of(unit) || most + 1 != buckets {
            return Err(NetworkError::Unsupported);
        }
        let (header, weights) = bytes
            .split_at_checked(length)
            .filter(|(header, _)| header.len() >= FIXED)
            .ok_or(NetworkError::Damaged)?;
        let hidden_count = sets.map_or(0, |sets| HiddenLayers::count(width, sets));
        let count = INPUTS * buckets * width + width + OUTPUTS * 2 * width + OUTPUTS + hidden_count;
        let mut blank = header.to_vec();
        blank[HEADER_CHECKSUM..FIXED].fill(0);
        if u64::from_le_bytes(number(bytes, 40)) != count as u64
            || weights.len() != 2 * count
            || crc32fast::hash(&blank) != word(HEADER_CHECKSUM)
            || crc32fast::hash(weights) != word(48)
        {
            return Err(NetworkError::Damaged);
        }
        let about = header[FIXED..]
            .get(..word(52) as usize)
            .ok_or(NetworkError::Damaged)?;

        let mut numbers = decode(version, weights).into_iter();
        let mut take = |count: usize| -> Vec<Chunk> {
            let mut chunks = vec![Chunk::ZERO; count / LANES];
            for lane in chunks.iter_mut().flat_map(|chunk| &mut chunk.0) {
                *lane = numbers.next().unwrap_or_default();
            }
            chunks
        };
        let rows = take(INPUTS * buckets * width);
        let bias = take(width);
        let output = take(OUTPUTS * 2 * width);
        if !output.chunks_exact(2 * width / LANES).all(cannot_overflow) {
            return Err(NetworkError::Damaged);
        }
        let mut output_bias = [0; OUTPUTS];
        for (bias, number) in output_bias.iter_mut().zip(&mut numbers) {
            *bias = i32::from(number);
        }
        let hidden = sets
            .map(|sets| HiddenLayers::read(width, sets, numbers).ok_or(NetworkError::Damaged))
            .transpose()?;
        Ok(Self {
            chunks: width / LANES,
            mirrored: flags & MIRRORED != 0,
            king_buckets,
            rows,
            bias,
            output,
            output_bias,
            hidden,
            provenance: String::from_utf8_lossy(about).into_owned(),
        })
    }

    /// Returns the output for a position, in the units the network was trained with: two are a centipawn.
    pub fn evaluate(self: &Arc<Self>, board: &Board) -> i32 {
        NetworkEvaluator::new(Arc::clone(self), board).evaluate(board)
    }

    /// Returns how the network was trained (data, time and loss) as JSON.
    pub fn provenance(&self) -> &str {
        &self.provenance
    }

    /// Returns the view of a side with its king on a square.
    pub(super) fn view(&self, color: Color, king: Square) -> View {
        let mut flip = if color == Color::White { 0 } else { 0o70 };
        let mut king = king.index() ^ flip;
        if self.mirrored && king & 4 != 0 {
            flip ^= 7;
            king ^= 7;
        }
        View {
            color,
            flip: flip as u8,
            bucket: self.king_buckets[king],
        }
    }

    /// Returns how much memory the cached accumulators of a thread take, in bytes.
    pub(crate) fn cache_size(&self) -> usize {
        2 * self.views() * self.chunks * size_of::<Chunk>()
    }

    /// Returns how many views a side has.
    pub(super) fn views(&self) -> usize {
        2 * self.rows.len() / (INPUTS * self.chunks)
    }

    /// Returns the row of an input.
    #[inline]
    pub(super) fn row(&self, view: View, input: Input) -> &[Chunk] {
        // Black sees the colours exchanged.
        let place = (usize::from(input.0) + view.color.index() * INPUTS / 2) % INPUTS;
        let row = INPUTS * usize::from(view.bucket) + (place ^ usize::from(view.flip));
        &self.rows[row * self.chunks..][..self.chunks]
    }

    /// Returns which output is for a number of pieces.
    pub(super) fn output_bucket(&self, pieces: usize) -> usize {
        // Boards that no game leads to may have more pieces than any that the network has seen.
        ((pieces.max(2) - 2) / 4).min(self.output_bias.len() - 1)
    }

    /// Returns the second layer of an output: the weights of the side to move and of the opponent, and the bias.
    pub(super) fn output(&self, bucket: usize) -> ([&[Chunk]; 2], i32) {
        let weights = &self.output[2 * bucket * self.chunks..][..2 * self.chunks];
        let (own, other) = weights.split_at(self.chunks);
        ([own, other], self.output_bias[bucket])
    }

    /// Converts the sum of the second layer to the network's output units.
    pub(super) const fn score(sum: i32, bias: i32) -> i32 {
        // Sums that only odd networks have do not fit 32 bits when they are scaled.
        ((sum / QA + bias) as i64 * SCALE as i64 / (QA * QB) as i64) as i32
    }
}
