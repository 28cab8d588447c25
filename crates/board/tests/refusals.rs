//! Tests that exactly the illegal moves are refused, for every pair of squares on random boards, and that the reasons
//! are true.

mod common;

use common::naive::{attacks, between, distance, forward, has_attack_shape, reaches};
use common::{Census, Rng, Start, alone, census, random_game};
use tabiya_board::{
    Bitboard, Board, CastlingSide, Color, File, Move, Piece, Placement, Rank, Refusal, Role, Square,
};

/// The generated move of a pair of squares, following the rules for castling by squares.
fn expected(board: &Board, moves: &[Move], from: Square, to: Square) -> Option<Move> {
    let us = board.turn();
    let castle_to = |file: File| {
        let is_it = |mv: &&Move| mv.is_castling() && mv.to().file() == file;
        moves.iter().find(is_it).copied()
    };
    if from == board.king(us) {
        // Onto a rook that may castle: always castling.
        let side = CastlingSide::ALL
            .into_iter()
            .find(|&side| board.castling_rook(us, side) == Some(to));
        if let Some(side) = side {
            return castle_to(side.king_file());
        }
        // Onto the square where castling ends: only if the king cannot step there and is not there already.
        let (files, ranks) = distance(from, to);
        if ranks == 0 && files.abs() > 1 {
            return castle_to(to.file());
        }
    }
    let is_it = |mv: &&Move| {
        !mv.is_castling() && mv.from() == from && mv.to() == to && mv.promotion().is_none()
    };
    moves.iter().find(is_it).copied()
}

/// Checks every pair of squares of a board.
fn check_all_pairs(rng: &mut Rng, board: &Board, justify: bool) {
    let moves = board.legal_moves();
    let us = board.turn();
    let mut found = 0;
    for from in Square::all() {
        let from_piece = board.piece_at(from);
        // Only these can be moves. Searching the list for others would take most of the time.
        let of_piece: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|mv| mv.from() == from)
            .collect();
        for to in Square::all() {
            let answer = board.legal_move(from, to, None);
            let wanted = expected(board, &of_piece, from, to);
            assert_eq!(answer.ok(), wanted, "{from}{to} on {board}: {answer:?}");
            found += usize::from(answer.is_ok_and(|mv| mv.to() == to));
            if let Err(refusal) = answer {
                match from_piece {
                    None => assert_eq!(refusal, Refusal::NoPiece { square: from }),
                    Some(Piece { color, role }) if color != us => {
                        let theirs = Refusal::NotYourPiece {
                            square: from,
                            owner: color,
                            role,
                        };
                        assert_eq!(refusal, theirs, "{from}{to} on {board}");
                    }
                    Some(_) if justify => justify_refusal(board, from, to, None, refusal),
                    Some(_) => {}
                }
            }
            if from_piece.is_some_and(|piece| piece.color == us) {
                check_promotions(rng, board, &of_piece, from, to, justify);
            }
        }
    }
    // Every move has been found by its squares, except castling where the king steps or stays.
    let plain = moves.iter().filter(|mv| {
        mv.promotion().is_none() && !(mv.is_castling() && distance(mv.from(), mv.to()).0.abs() <= 1)
    });
    assert!(found >= plain.count(), "{board}");
}

/// Checks promotions: all that pawns could try, and a few others.
fn check_promotions(
    rng: &mut Rng,
    board: &Board,
    moves: &[Move],
    from: Square,
    to: Square,
    justify: bool,
) {
    let (files, ranks) = distance(from, to);
    let is_pawn = board.role_at(from) == Some(Role::Pawn);
    let roles = if is_pawn && files.abs() <= 1 && (1..=2).contains(&ranks.abs()) {
        &Role::ALL[..]
    } else if rng.once_in(32) {
        let any = rng.below(Role::ALL.len());
        &Role::ALL[any..=any]
    } else {
        return;
    };
    for &role in roles {
        let answer = board.legal_move(from, to, Some(role));
        let wanted = moves
            .iter()
            .copied()
            .find(|mv| mv.to() == to && mv.promotion() == Some(role));
        assert_eq!(answer.ok(), wanted, "{from}{to}={role} on {board}");
        if let Err(refusal) = answer
            && justify
        {
            justify_refusal(board, from, to, Some(role), refusal);
        }
    }
}

