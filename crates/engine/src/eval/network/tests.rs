//! Compares the incremental SIMD evaluation with a plain one that follows the format's description.

use std::collections::BTreeMap;
use std::sync::Arc;

use tabiya_board::{Board, Color, Move, Piece, Rank, Role, Square};

use super::file::{Input, View};
use super::kernels::Kernels;
use super::{Network, NetworkError, NetworkEvaluator};

const INPUTS: usize = 768;
const OUTPUTS: usize = 8;
const HIDDEN: usize = 16;

/// A pseudo-random number generator.
struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % bound
    }

    fn within(&mut self, bound: i16) -> i16 {
        self.below(2 * bound as u64 + 1) as i16 - bound
    }
}

/// Returns what stands for a weight in a file of version 2.
fn zigzag(number: i16) -> i32 {
    let number = i32::from(number);
    if number < 0 {
        -2 * number - 1
    } else {
        2 * number
    }
}

/// A network as plain numbers.
struct Plain {
    width: usize,
    mirrored: bool,
    king_buckets: [u8; 64],
    rows: Vec<i16>,
    bias: Vec<i16>,
    output: Vec<i16>,
    output_bias: Vec<i16>,
    hidden: Option<PlainHidden>,
}

/// Hidden layers as plain numbers.
struct PlainHidden {
    sets: usize,
    first: Vec<i16>,
    first_bias: Vec<i16>,
    second: Vec<i16>,
    second_bias: Vec<i16>,
    last: Vec<i16>,
}

impl PlainHidden {
    /// Returns random weights with which few neurons are stuck at 0 or 1.
    fn random(width: usize, sets: usize, seed: u64) -> Self {
        let mut rng = Rng(seed);
        let mut numbers =
            |count: usize, bound| (0..count).map(|_| rng.within(bound)).collect::<Vec<i16>>();
        Self {
            sets,
            first: numbers(sets * HIDDEN * 2 * width, 20),
            first_bias: numbers(sets * HIDDEN, 16000),
            second: numbers(OUTPUTS * 32 * 32, 3000),
            second_bias: numbers(OUTPUTS * 32, 4096),
            last: numbers(OUTPUTS * 32, 16000),
        }
    }

    fn weights(&self) -> [&Vec<i16>; 5] {
        let Self {
            first,
            first_bias,
            second,
            second_bias,
            last,
            ..
        } = self;
        [first, first_bias, second, second_bias, last]
    }

    /// Returns what the layers add to an output.
    fn evaluate(&self, sums: &[i64], output: usize) -> i32 {
        let set = if self.sets == 1 { 0 } else { output };
        let mut inputs = [0.0; 32];
        for neuron in 0..HIDDEN {
            let place = set * HIDDEN + neuron;
            let weights = &self.first[place * sums.len()..];
            let mut sum = i64::from(self.first_bias[place]);
            for (&value, &weight) in sums.iter().zip(weights) {
                sum += (value.clamp(0, 255).pow(2) >> 9) * i64::from(weight);
            }
            let value = (sum as f32 * (1.0_f32 / 8128.0)).clamp(0.0, 1.0);
            inputs[neuron] = value;
            inputs[HIDDEN + neuron] = value * value;
        }
        let scaled = |number: i16| f32::from(number) / 4096.0;
        let mut products = [0.0; 32];
        for (neuron, product) in products.iter_mut().enumerate() {
            let mut sum = scaled(self.second_bias[output * 32 + neuron]);
            let mut of_squares = 0.0;
            for (input, value) in inputs.iter().enumerate() {
                let weighted = value * scaled(self.second[(output * 32 + input) * 32 + neuron]);
                *if input < HIDDEN {
                    &mut sum
                } else {
                    &mut of_squares
                } += weighted;
            }
            let active = (sum + of_squares).clamp(0.0, 1.0);
            *product = active * active * scaled(self.last[output * 32 + neuron]);
        }
        let p = |i: usize| ((products[i] + products[i + 8]) + products[i + 16]) + products[i + 24];
        let q = |i: usize| p(i) + p(i + 4);
        let r = |i: usize| q(i) + q(i + 2);
        ((r(0) + r(1)) * 400.0) as i32
    }
}

