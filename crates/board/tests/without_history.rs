//! Tests moves on boards without a history: every legal move of a board is possible on its pieces alone, and every move
//! that is possible there is legal with some history.

mod common;

use common::{Rng, Start, random_game};
use tabiya_board::{
    Bitboard, Board, CastlingSide, Color, File, Move, Piece, Placement, Rank, Role, Setup, Square,
};

/// The pieces of the first field of a FEN.
fn pieces(rows: &str) -> Placement {
    let mut pieces = Placement::EMPTY;
    for (row, rank) in rows.split('/').zip(Rank::ALL.into_iter().rev()) {
        let mut files = File::ALL.into_iter();
        for letter in row.chars() {
            if let Some(skipped) = letter.to_digit(10) {
                files.nth(skipped as usize - 1).unwrap();
            } else {
                let square = Square::new(files.next().unwrap(), rank);
                pieces.put(square, Piece::from_char(letter).unwrap());
            }
        }
        assert_eq!(files.next(), None, "{row}");
    }
    pieces
}

/// The pieces after a move such as `e1g1`.
fn after(before: &Placement, squares: &str) -> Option<Placement> {
    let (from, to) = squares.split_at(2);
    before.play_without_history(from.parse().unwrap(), to.parse().unwrap(), Role::Queen)
}

/// Whether a castling move starts from the squares of standard chess.
fn is_standard_castling(board: &Board, mv: Move) -> bool {
    let side = CastlingSide::ALL
        .into_iter()
        .find(|side| side.king_file() == mv.to().file());
    let rook = board.castling_rook(board.turn(), side.unwrap()).unwrap();
    mv.from().file() == File::E && [File::A, File::H].contains(&rook.file())
}

/// The board with the history that allows the most: all castling rights, and the en passant square of the move.
fn with_the_best_history(board: &Board, en_passant: Option<Square>) -> Option<Board> {
    let mut setup = Setup {
        castling_rooks: Bitboard::EMPTY,
        en_passant,
        ..board.setup()
    };
    for color in Color::ALL {
        let back_rank = Bitboard::rank(color.relative_rank(Rank::First));
        let corners = (Bitboard::file(File::A) | Bitboard::file(File::H)) & back_rank;
        if board.king(color) == Square::new(File::E, color.relative_rank(Rank::First)) {
            setup.castling_rooks |= board.pieces(color, Role::Rook) & corners;
        }
    }
    Board::new(&setup).ok()
}

#[test]
fn possible_moves_are_legal_with_some_history() {
    let mut rng = Rng::new(20);
    let (mut castles, mut en_passants, mut promotions, mut other_histories) = (0, 0, 0, 0);
    for game in 0..600 {
        random_game(&mut rng, Start::ALL[game % 3], |_, board| {
            let before = board.placement();
            for &mv in &board.legal_moves() {
                if mv.is_castling() && !is_standard_castling(board, mv) {
                    continue;
                }
                let promotion = mv.promotion().unwrap_or(Role::Queen);
                let after = before.play_without_history(mv.from(), mv.to(), promotion);
                assert_eq!(after, Some(board.after(mv).placement()), "{mv} on {board}");
                castles += usize::from(mv.is_castling());
                en_passants += usize::from(mv.is_en_passant());
                promotions += usize::from(mv.promotion().is_some());
            }
            for from in board.by_color(board.turn()) {
                for to in Square::all() {
                    let Some(after) = before.play_without_history(from, to, Role::Knight) else {
                        continue;
                    };
                    let promotion = (before.piece_at(from).unwrap().role == Role::Pawn
                        && to.rank() == board.turn().relative_rank(Rank::Eighth))
                    .then_some(Role::Knight);
                    if board.legal_move(from, to, promotion).is_ok() {
                        continue;
                    }
                    other_histories += 1;
                    let pasts = [None, Some(to)].map(|square| with_the_best_history(board, square));
                    let mut legal = pasts.into_iter().flatten().filter_map(|past| {
                        let mv = past.legal_move(from, to, promotion).ok()?;
                        Some(past.after(mv).placement())
                    });
                    // The start of the pawn beside may be occupied.
                    let start = Square::new(to.file(), board.turn().relative_rank(Rank::Seventh));
                    let is_loose = before.piece_at(from).unwrap().role == Role::Pawn
                        && board.occupied().contains(start);
                    assert!(
                        is_loose || legal.any(|legal| legal == after),
                        "{from}{to} on {board}"
                    );
                }
            }
        });
    }
    for (count, least) in [
        (castles, 200),
        (en_passants, 100),
        (promotions, 1000),
        (other_histories, 100),
    ] {
        assert!(count >= least, "only {count}");
    }
}