/// Fails if the reason for a refusal is not true.
#[allow(clippy::too_many_lines)]
fn justify_refusal(
    board: &Board,
    from: Square,
    to: Square,
    promotion: Option<Role>,
    refusal: Refusal,
) {
    let us = board.turn();
    let pieces = board.placement();
    let moved = pieces.piece_at(from);
    let king = board.king(us);
    let own_rook = Piece::new(us, Role::Rook);
    // Whether an enemy piece attacks a square, as the refusal says.
    let attacked = |pieces: &Placement, square, by, attacker| {
        pieces.piece_at(by) == Some(Piece::new(!us, attacker)) && attacks(pieces, by, square)
    };
    let after = || {
        let mut after = pieces;
        after.relocate(from, to);
        if moved.is_some_and(|piece| piece.role == Role::Pawn) && board.en_passant() == Some(to) {
            after.remove(Square::new(to.file(), from.rank()));
        }
        after
    };
    let side_of = |rook: Square| {
        if rook > king {
            CastlingSide::KingSide
        } else {
            CastlingSide::QueenSide
        }
    };
    let may_castle = |side| board.castling_rook(us, side).is_some();
    let may_castle_at_all = CastlingSide::ALL.into_iter().any(may_castle);
    // The side of a castling move that is refused.
    let side = side_of(to);
    let is_true = match refusal {
        Refusal::IntoCheck { king, by, attacker } => {
            moved == Some(Piece::new(us, Role::King))
                && king == to
                && reaches(&pieces, from, to)
                && attacked(&after(), to, by, attacker)
        }
        Refusal::StillInCheck {
            king: in_check,
            by,
            attacker,
        } => {
            in_check == king
                && from != king
                && board.is_check()
                && attacked(&after(), king, by, attacker)
        }
        Refusal::Pinned {
            square,
            role,
            king: shielded,
            by,
            attacker,
        } => {
            square == from
                && moved == Some(Piece::new(us, role))
                && shielded == king
                && !attacked(&pieces, king, by, attacker)
                && attacked(&after(), king, by, attacker)
        }
        Refusal::EnPassantExposesKing {
            king: exposed,
            by,
            attacker,
        } => {
            board.en_passant() == Some(to)
                && moved == Some(Piece::new(us, Role::Pawn))
                && exposed == king
                && !attacked(&pieces, king, by, attacker)
                && !board.pinned().contains(from)
                && attacked(&after(), king, by, attacker)
        }
        Refusal::EnPassantExpired { square, pawn } => {
            let them = Piece::new(!us, Role::Pawn);
            square == to
                && moved.is_some_and(|piece| has_attack_shape(piece, from, to))
                && pawn == Square::new(to.file(), from.rank())
                && from.rank() == us.relative_rank(Rank::Fifth)
                && pieces.piece_at(pawn) == Some(them)
                && pieces.piece_at(to).is_none()
                && board.en_passant() != Some(to)
        }
        Refusal::NothingToCapture { square } => {
            justify_step(&pieces, from, to, refusal) && board.en_passant() != Some(square)
        }
        Refusal::MissingPromotion { square } => {
            square == to
                && to.rank() == us.relative_rank(Rank::Eighth)
                && promotion.is_none()
                && board.legal_move(from, to, Some(Role::Queen)).is_ok()
        }
        Refusal::InvalidPromotion { role } => {
            promotion == Some(role)
                && [Role::Pawn, Role::King].contains(&role)
                && board.legal_move(from, to, Some(Role::Queen)).is_ok()
        }
        Refusal::NotAPromotion { role, to: end } => {
            end == to
                && promotion.is_some()
                && moved == Some(Piece::new(us, role))
                && (role != Role::Pawn || to.rank() != us.relative_rank(Rank::Eighth))
        }
        Refusal::KingHasMoved { king: square } => {
            // Both kings start on one file: that of an enemy king that may still castle, or else the e-file.
            let enemy_rights =
                CastlingSide::ALL.map(|side| board.castling_rook(!us, side).is_some());
            let home = if enemy_rights.contains(&true) {
                board.king(!us).file()
            } else {
                File::E
            };
            let at_home = king.rank() == us.relative_rank(Rank::First) && king.file() == home;
            square == king && from == king && !may_castle_at_all && !at_home
        }
        Refusal::RookHasMoved { rook } => {
            from == king
                && pieces.piece_at(rook) == Some(own_rook)
                && !may_castle(side_of(rook))
                && may_castle_at_all
        }
        Refusal::KingOrRookHasMoved { rook } => {
            from == king && pieces.piece_at(rook) == Some(own_rook) && !may_castle_at_all
        }
        Refusal::NoRookToCastle { side } => {
            let back_rank = Bitboard::rank(us.relative_rank(Rank::First));
            let rooks = pieces.pieces(us, Role::Rook) & back_rank;
            from == king && rooks.into_iter().all(|rook| side_of(rook) != side)
        }
        Refusal::CastlingInCheck { by, attacker } => {
            from == king && may_castle(side) && attacked(&pieces, king, by, attacker)
        }
        Refusal::CastlingThroughCheck {
            square,
            by,
            attacker,
        } => {
            let end = Square::new(side.king_file(), king.rank());
            let on_the_way = square == end || between(king, end).any(|way| way == square);
            let mut without_king = pieces;
            without_king.remove(king);
            let castled = castled(board, side);
            from == king
                && may_castle(side)
                && !board.is_check()
                && on_the_way
                && (attacked(&without_king, square, by, attacker)
                    || square == end && attacked(&castled, square, by, attacker))
        }
        Refusal::CastlingBlocked { square, role } => {
            let rook = board.castling_rook(us, side);
            let blocker = pieces.piece_at(square);
            let ends = [(Some(king), side.king_file()), (rook, side.rook_file())];
            from == king
                && !board.is_check()
                && blocker.is_some_and(|blocker| blocker.role == role)
                && square != king
                && Some(square) != rook
                && ends.into_iter().any(|(start, file)| {
                    let end = Square::new(file, king.rank());
                    start.is_some_and(|start| {
                        square == end || between(start, end).any(|way| way == square)
                    })
                })
        }
        // Reasons that depend only on the pieces.
        _ => justify_step(&pieces, from, to, refusal),
    };
    assert!(is_true, "{from}{to} {promotion:?} on {board}: {refusal}");
}