impl Plain {
    /// Returns random weights, as large as possible without overflow.
    fn random(width: usize, mirrored: bool, king_buckets: [u8; 64], seed: u64) -> Self {
        let mut rng = Rng(seed);
        let mut numbers =
            |count: usize, bound| (0..count).map(|_| rng.within(bound)).collect::<Vec<i16>>();
        let buckets = usize::from(*king_buckets.iter().max().unwrap()) + 1;
        Self {
            width,
            mirrored,
            king_buckets,
            rows: numbers(INPUTS * buckets * width, 90),
            bias: numbers(width, 200),
            output: numbers(OUTPUTS * 2 * width, 127),
            output_bias: numbers(OUTPUTS, 3000),
            hidden: None,
        }
    }

    /// Adds random hidden layers, with one set of weights or one for each output in the first of them.
    fn with_hidden(self, sets: usize) -> Self {
        let hidden = Some(PlainHidden::random(self.width, sets, self.width as u64));
        Self { hidden, ..self }
    }

    /// Returns the contents of its file.
    fn file(&self) -> Vec<u8> {
        self.file_of_version(2)
    }

    fn file_of_version(&self, version: usize) -> Vec<u8> {
        let numbers = [&self.rows, &self.bias, &self.output, &self.output_bias]
            .into_iter()
            .chain(self.hidden.iter().flat_map(PlainHidden::weights))
            .flatten();
        let weights: Vec<u8> = if version == 1 {
            numbers.flat_map(|number| number.to_le_bytes()).collect()
        } else {
            let zigzags: Vec<i32> = numbers.map(|&number| zigzag(number)).collect();
            let [low, high] = [0, 8].map(|shift| zigzags.iter().map(move |n| (n >> shift) as u8));
            low.chain(high).collect()
        };
        let sets = self.hidden.as_ref().map(|hidden| hidden.sets);
        let flags = usize::from(self.mirrored) + if sets == Some(8) { 2 } else { 0 };
        let about = b"{\"name\": \"random\"}";
        let mut header = vec![0; 192];
        let mut put = |at: usize, bytes: &[u8]| header[at..][..bytes.len()].copy_from_slice(bytes);
        let buckets = self.rows.len() / (INPUTS * self.width);
        put(0, b"TABIYANN");
        for (at, number) in [
            (8, version),
            (12, 192),
            (16, self.width),
            (20, buckets),
            (24, OUTPUTS),
            (28, flags),
            (40, weights.len() / 2),
            (48, crc32fast::hash(&weights) as usize),
            (52, about.len()),
        ] {
            put(at, &(number as u32).to_le_bytes());
        }
        let neurons = if sets.is_some() { 16 } else { 0 };
        for (at, number) in [(32, 255_u16), (34, 64), (36, 400), (38, neurons)] {
            put(at, &number.to_le_bytes());
        }
        put(56, &self.king_buckets);
        put(128, about);
        let checksum = crc32fast::hash(&header).to_le_bytes();
        header[120..124].copy_from_slice(&checksum);
        header.extend(weights);
        header
    }

    /// Returns the accumulator of one side.
    fn sums(&self, board: &Board, side: Color) -> Vec<i64> {
        let mut turn = if side == Color::White { 0 } else { 56 };
        let mut king = board.king(side).index() ^ turn;
        if self.mirrored && king % 8 > 3 {
            turn ^= 7;
            king ^= 7;
        }
        let bucket = usize::from(self.king_buckets[king]);
        let mut sums: Vec<i64> = self.bias.iter().map(|&bias| i64::from(bias)).collect();
        for square in Square::all() {
            let Some(piece) = board.piece_at(square) else {
                continue;
            };
            let kind = piece.role.index() + if piece.color == side { 0 } else { 6 };
            let row = INPUTS * bucket + 64 * kind + (square.index() ^ turn);
            for (sum, &weight) in sums.iter_mut().zip(&self.rows[row * self.width..]) {
                *sum += i64::from(weight);
            }
        }
        sums
    }