#[test]
fn boards_without_kings() {
    let before = pieces("8/8/8/3pP3/8/8/P7/8");
    let taken = after(&before, "e5d6").unwrap();
    assert_eq!(taken, pieces("8/8/3P4/8/8/8/P7/8"));
    assert_eq!(after(&before, "a2a4"), Some(pieces("8/8/8/3pP3/P7/8/8/8")));
    assert_eq!(after(&before, "a2b3"), None);
    assert_eq!(after(&before, "b1c3"), None);
    // There is no en passant except from the fifth rank.
    assert_eq!(after(&pieces("8/8/3pP3/8/8/8/8/8"), "e6d7"), None);
    // The piece beside must be an enemy pawn.
    assert_eq!(after(&pieces("8/8/8/3nP3/8/8/8/8"), "e5d6"), None);
    assert_eq!(after(&pieces("8/8/8/3PP3/8/8/8/8"), "e5d6"), None);
}

#[test]
fn only_a_lone_king_can_be_in_check() {
    let pinned = "4r3/8/8/8/8/8/4N3/4K3";
    assert_eq!(after(&pieces(pinned), "e2c3"), None);
    let two_kings = "4r3/8/8/8/8/8/4N3/4K2K";
    assert!(after(&pieces(two_kings), "e2c3").is_some());
    let no_king = "4r3/8/8/8/8/8/4N3/8";
    assert!(after(&pieces(no_king), "e2c3").is_some());
    // The pawn captured en passant no longer shields the king.
    assert_eq!(after(&pieces("8/8/8/K2pP2r/8/8/8/8"), "e5d6"), None);
}

#[test]
fn castling_needs_king_rook_and_a_free_path() {
    for (rows, squares, castled) in [
        ("8/8/8/8/8/8/8/R3K2R", "e1g1", Some("8/8/8/8/8/8/8/R4RK1")),
        ("8/8/8/8/8/8/8/R3K2R", "e1c1", Some("8/8/8/8/8/8/8/2KR3R")),
        ("r3k2r/8/8/8/8/8/8/8", "e8g8", Some("r4rk1/8/8/8/8/8/8/8")),
        ("r3k2r/8/8/8/8/8/8/8", "e8c8", Some("2kr3r/8/8/8/8/8/8/8")),
        // b1 may be attacked, but not occupied.
        ("1r6/8/8/8/8/8/8/R3K3", "e1c1", Some("1r6/8/8/8/8/8/8/2KR4")),
        ("8/8/8/8/8/8/8/RN2K3", "e1c1", None),
        ("8/8/8/8/8/8/8/4KB1R", "e1g1", None),
        ("8/8/8/8/8/8/8/4K3", "e1g1", None),
        ("8/8/8/8/8/8/8/4K2r", "e1g1", None),
        ("8/8/8/8/8/8/8/4K1R1", "e1g1", None),
        ("8/8/8/8/8/8/8/3K3R", "d1g1", None),
        ("8/8/8/8/8/8/4K2R/8", "e2g2", None),
        ("r3k2r/8/8/8/8/8/8/8", "e8g1", None),
        ("4r3/8/8/8/8/8/8/4K2R", "e1g1", None),
        ("5r2/8/8/8/8/8/8/4K2R", "e1g1", None),
        ("6r1/8/8/8/8/8/8/4K2R", "e1g1", None),
        ("8/8/8/8/8/8/6p1/4K2R", "e1g1", None),
    ] {
        let after = after(&pieces(rows), squares);
        assert_eq!(after, castled.map(pieces), "{squares} on {rows}");
    }
}

#[test]
fn promotions() {
    let before = pieces("3r4/4P3/8/8/8/8/3p4/8");
    for role in Role::PROMOTIONS {
        let after = before
            .play_without_history(Square::E7, Square::E8, role)
            .unwrap();
        let piece = Piece::new(Color::White, role);
        assert_eq!(after.piece_at(Square::E8), Some(piece));
        assert_eq!(after.piece_at(Square::E7), None);
        let after = before
            .play_without_history(Square::E7, Square::D8, role)
            .unwrap();
        assert_eq!(after.piece_at(Square::D8), Some(piece));
        let after = before
            .play_without_history(Square::D2, Square::D1, role)
            .unwrap();
        let piece = Piece::new(Color::Black, role);
        assert_eq!(after.piece_at(Square::D1), Some(piece));
    }
    // Pieces do not promote.
    let after = after(&before, "d8d7").unwrap();
    let rook = Piece::new(Color::Black, Role::Rook);
    assert_eq!(after.piece_at(Square::D7), Some(rook));
}