/// The pieces after castling, whether it is legal or not.
fn castled(board: &Board, side: CastlingSide) -> Placement {
    let us = board.turn();
    let king = board.king(us);
    let mut pieces = board.placement();
    if let Some(rook) = board.castling_rook(us, side) {
        pieces.remove(king);
        pieces.remove(rook);
        let put = |pieces: &mut Placement, file, role| {
            pieces.put(Square::new(file, king.rank()), Piece::new(us, role));
        };
        put(&mut pieces, side.king_file(), Role::King);
        put(&mut pieces, side.rook_file(), Role::Rook);
    }
    pieces
}

/// Whether the reason why a piece cannot move to a square is true.
fn justify_step(pieces: &Placement, from: Square, to: Square, refusal: Refusal) -> bool {
    let moved = pieces.piece_at(from);
    let target = pieces.piece_at(to);
    let Some(piece) = moved else {
        return refusal == Refusal::NoPiece { square: from };
    };
    let (files, ranks) = distance(from, to);
    let is_pawn = piece.role == Role::Pawn;
    let ahead = forward(piece.color);
    let is_double_push = is_pawn && files == 0 && ranks == 2 * ahead;
    let is_step = is_pawn && files == 0 && ranks == ahead;
    let has_shape = has_attack_shape(piece, from, to) || is_step || is_double_push;
    let way_is_free = between(from, to).all(|square| pieces.piece_at(square).is_none());
    match refusal {
        Refusal::SameSquare { square } => square == from && from == to,
        Refusal::NotHowItMoves {
            role,
            from: start,
            to: end,
        } => {
            role == piece.role
                && (start, end) == (from, to)
                && from != to
                && !has_shape
                && !(is_pawn && ranks * ahead < 0)
        }
        Refusal::PawnBackwards {
            from: start,
            to: end,
        } => is_pawn && (start, end) == (from, to) && ranks * ahead < 0,
        Refusal::PathBlocked { square, role } => {
            let nearest = between(from, to).find(|&square| pieces.piece_at(square).is_some());
            let mut without = *pieces;
            let removed = without.remove(square);
            has_shape
                && nearest == Some(square)
                && removed.is_some_and(|blocker| blocker.role == role)
                && without.pseudo_legal_move(from, to) != Err(refusal)
        }
        Refusal::OwnPiece { square, role } => {
            has_shape
                && way_is_free
                && square == to
                && target == Some(Piece::new(piece.color, role))
        }
        Refusal::PawnBlocked { square, role } => {
            (is_step || is_double_push && from.rank() == piece.color.relative_rank(Rank::Second))
                && way_is_free
                && square == to
                && target == Some(Piece::new(!piece.color, role))
        }
        Refusal::NoDoublePush { from: start } => {
            is_double_push
                && way_is_free
                && start == from
                && from.rank() != piece.color.relative_rank(Rank::Second)
        }
        Refusal::NothingToCapture { square } => {
            is_pawn && has_attack_shape(piece, from, to) && square == to && target.is_none()
        }
        _ => false,
    }
}

#[test]
fn every_pair_of_squares() {
    let _alone = alone();
    let mut total = Census::default();
    for start in Start::ALL {
        let (games, each) = match start {
            Start::Standard | Start::Chess960 => (330, 1),
            Start::Sparse => (300, 8),
        };
        let seen = census(0x0e5a_0000 + start as u64, games, |_, rng, seen| {
            for _ in 0..each {
                random_game(rng, start, |rng, board| {
                    seen.count(board, &board.legal_moves());
                    let justify = rng.once_in(8);
                    check_all_pairs(rng, board, justify);
                });
            }
        });
        eprintln!("{start:?}: {} boards", seen.boards);
        assert!(seen.boards >= 30_000, "{start:?}: {} boards", seen.boards);
        total.add(&seen);
    }
    total.expect(100_000, 10);
}

/// Of the moves of arbitrary bits, exactly the illegal ones are refused and not played.
#[test]
fn moves_of_other_boards() {
    let mut rng = Rng::new(0xb175);
    for game in 0..300 {
        random_game(&mut rng, Start::ALL[game % 3], |rng, board| {
            let moves = board.legal_moves();
            for _ in 0..20 {
                let mv = Move::from_bits(rng.number() as u16);
                let mut played = *board;
                let answer = played.try_play(mv);
                assert_eq!(answer, board.validate(mv), "{mv:?} on {board}");
                if moves.contains(&mv) {
                    assert_eq!((answer, played), (Ok(()), board.after(mv)));
                } else {
                    assert!(answer.is_err(), "{mv:?} on {board}");
                    assert_eq!(played, *board, "{mv:?} is refused but played");
                }
            }
        });
    }
}