    /// Returns the output for the side to move.
    fn evaluate(&self, board: &Board) -> i32 {
        let output = (board.occupied().into_iter().count() - 2) / 4;
        let weights = &self.output[output * 2 * self.width..];
        let sums = [board.turn(), !board.turn()].map(|side| self.sums(board, side));
        let sums = sums.concat();
        let total: i64 = sums
            .iter()
            .zip(weights)
            .map(|(&sum, &weight)| sum.clamp(0, 255).pow(2) * i64::from(weight))
            .sum();
        let value = (total / 255 + i64::from(self.output_bias[output])) * 400 / (255 * 64);
        let more = self
            .hidden
            .iter()
            .map(|hidden| hidden.evaluate(&sums, output));
        value as i32 + more.sum::<i32>()
    }
}

/// Returns three architectures: one view, two mirrored views, and eight views; and the same with hidden layers.
fn architectures() -> [Plain; 6] {
    let quarters =
        std::array::from_fn(|square| u8::from(square >= 16) * 2 + u8::from(square % 4 > 1));
    [
        Plain::random(32, false, [0; 64], 1),
        Plain::random(64, true, [0; 64], 2),
        Plain::random(96, true, quarters, 3),
        Plain::random(64, false, [0; 64], 4).with_hidden(1),
        Plain::random(128, true, [0; 64], 5).with_hidden(OUTPUTS),
        Plain::random(192, true, quarters, 6).with_hidden(OUTPUTS),
    ]
}

/// Makes and unmakes moves like a search, with null moves, and evaluates only some of the positions.
fn walk(plain: &Plain, start: Board, rng: &mut Rng, seen: &mut BTreeMap<&'static str, u32>) {
    let network = Network::read(&plain.file()).unwrap();
    let mut evaluator = NetworkEvaluator::new(Arc::new(network), &start);
    let mut boards = vec![start];
    let mut count = |what, happened: bool| *seen.entry(what).or_default() += u32::from(happened);
    for _ in 0..400 {
        let board = boards[boards.len() - 1];
        if rng.below(3) > 0 {
            assert_eq!(
                evaluator.evaluate(&board),
                plain.evaluate(&board),
                "{board}"
            );
            count("evaluations", true);
        }
        if rng.below(8) == 0
            && let Some(next) = board.null_move()
        {
            evaluator.push_null();
            assert_eq!(evaluator.evaluate(&next), plain.evaluate(&next), "{next}");
            evaluator.pop();
            count("null moves", true);
        }
        let legal = board.legal_moves();
        if legal.is_empty() || rng.below(20) == 0 {
            for _ in 0..=rng.below(6) {
                if boards.len() > 1 {
                    boards.pop();
                    evaluator.pop();
                    count("unmade moves", true);
                }
            }
            continue;
        }
        // Prefer rare kinds of moves.
        let is_rare =
            |mv: &Move| mv.is_castling() || mv.is_en_passant() || mv.promotion().is_some();
        let rare: Vec<Move> = legal.iter().copied().filter(is_rare).collect();
        let choices = if rare.is_empty() {
            &legal[..]
        } else {
            &rare[..]
        };
        let mv = choices[rng.below(choices.len() as u64) as usize];
        count("castlings", mv.is_castling());
        count("captures en passant", mv.is_en_passant());
        count("promotions", mv.promotion().is_some());
        count("captures", board.captured(mv).is_some());
        let next = board.after(mv);
        evaluator.push(&board, mv, &next);
        boards.push(next);
    }
}

#[test]
fn incremental_evaluation_matches_the_plain_one() {
    for plain in architectures() {
        let mut seen = BTreeMap::new();
        let mut rng = Rng(plain.width as u64);
        let promoting = "r3k2r/P1p3P1/8/3pP3/3Pp3/8/p1P3p1/R3K2R w KQkq d6 0 1";
        for round in 0..60 {
            let start = match round % 3 {
                0 => Board::start(),
                // Chess960 castling, in which king or rook may stay where they are.
                1 => Board::chess960_start(rng.below(960) as u16),
                _ => promoting.parse().unwrap(),
            };
            walk(&plain, start, &mut rng, &mut seen);
        }
        for (what, count) in &seen {
            assert!(
                *count >= 4,
                "only {count} {what} with a width of {}",
                plain.width
            );
        }
        assert_eq!(seen.len(), 7, "{seen:?}");
    }
}

