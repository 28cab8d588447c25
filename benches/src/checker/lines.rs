//! Random lines for the checker.

use std::io::Write;

use tabiya_board::{Color, File, Piece, Placement, Rank, Role, Square};

use crate::games::Rng;

/// Generates random lines from a fixed seed: small boards with up to a dozen moves. Most lines are legal, some end in
/// an illegal move, and about one in a hundred is malformed.
pub fn generate(lines: usize) -> Vec<u8> {
    let mut rng = Rng::new(4);
    let mut text = Vec::with_capacity(lines * 80);
    for _ in 0..lines {
        line(&mut rng, &mut text);
    }
    text
}

fn line(rng: &mut Rng, text: &mut Vec<u8>) {
    let start = text.len();
    let mut pieces = Placement::EMPTY;
    for number in 0..4 + rng.below(7) {
        let piece = match number {
            0 => Piece::new(Color::White, Role::King),
            1 => Piece::new(Color::Black, Role::King),
            _ => Piece::new(Color::ALL[rng.below(2)], Role::ALL[rng.below(5)]),
        };
        let at = square(rng);
        pieces.put(at, piece);
        let letter = match piece.color {
            Color::White => piece.role.char(),
            Color::Black => piece.role.upper_char(),
        };
        let space = if number == 0 { "" } else { " " };
        // Writing to memory does not fail.
        let _ = write!(text, "{space}{letter} {} {}", column(at), at.rank());
    }
    text.push(b':');
    let mut side = Color::White;
    for _ in 0..=rng.below(12) {
        let own: Vec<Square> = pieces.by_color(side).into_iter().collect();
        let mut tries = (0..50).map(|_| {
            let from = own.get(rng.below(own.len().max(1))).copied();
            let from = from.unwrap_or(Square::A1);
            let reach: Vec<Square> = pieces.pseudo_legal_targets(from).into_iter().collect();
            // Sometimes any square at all.
            let to = reach.get(rng.below(reach.len() + 1)).copied();
            (from, to.unwrap_or_else(|| square(rng)))
        });
        let legal = tries.find_map(|(from, to)| {
            let after = pieces.after(side, from, to).ok()?;
            Some((from, to, after))
        });
        let illegal = legal.is_none() || rng.below(25) == 0;
        let (from, to) = match legal {
            Some((from, to, _)) if !illegal => (from, to),
            _ => (square(rng), square(rng)),
        };
        let _ = write!(
            text,
            " {} {} {} {}",
            column(from),
            from.rank(),
            column(to),
            to.rank()
        );
        let Some((_, _, after)) = legal.filter(|_| !illegal) else {
            break;
        };
        (pieces, side) = (after, !side);
    }
    if rng.below(100) == 0 {
        let len = text.len() - start;
        text[start + rng.below(len)] = b'9';
    }
    text.push(b'\n');
}

fn square(rng: &mut Rng) -> Square {
    Square::new(File::ALL[rng.below(8)], Rank::ALL[rng.below(8)])
}

fn column(square: Square) -> usize {
    square.file().index() + 1
}