/// Any pieces on any squares: moves to squares out of reach are refused for a true reason.
#[test]
fn placements() {
    let mut rng = Rng::new(0x91ace);
    for _ in 0..3_000 {
        let mut pieces = Placement::EMPTY;
        for _ in 0..rng.below(40) {
            let piece = Piece::new(rng.pick(&Color::ALL), rng.pick(&Role::ALL));
            pieces.put(rng.square(), piece);
        }
        for from in Square::all() {
            let reach = pieces.pseudo_legal_targets(from);
            for to in Square::all() {
                let can = reaches(&pieces, from, to);
                assert_eq!(reach.contains(to), can, "{from}{to}: {pieces:?}");
                match pieces.pseudo_legal_move(from, to) {
                    Ok(piece) => assert!(can && pieces.piece_at(from) == Some(piece)),
                    Err(refusal) => {
                        let is_true = justify_step(&pieces, from, to, refusal);
                        assert!(!can && is_true, "{from}{to}: {refusal}: {pieces:?}");
                    }
                }
            }
        }
        for color in Color::ALL {
            check_attackers(&pieces, color);
            for from in Square::all() {
                for to in Square::all() {
                    check_after(&pieces, color, from, to);
                }
            }
        }
    }
}

/// A move is legal if the piece belongs to the side, can move there, and leaves no king of its side attacked; otherwise
/// the reason is true.
fn check_after(pieces: &Placement, side: Color, from: Square, to: Square) {
    let attacked = |pieces: &Placement, square, by, attacker| {
        attacks(pieces, by, square) && pieces.piece_at(by) == Some(Piece::new(!side, attacker))
    };
    let mut moved = *pieces;
    moved.relocate(from, to);
    let piece = pieces.piece_at(from);
    let is_own = piece.is_some_and(|piece| piece.color == side);
    let reaches = is_own && reaches(pieces, from, to);
    let enemies = moved.by_color(!side);
    let exposed = moved
        .pieces(side, Role::King)
        .into_iter()
        .any(|king| enemies.into_iter().any(|by| attacks(&moved, by, king)));
    let is_true = match pieces.after(side, from, to) {
        Ok(after) => reaches && !exposed && after == moved,
        Err(Refusal::NotYourPiece {
            square,
            owner,
            role,
        }) => square == from && owner != side && piece == Some(Piece::new(owner, role)),
        Err(Refusal::IntoCheck { king, by, attacker }) => {
            reaches
                && king == to
                && piece == Some(Piece::new(side, Role::King))
                && attacked(&moved, king, by, attacker)
        }
        Err(Refusal::StillInCheck { king, by, attacker }) => {
            reaches && attacked(pieces, king, by, attacker) && attacked(&moved, king, by, attacker)
        }
        Err(Refusal::Pinned {
            square,
            role,
            king,
            by,
            attacker,
        }) => {
            reaches
                && square == from
                && piece == Some(Piece::new(side, role))
                && between(by, king).any(|square| square == from)
                && !attacked(pieces, king, by, attacker)
                && attacked(&moved, king, by, attacker)
        }
        Err(refusal) => {
            (is_own || piece.is_none()) && !reaches && justify_step(pieces, from, to, refusal)
        }
    };
    assert!(is_true, "{side} {from}{to}: {pieces:?}");
}

/// Checks attackers and kings in check.
fn check_attackers(pieces: &Placement, color: Color) {
    let enemies = pieces.by_color(!color);
    let attackers = |square| -> Bitboard {
        enemies
            .into_iter()
            .filter(|&by| attacks(pieces, by, square))
            .collect()
    };
    for square in Square::all() {
        let found = pieces.attackers(square, !color);
        assert_eq!(found, attackers(square), "{square}: {pieces:?}");
    }
    let kings = pieces.pieces(color, Role::King);
    match pieces.checker(color) {
        Some((king, by)) => {
            assert!(kings.contains(king) && attackers(king).contains(by));
        }
        None => assert!(kings.into_iter().all(|king| attackers(king).is_empty())),
    }
}