#[test]
fn files_of_the_first_version_are_read() {
    let [one, two, many, ..] = architectures();
    for mut plain in [one, two, many] {
        // Every number that a file can hold.
        for (row, number) in plain.rows.iter_mut().zip(i16::MIN..=i16::MAX) {
            *row = number;
        }
        let [old, new] = [1, 2].map(|version| {
            let file = plain.file_of_version(version);
            Arc::new(Network::read(&file).unwrap())
        });
        let view = old.view(Color::White, Square::E1);
        for square in Square::all() {
            for piece in Color::ALL.map(|color| Piece::new(color, Role::Pawn)) {
                let input = Input::of(piece, square);
                assert!(old.row(view, input) == new.row(view, input));
                let start = (64 * 6 * piece.color.index() + square.index()) * plain.width;
                if !plain.mirrored {
                    let row = new.row(view, input).iter().flat_map(|chunk| chunk.0);
                    assert!(row.eq(plain.rows[start..][..plain.width].iter().copied()));
                }
            }
        }
        assert_eq!(old.evaluate(&Board::start()), new.evaluate(&Board::start()));
    }
}

#[test]
fn damaged_files_are_rejected() {
    for version in [1, 2] {
        reject_damage(&architectures()[2].file_of_version(version));
    }
}

fn reject_damage(file: &[u8]) {
    let error = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut file = file.to_vec();
        change(&mut file);
        Network::read(&file).unwrap_err()
    };
    assert_eq!(error(&|file| file[0] ^= 1), NetworkError::NotANetwork);
    assert_eq!(error(&|file| file.truncate(100)), NetworkError::NotANetwork);
    for version in [0, 3, 255] {
        assert_eq!(error(&|file| file[8] = version), NetworkError::Unsupported);
    }
    // The other version, and other flags.
    assert_eq!(error(&|file| file[8] ^= 3), NetworkError::Damaged);
    assert_eq!(error(&|file| file[28] |= 2), NetworkError::Unsupported);
    assert_eq!(error(&|file| file[31] = 1), NetworkError::Unsupported);
    assert_eq!(error(&|file| file[16] += 1), NetworkError::Unsupported);
    for place in [28, 40, 48, 52, 56, 120, 130, 191, 192, file.len() - 1] {
        assert_eq!(
            error(&|file| file[place] ^= 1),
            NetworkError::Damaged,
            "{place}"
        );
    }
    for length in [128, 192, file.len() - 2, file.len() - 1] {
        assert_eq!(error(&|file| file.truncate(length)), NetworkError::Damaged);
    }
}

/// Changes a file's header and weights, and makes its checksums right again.
fn changed(file: &[u8], mut change: impl FnMut(&mut [u8], &mut Vec<u8>)) -> Vec<u8> {
    let (mut header, mut weights) = (file[..192].to_vec(), file[192..].to_vec());
    change(&mut header, &mut weights);
    header[48..52].copy_from_slice(&crc32fast::hash(&weights).to_le_bytes());
    header[120..128].fill(0);
    let checksum = crc32fast::hash(&header).to_le_bytes();
    header[120..124].copy_from_slice(&checksum);
    [header, weights].concat()
}