/// Looks up a move written like `e2e4` or `e7e8q`.
fn ask(fen: &str, question: &str) -> Result<Move, Refusal> {
    let board: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    let promotion = question.chars().nth(4).map(|letter| {
        Role::from_char(letter).unwrap_or_else(|| panic!("{question} ends with no piece"))
    });
    let square = |text: &str| {
        text.parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    board.legal_move(square(&question[..2]), square(&question[2..4]), promotion)
}

#[track_caller]
fn refused(fen: &str, question: &str, refusal: Refusal, sentence: &str) {
    assert_eq!(ask(fen, question), Err(refusal), "{question} on {fen}");
    assert_eq!(refusal.to_string(), sentence);
}

#[track_caller]
fn allowed(fen: &str, question: &str, text: &str) {
    let answer = ask(fen, question).map(|mv| mv.to_string());
    assert_eq!(answer.as_deref(), Ok(text), "{question} on {fen}");
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn wrong_piece() {
    refused(
        START,
        "e4e5",
        Refusal::NoPiece { square: Square::E4 },
        "there is no piece on e4",
    );
    refused(
        START,
        "g8f6",
        Refusal::NotYourPiece {
            square: Square::G8,
            owner: Color::Black,
            role: Role::Knight,
        },
        "the knight on g8 is Black's, but it's White's turn",
    );
    refused(
        START,
        "d1d1",
        Refusal::SameSquare { square: Square::D1 },
        "the move starts and ends on d1",
    );
}

#[test]
fn how_pieces_move() {
    let way = |role, from, to| Refusal::NotHowItMoves { role, from, to };
    refused(
        START,
        "b1b3",
        way(Role::Knight, Square::B1, Square::B3),
        "knights move two squares in one direction and one square to the side",
    );
    refused(
        START,
        "e2f4",
        way(Role::Pawn, Square::E2, Square::F4),
        "pawns move one square forward, or two from their starting square",
    );
    refused(
        START,
        "e2f2",
        way(Role::Pawn, Square::E2, Square::F2),
        "pawns move one square forward, or two from their starting square",
    );
    // A king that is not on its starting square does not castle.
    refused(
        "4k3/8/8/8/8/8/8/3K3R w - - 0 1",
        "d1f1",
        way(Role::King, Square::D1, Square::F1),
        "kings move one square in any direction",
    );
    refused(
        START,
        "f1c4",
        Refusal::PathBlocked {
            square: Square::E2,
            role: Role::Pawn,
        },
        "the pawn on e2 is in the way",
    );
    // The nearest of several pieces of either side; also in front of a pawn.
    refused(
        "r3k3/r7/8/n7/N7/8/8/Q3K3 w - - 0 1",
        "a1a8",
        Refusal::PathBlocked {
            square: Square::A4,
            role: Role::Knight,
        },
        "the knight on a4 is in the way",
    );
    refused(
        "r3k3/r7/8/n7/N7/8/8/Q3K3 b - - 0 1",
        "a8a1",
        Refusal::PathBlocked {
            square: Square::A7,
            role: Role::Rook,
        },
        "the rook on a7 is in the way",
    );
    refused(
        "4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1",
        "e2e4",
        Refusal::PathBlocked {
            square: Square::E3,
            role: Role::Knight,
        },
        "the knight on e3 is in the way",
    );
    refused(
        START,
        "a1a2",
        Refusal::OwnPiece {
            square: Square::A2,
            role: Role::Pawn,
        },
        "your own pawn is on a2",
    );
}

#[test]
fn how_pawns_move() {
    refused(
        "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1",
        "e4e3",
        Refusal::PawnBackwards {
            from: Square::E4,
            to: Square::E3,
        },
        "pawns never move backwards",
    );
    refused(
        "4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1",
        "e4e5",
        Refusal::PawnBlocked {
            square: Square::E5,
            role: Role::Pawn,
        },
        "the pawn on e5 blocks the pawn; pawns capture only diagonally",
    );
    refused(
        "4k3/8/8/8/4q3/8/4P3/3K4 w - - 0 1",
        "e2e4",
        Refusal::PawnBlocked {
            square: Square::E4,
            role: Role::Queen,
        },
        "the queen on e4 blocks the pawn; pawns capture only diagonally",
    );
    refused(
        "4k3/8/8/8/8/4N3/4P3/4K3 w - - 0 1",
        "e2e3",
        Refusal::OwnPiece {
            square: Square::E3,
            role: Role::Knight,
        },
        "your own knight is on e3",
    );
    refused(
        "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1",
        "e3e5",
        Refusal::NoDoublePush { from: Square::E3 },
        "pawns move two squares only from their starting square",
    );
    refused(
        START,
        "e2d3",
        Refusal::NothingToCapture { square: Square::D3 },
        "pawns move diagonally only to capture, and d3 is empty",
    );
    refused(
        "4k3/8/8/3p4/8/4P3/8/4K3 w - - 0 1",
        "e3d4",
        Refusal::NothingToCapture { square: Square::D4 },
        "pawns move diagonally only to capture, and d4 is empty",
    );
    let too_late = "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1";
    refused(
        too_late,
        "e5d6",
        Refusal::EnPassantExpired {
            square: Square::D6,
            pawn: Square::D5,
        },
        "the pawn on d5 can't be captured en passant: it didn't just move two squares",
    );
    allowed(&too_late.replace("w - -", "w - d6"), "e5d6", "e5d6");
}

#[test]
fn promotions() {
    let fen = "4k3/P7/8/8/8/8/7p/4K3 w - - 0 1";
    refused(
        fen,
        "a7a8",
        Refusal::MissingPromotion { square: Square::A8 },
        "the pawn promotes on a8: choose a queen, rook, bishop or knight",
    );
    for (question, role) in [("a7a8k", Role::King), ("a7a8p", Role::Pawn)] {
        refused(
            fen,
            question,
            Refusal::InvalidPromotion { role },
            &format!("pawns promote to a queen, rook, bishop or knight, not to a {role}"),
        );
    }
    refused(
        START,
        "e2e4q",
        Refusal::NotAPromotion {
            role: Role::Pawn,
            to: Square::E4,
        },
        "pawns promote only on the last rank, not on e4",
    );
    refused(
        fen,
        "e1d1n",
        Refusal::NotAPromotion {
            role: Role::King,
            to: Square::D1,
        },
        "only pawns promote, and this is a king",
    );
    refused(
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "e1g1q",
        Refusal::NotAPromotion {
            role: Role::King,
            to: Square::G1,
        },
        "only pawns promote, and this is a king",
    );
    for letter in ["q", "r", "b", "n"] {
        let question = format!("a7a8{letter}");
        allowed(fen, &question, &question);
    }
}

#[test]
fn checks_and_pins() {
    refused(
        "4r2k/8/8/8/8/8/8/3K4 w - - 0 1",
        "d1e1",
        Refusal::IntoCheck {
            king: Square::E1,
            by: Square::E8,
            attacker: Role::Rook,
        },
        "the rook on e8 would attack the king on e1",
    );
    // The king steps back on the line of the rook.
    refused(
        "4k3/8/8/8/r3K3/8/8/8 w - - 0 1",
        "e4f4",
        Refusal::IntoCheck {
            king: Square::F4,
            by: Square::A4,
            attacker: Role::Rook,
        },
        "the rook on a4 would attack the king on f4",
    );
    // Kings cannot stand next to each other.
    refused(
        "8/8/8/8/8/3k4/8/3K4 w - - 0 1",
        "d1d2",
        Refusal::IntoCheck {
            king: Square::D2,
            by: Square::D3,
            attacker: Role::King,
        },
        "the king on d3 would attack the king on d2",
    );
    refused(
        "4k3/8/8/8/8/5n2/8/R3K3 w - - 0 1",
        "a1a8",
        Refusal::StillInCheck {
            king: Square::E1,
            by: Square::F3,
            attacker: Role::Knight,
        },
        "the king on e1 would still be in check from the knight on f3",
    );
    // A pinned piece that does not stop another check.
    refused(
        "4r2k/8/8/8/8/4Bn2/8/4K3 w - - 0 1",
        "e3d4",
        Refusal::StillInCheck {
            king: Square::E1,
            by: Square::F3,
            attacker: Role::Knight,
        },
        "the king on e1 would still be in check from the knight on f3",
    );
    // In double check, capturing one of the two is not enough.
    refused(
        "4r2k/8/8/8/8/5n2/6P1/4K3 w - - 0 1",
        "g2f3",
        Refusal::StillInCheck {
            king: Square::E1,
            by: Square::E8,
            attacker: Role::Rook,
        },
        "the king on e1 would still be in check from the rook on e8",
    );
    refused(
        "4r2k/8/8/8/8/4B3/8/4K3 w - - 0 1",
        "e3d4",
        Refusal::Pinned {
            square: Square::E3,
            role: Role::Bishop,
            king: Square::E1,
            by: Square::E8,
            attacker: Role::Rook,
        },
        "the bishop on e3 is pinned to the king on e1 by the rook on e8",
    );
    // En passant would remove two pawns from the rank.
    refused(
        "8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1",
        "d5c6",
        Refusal::EnPassantExposesKing {
            king: Square::A5,
            by: Square::H5,
            attacker: Role::Rook,
        },
        "capturing en passant would expose the king on a5 to the rook on h5",
    );
}

#[test]
fn castling_rights() {
    let moved = |rook| Refusal::RookHasMoved { rook };
    refused(
        "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1",
        "e1g1",
        moved(Square::H1),
        "the king can't castle because the rook on h1 has moved",
    );
    // Castling by the rook's square, and for Black.
    refused(
        "r3k2r/8/8/8/8/8/8/4K3 b k - 0 1",
        "e8a8",
        moved(Square::A8),
        "the king can't castle because the rook on a8 has moved",
    );
    refused(
        "4k3/8/8/8/8/8/8/R3K2R w - - 0 1",
        "e1c1",
        Refusal::KingOrRookHasMoved { rook: Square::A1 },
        "the king can't castle because it or the rook on a1 has moved",
    );
    refused(
        "4k3/8/8/8/8/8/8/R2K3R w - - 0 1",
        "d1h1",
        Refusal::KingHasMoved { king: Square::D1 },
        "the king can't castle because it has moved",
    );
    refused(
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "e1g1",
        Refusal::NoRookToCastle {
            side: CastlingSide::KingSide,
        },
        "the king can't castle kingside because there is no rook to castle with",
    );
    refused(
        "4k2r/8/8/8/8/8/8/4K3 b k - 0 1",
        "e8c8",
        Refusal::NoRookToCastle {
            side: CastlingSide::QueenSide,
        },
        "the king can't castle queenside because there is no rook to castle with",
    );
}

/// Black's king may still castle, so both kings started on its file.
#[test]
fn castling_rights_of_chess960() {
    refused(
        "r4k1r/8/8/8/8/8/8/R4K1R w ha - 0 1",
        "f1h1",
        Refusal::KingOrRookHasMoved { rook: Square::H1 },
        "the king can't castle because it or the rook on h1 has moved",
    );
}

/// The squares fit, but another piece is there.
#[test]
fn moves_of_another_piece() {
    let rook: Board = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
    let queen: Board = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1".parse().unwrap();
    let mv = queen.legal_move(Square::A1, Square::A5, None).unwrap();
    let refusal = Refusal::WrongPosition {
        from: Square::A1,
        to: Square::A5,
    };
    assert_eq!(rook.validate(mv), Err(refusal));
    assert_eq!(
        refusal.to_string(),
        "the move from a1 to a5 belongs to a different position"
    );
}

/// The squares that a diagram of a refusal highlights.
#[test]
fn highlighted_squares() {
    let squares = |fen, question| ask(fen, question).unwrap_err().squares();
    let set = |squares: &[Square]| squares.iter().copied().collect::<Bitboard>();
    assert_eq!(squares(START, "f1c4"), set(&[Square::E2]));
    assert_eq!(squares(START, "b1b3"), Bitboard::EMPTY);
    assert_eq!(
        squares("4r2k/8/8/8/8/4B3/8/4K3 w - - 0 1", "e3d4"),
        set(&[Square::E1, Square::E8])
    );
    assert_eq!(
        squares("4k3/8/b7/8/8/8/8/R3K2R w KQ - 0 1", "e1g1"),
        set(&[Square::F1, Square::A6])
    );
    assert_eq!(
        squares("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6"),
        set(&[Square::D5])
    );
}

#[test]
fn castling_through_pieces_and_attacks() {
    refused(
        "4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "e1g1",
        Refusal::CastlingInCheck {
            by: Square::E8,
            attacker: Role::Rook,
        },
        "the king can't castle while in check from the rook on e8",
    );
    refused(
        "4k3/8/b7/8/8/8/8/R3K2R w KQ - 0 1",
        "e1g1",
        Refusal::CastlingThroughCheck {
            square: Square::F1,
            by: Square::A6,
            attacker: Role::Bishop,
        },
        "the king can't castle because the bishop on a6 attacks f1",
    );
    refused(
        "4k3/8/8/8/8/2q5/8/R3K2R w KQ - 0 1",
        "e1c1",
        Refusal::CastlingInCheck {
            by: Square::C3,
            attacker: Role::Queen,
        },
        "the king can't castle while in check from the queen on c3",
    );
    refused(
        "4k3/8/8/8/8/7n/8/R3K2R w KQ - 0 1",
        "e1h1",
        Refusal::CastlingThroughCheck {
            square: Square::G1,
            by: Square::H3,
            attacker: Role::Knight,
        },
        "the king can't castle because the knight on h3 attacks g1",
    );
    refused(
        "4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1",
        "e1c1",
        Refusal::CastlingBlocked {
            square: Square::B1,
            role: Role::Knight,
        },
        "the king can't castle because the knight on b1 is in the way",
    );
    // Only the king's path must be safe, not the rook's: b1 and a1 may be attacked.
    allowed("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "e1c1");
    allowed("r3k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", "e1c1");
}

/// Castling in Chess960, where the king may step, stay or jump.
#[test]
fn castling_of_chess960() {
    let square = |text: &str| text.parse::<Square>().unwrap();
    let ask = |fen: &str, from: &str, to: &str| {
        let board: Board = fen.parse().unwrap();
        board.legal_move(square(from), square(to), None)
    };
    // Next to the square where castling ends, the king steps there; only the rook's square means castling.
    let next_to_it = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
    let step = ask(next_to_it, "f1", "g1").unwrap();
    assert!(!step.is_castling());
    let castle = ask(next_to_it, "f1", "h1").unwrap();
    assert!(castle.is_castling());
    assert_eq!((castle.from(), castle.to()), (Square::F1, Square::G1));
    // The king swaps squares with its rook.
    let change = ask("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1", "g1").unwrap();
    assert!(change.is_castling());
    // The king stays on its square.
    let stands = "4k3/8/8/8/8/8/8/6KR w H - 0 1";
    assert_eq!(
        ask(stands, "g1", "g1"),
        Err(Refusal::SameSquare { square: Square::G1 })
    );
    let castle = ask(stands, "g1", "h1").unwrap();
    assert!(castle.is_castling());
    assert_eq!((castle.from(), castle.to()), (Square::G1, Square::G1));
    let board: Board = stands.parse().unwrap();
    assert_eq!(
        board.after(castle).to_string(),
        "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"
    );
    // Only the rook shields the square where the king ends.
    let shield = ask("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", "c1", "b1").unwrap_err();
    let attacked = Refusal::CastlingThroughCheck {
        square: Square::C1,
        by: Square::A1,
        attacker: Role::Queen,
    };
    assert_eq!(shield, attacked);
    // The rook's path must be empty too.
    let blocked = ask("4k3/8/8/8/8/8/8/RN1K4 w A - 0 1", "d1", "a1").unwrap_err();
    let knight = Refusal::CastlingBlocked {
        square: Square::B1,
        role: Role::Knight,
    };
    assert_eq!(blocked, knight);
    // The inner of two rooks has the castling right.
    let inner = ask("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", "e1", "g1").unwrap();
    assert!(inner.is_castling());
}

/// Moves from another board.
#[test]
fn stale_moves() {
    let board: Board = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1".parse().unwrap();
    let castle = board.legal_move(Square::E1, Square::G1, None).unwrap();
    let step = board.legal_move(Square::E2, Square::E4, None).unwrap();
    let attacked: Board = "4k3/8/8/8/8/8/8/4K1nR w K - 0 1".parse().unwrap();
    let knight = Refusal::CastlingBlocked {
        square: Square::G1,
        role: Role::Knight,
    };
    assert_eq!(attacked.validate(castle), Err(knight));
    let mut played = attacked;
    assert_eq!(
        played.try_play(step),
        Err(Refusal::NoPiece { square: Square::E2 })
    );
    assert_eq!(played, attacked);
}

fn placement(pieces: &[(Square, char)]) -> Placement {
    let mut placement = Placement::EMPTY;
    for &(square, letter) in pieces {
        placement.put(square, Piece::from_char(letter).unwrap());
    }
    placement
}

#[test]
fn placements_without_kings_or_with_many() {
    let none = placement(&[(Square::A1, 'R'), (Square::A8, 'r')]);
    assert_eq!(none.checker(Color::White), None);
    assert_eq!(none.pseudo_legal_targets(Square::A1).len(), 14);
    assert_eq!(none.pseudo_legal_targets(Square::B1), Bitboard::EMPTY);
    assert_eq!(
        none.pseudo_legal_move(Square::B1, Square::B2),
        Err(Refusal::NoPiece { square: Square::B1 })
    );

    let three = placement(&[
        (Square::B1, 'K'),
        (Square::E4, 'K'),
        (Square::H8, 'K'),
        (Square::F6, 'n'),
        (Square::A8, 'k'),
    ]);
    assert_eq!(
        three.checker(Color::White),
        Some((Square::E4, Square::F6)),
        "one of three kings"
    );
    assert_eq!(three.checker(Color::Black), None);
    // Pseudo-legal moves may capture a king or step into check.
    assert!(three.pseudo_legal_move(Square::F6, Square::E4).is_ok());
    assert!(three.pseudo_legal_move(Square::H8, Square::G8).is_ok());
    // A king blocks its own side like any other piece.
    let own = placement(&[(Square::A1, 'R'), (Square::A2, 'K')]);
    assert_eq!(
        own.pseudo_legal_move(Square::A1, Square::A2),
        Err(Refusal::OwnPiece {
            square: Square::A2,
            role: Role::King
        })
    );
}

#[test]
fn placements_with_pawns_on_back_ranks_and_nine_queens() {
    let pawns = placement(&[(Square::A8, 'P'), (Square::C1, 'P'), (Square::E1, 'p')]);
    assert_eq!(pawns.pseudo_legal_targets(Square::A8), Bitboard::EMPTY);
    assert_eq!(
        pawns.pseudo_legal_targets(Square::C1),
        Bitboard::from(Square::C2),
        "no double step from the first rank"
    );
    assert_eq!(pawns.pseudo_legal_targets(Square::E1), Bitboard::EMPTY);
    assert_eq!(
        pawns.pseudo_legal_move(Square::C1, Square::C3),
        Err(Refusal::NoDoublePush { from: Square::C1 })
    );
    assert_eq!(
        pawns.pseudo_legal_move(Square::A8, Square::B8),
        Err(Refusal::NotHowItMoves {
            role: Role::Pawn,
            from: Square::A8,
            to: Square::B8
        })
    );

    // The long diagonal from h1 to a8, and one more in the corner.
    let diagonal = (0..8).map(|n| Square::from_index(7 + 7 * n).unwrap());
    let queens: Vec<(Square, char)> = diagonal
        .chain([Square::A1])
        .map(|square| (square, 'Q'))
        .collect();
    let queens = placement(&queens);
    assert_eq!(queens.by_role(Role::Queen).len(), 9);
    let attackers: Bitboard = [Square::A1, Square::A8, Square::D5, Square::G2]
        .into_iter()
        .collect();
    assert_eq!(queens.attackers(Square::A2, Color::White), attackers);
    for from in queens.occupied() {
        assert!(
            !queens
                .pseudo_legal_targets(from)
                .intersects(queens.occupied())
        );
    }
}

#[test]
fn changing_placements() {
    let mut pieces = Placement::EMPTY;
    let queen = Piece::new(Color::White, Role::Queen);
    let pawn = Piece::new(Color::Black, Role::Pawn);
    pieces.put(Square::D1, pawn);
    pieces.put(Square::D1, queen);
    pieces.put(Square::D7, pawn);
    assert_eq!(pieces.occupied().len(), 2);
    assert_eq!(pieces.by_role(Role::Pawn), Bitboard::from(Square::D7));
    assert_eq!(pieces.relocate(Square::D1, Square::D7), Some(pawn));
    assert_eq!(pieces.piece_at(Square::D7), Some(queen));
    assert_eq!(pieces.remove(Square::D7), Some(queen));
    assert_eq!(pieces.remove(Square::D7), None);
    assert_eq!(pieces.relocate(Square::D7, Square::A1), None);
    assert_eq!(pieces, Placement::EMPTY);
}