#[test]
fn damaged_hidden_layers_are_rejected() {
    let [plain, _, _, deep, deep_by_output, _] = architectures().map(|plain| plain.file());
    let result = |file: &[u8], change: &dyn Fn(&mut [u8], &mut Vec<u8>)| {
        Network::read(&changed(file, change)).map(|_| ())
    };
    let unsupported = Err(NetworkError::Unsupported);
    let damaged = Err(NetworkError::Damaged);
    for file in [&plain, &deep, &deep_by_output] {
        assert_eq!(result(file, &|_, _| ()), Ok(()));
        for neurons in [1, 15, 17, 32] {
            assert_eq!(
                result(file, &|header, _| header[38] = neurons),
                unsupported,
                "{neurons} neurons"
            );
        }
        assert_eq!(result(file, &|header, _| header[39] = 1), unsupported);
        assert_eq!(result(file, &|header, _| header[28] |= 4), unsupported);
        // A weight too many or too few, whatever the header says.
        for length in [0, plain.len(), file.len() - 194, file.len() - 190] {
            let change = |header: &mut [u8], weights: &mut Vec<u8>| {
                weights.resize(length, 0);
                header[40..44].copy_from_slice(&(length as u32 / 2).to_le_bytes());
            };
            assert_eq!(result(file, &change), damaged);
        }
        // A byte too many or too few.
        for length in [file.len() - 193, file.len() - 191] {
            let change = |_: &mut [u8], weights: &mut Vec<u8>| weights.resize(length, 0);
            assert_eq!(result(file, &change), damaged);
        }
        // A provenance that ends behind the header.
        let too_long = |header: &mut [u8], _: &mut Vec<u8>| header[52..56].fill(0xFF);
        assert_eq!(result(file, &too_long), damaged);
    }
    // Hidden layers in the first version, or not declared, or declared where there are none.
    assert_eq!(result(&deep, &|header, _| header[8] = 1), unsupported);
    assert_eq!(result(&deep, &|header, _| header[38] = 0), damaged);
    assert_eq!(
        result(&deep_by_output, &|header, _| header[38] = 0),
        unsupported
    );
    // A width of 32 is too small for hidden layers.
    assert_eq!(result(&plain, &|header, _| header[38] = 16), unsupported);
    // The weights of one set, declared as those of eight, and the other way round.
    assert_eq!(result(&deep, &|header, _| header[28] |= 2), damaged);
    assert_eq!(
        result(&deep_by_output, &|header, _| header[28] &= 1),
        damaged
    );

    // The weights of the output and of the first hidden layer are within bounds. Biases may be larger.
    let output = INPUTS * 64 + 64;
    let first = output + OUTPUTS * 128 + OUTPUTS;
    let end = first + HIDDEN * 128;
    let with_number =
        |at: usize, number: i16| result(&deep, &|_, weights| set_number(weights, at, number));
    for at in [output, first - OUTPUTS - 1, first, first + 128, end - 1] {
        for number in [-127, 0, 127] {
            assert_eq!(with_number(at, number), Ok(()), "{number} at {at}");
        }
        for number in [i16::MIN, -128, 128, 256, i16::MAX] {
            assert_eq!(with_number(at, number), damaged, "{number} at {at}");
        }
    }
    for at in [output - 1, first - 1, end] {
        assert_eq!(with_number(at, i16::MAX), Ok(()), "at {at}");
    }
    // The sum of an output fits 32 bits.
    let mut wide = Plain::random(512, false, [0; 64], 7);
    wide.output.fill(1);
    let with_sum = |sum: i64| {
        result(&wide.file(), &|_, weights| {
            let output = INPUTS * 512 + 512 + 3 * 1024;
            for i in 0..1024 {
                let weight = (sum - 127 * i).clamp(0, 127) as i16;
                set_number(
                    weights,
                    output + i as usize,
                    if i % 3 == 0 { -weight } else { weight },
                );
            }
        })
    };
    let most = i64::from(i32::MAX) / (255 * 255);
    assert_eq!(with_sum(most), Ok(()));
    assert_eq!(with_sum(most + 1), damaged);
}

/// Changes a weight of a file of version 2.
fn set_number(weights: &mut [u8], at: usize, number: i16) {
    let count = weights.len() / 2;
    weights[at] = zigzag(number) as u8;
    weights[count + at] = (zigzag(number) >> 8) as u8;
}

/// Whatever a file contains, it is rejected, or the kernels agree on a value that is not too large.
#[test]
fn any_file_evaluates_or_is_rejected() {
    let files: Vec<Vec<u8>> = architectures()
        .iter()
        .flat_map(|plain| {
            let old = plain.hidden.is_none().then(|| plain.file_of_version(1));
            old.into_iter().chain([plain.file()])
        })
        .collect();
    let mut rng = Rng(1);
    let crowded = "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1";
    let boards = [
        Board::start(),
        Board::from_fen_forgiving(crowded, |_| true).unwrap(),
    ];
    let mut accepted = 0;
    for round in 0..600 {
        let mut file = files[round % files.len()].clone();
        let mut random = |bytes: &mut [u8]| {
            for _ in 0..=rng.below(3) {
                let at = rng.below(bytes.len() as u64) as usize;
                let to = (at + 1 + rng.below(40) as usize).min(bytes.len());
                let values = [0, 1, 0x7F, 0x80, 0xFE, 0xFF, rng.below(256) as u8];
                bytes[at..to].fill(values[rng.below(7) as usize]);
            }
        };
        match round % 4 {
            0 => random(&mut file),
            1 => file = changed(&file, |header, _| random(&mut header[8..128])),
            2 => file = changed(&file, |_, weights| random(weights)),
            _ => file.truncate(rng.below(file.len() as u64) as usize),
        }
        if let Ok(network) = Network::read(&file) {
            let network = Arc::new(network);
            for board in &boards {
                let values = Kernels::all().into_iter().map(|kernels| {
                    NetworkEvaluator::with_kernels(Arc::clone(&network), board, kernels)
                        .evaluate(board)
                });
                let values: Vec<i32> = values.collect();
                assert!(values.iter().all(|&value| value == values[0]), "{values:?}");
                assert!(values[0].abs() < 400_000, "{values:?}");
            }
            accepted += 1;
        }
    }
    assert!(accepted > 100, "only {accepted} were accepted");
}

/// The least and the greatest sum that each neuron can get from one of these pieces, or from none.
fn range(network: &Network, view: View, pieces: &[(Piece, Square)]) -> Vec<[i32; 2]> {
    let mut range = vec![[0; 2]; network.bias.len() * network.bias[0].0.len()];
    for &(piece, square) in pieces {
        let weights = network.row(view, Input::of(piece, square)).iter();
        for ([low, high], weight) in range.iter_mut().zip(weights.flat_map(|chunk| chunk.0)) {
            *low = i32::from(weight).min(*low);
            *high = i32::from(weight).max(*high);
        }
    }
    range
}

/// The sums of 16 bits hold the pieces of every board, also of one with a piece on each square.
#[test]
fn no_board_overflows_the_embedded_network() {
    let network = Network::embedded();
    let pieces = |role| Color::ALL.map(|color| Piece::new(color, role));
    for king in [Square::A1, Square::E4, Square::G8] {
        let view = network.view(Color::White, king);
        // Each side has one king, and every other square any other piece.
        let kings = pieces(Role::King).map(|king| Square::all().map(|on| (king, on)).collect());
        let others = Square::all().map(|square| {
            let is_on_back_rank = [Rank::First, Rank::Eighth].contains(&square.rank());
            let may_be_here = |&role: &Role| match role {
                Role::King => false,
                Role::Pawn => !is_on_back_rank,
                _ => true,
            };
            let roles = Role::ALL.into_iter().filter(may_be_here);
            roles
                .flat_map(pieces)
                .map(|piece| (piece, square))
                .collect()
        });
        let choices: Vec<Vec<(Piece, Square)>> = kings.into_iter().chain(others).collect();
        let mut sums: Vec<[i32; 2]> = network
            .bias
            .iter()
            .flat_map(|chunk| chunk.0.map(|bias| [i32::from(bias); 2]))
            .collect();
        for choice in choices {
            for (sum, range) in sums.iter_mut().zip(range(&network, view, &choice)) {
                sum[0] += range[0];
                sum[1] += range[1];
            }
        }
        let worst = sums.iter().flatten().map(|sum| sum.abs()).max();
        assert!(
            worst <= Some(i32::from(i16::MAX)),
            "{worst:?} with the king on {king}"
        );
    }
}

/// A board with more pieces than the network was trained with gets a value, and the better side the better one.
#[test]
fn crowded_boards_are_evaluated() {
    let network = Network::embedded();
    for fen in [
        "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
        "7k/6pp/QQQQQ1QQ/QQQQQ1QQ/QQQQQ1QQ/QQQQQ1QQ/QQQQQ1QQ/KQQQQ1QQ w - - 0 1",
    ] {
        let board = Board::from_fen_forgiving(fen, |_| true).unwrap();
        let value = network.evaluate(&board);
        assert!(value > 0, "{value} for {fen}");
    }
}
