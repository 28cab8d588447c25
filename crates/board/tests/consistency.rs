//! Tests that lists, batches, counts, children, keys, texts and setups agree, on random boards and at every SIMD level.

mod common;

use std::ops::ControlFlow;

use common::{
    Census, Rng, Start, alone, at_all_simd_levels, census_at_all_simd_levels, random_game, sorted,
};
use tabiya_board::unkeyed::Position;
use tabiya_board::{
    Bitboard, Board, CastlingSide, Color, GameHistory, Move, MoveMatch, Outcome, Piece, PieceMoves,
    Placement, Rank, Role, Setup, Square,
};

/// The batches of a board.
fn batches(board: &Board) -> Vec<PieceMoves> {
    let mut batches = Vec::new();
    let end = board.for_each_piece_moves(|moves| {
        batches.push(moves);
        ControlFlow::<()>::Continue(())
    });
    assert_eq!(end, ControlFlow::Continue(()));
    batches
}

fn check_lists(board: &Board, moves: &[Move]) {
    let mut unique = moves.to_vec();
    unique.dedup();
    assert_eq!(unique, moves, "moves come twice: {board}");
    assert_eq!(board.count_legal(), moves.len(), "count: {board}");
    assert_eq!(board.has_legal_move(), !moves.is_empty(), "any: {board}");

    let captures: Vec<Move> = moves
        .iter()
        .copied()
        .filter(|&mv| board.captured(mv).is_some() || mv.promotion().is_some())
        .collect();
    assert_eq!(
        sorted(board.legal_captures_and_promotions()),
        captures,
        "captures: {board}"
    );
    let (captures, quiets): (Vec<Move>, Vec<Move>) = moves
        .iter()
        .copied()
        .filter(|&mv| board.captured(mv).is_some() || mv.promotion().is_none())
        .partition(|&mv| board.captured(mv).is_some());
    assert_eq!(sorted(board.legal_captures()), captures, "{board}");
    assert_eq!(sorted(board.legal_quiets()), quiets, "{board}");
    for &mv in moves {
        let lost =
            board.by_color(!board.turn()).len() - board.after(mv).by_color(!board.turn()).len();
        assert_eq!(board.captured(mv).is_some(), lost == 1, "{mv} on {board}");
    }
    for square in Square::all() {
        let occupied = board.occupied();
        let by = |color| board.attackers(square, color, occupied);
        let both = by(Color::White) | by(Color::Black);
        assert_eq!(
            board.all_attackers(square, occupied),
            both,
            "{square}: {board}"
        );
    }

    let batches = batches(board);
    for batch in &batches {
        let of_batch: Vec<Move> = batch.into_iter().collect();
        assert!(!batch.is_empty(), "empty batch: {board}");
        assert_eq!(batch.len(), of_batch.len(), "length of {batch:?}: {board}");
        let targets: Bitboard = of_batch.iter().map(|mv| mv.to()).collect();
        assert_eq!(batch.to(), targets, "targets of {batch:?}: {board}");
        for mv in of_batch {
            assert_eq!(mv.from(), batch.from(), "{mv}: {board}");
            assert_eq!(mv.role(), batch.role(), "{mv}: {board}");
        }
    }
    let starts: Bitboard = batches.iter().map(PieceMoves::from).collect();
    assert_eq!(starts.len(), batches.len(), "a piece comes twice: {board}");
    assert_eq!(
        sorted(batches.into_iter().flatten()),
        moves,
        "batches: {board}"
    );

    for &mv in moves {
        assert_eq!(
            board.role_at(mv.from()),
            Some(mv.role()),
            "{mv:?} on {board}"
        );
        assert_eq!(
            board.color_at(mv.from()),
            Some(board.turn()),
            "{mv} on {board}"
        );
        assert_eq!(Move::from_bits(mv.to_bits()), mv);
        assert!(board.is_legal(mv), "{mv} on {board}");
        assert_eq!(board.validate(mv), Ok(()), "{mv} on {board}");
    }
}

fn check_children(board: &Board, moves: &[Move]) {
    let mut children = Vec::with_capacity(moves.len());
    board.for_each_child(|mv, next| children.push((mv, *next)));
    children.sort_unstable_by_key(|&(mv, _)| mv);
    let mut of_position = Vec::with_capacity(moves.len());
    board
        .position()
        .for_each_child(|mv, next| of_position.push((mv, *next)));
    of_position.sort_unstable_by_key(|&(mv, _)| mv);
    assert_eq!(children.len(), moves.len(), "children of {board}");
    assert_eq!(of_position.len(), moves.len(), "children of {board}");
    assert_eq!(board.children().len(), moves.len(), "{board}");
    let mut iterated: Vec<(Move, Board)> = board.children().collect();
    iterated.sort_unstable_by_key(|&(mv, _)| mv);
    assert_eq!(iterated, children, "children of {board}");

    let mut line = GameHistory::new(*board);
    for (&mv, (child, of_position)) in moves.iter().zip(children.iter().zip(&of_position)) {
        assert_eq!((child.0, of_position.0), (mv, mv), "children of {board}");
        let next = child.1;
        assert_eq!(*next.position(), of_position.1, "{mv} on {board}");
        assert_eq!(board.after_unchecked(mv), next, "{mv} on {board}");
        assert_eq!(board.after(mv), next, "{mv} on {board}");
        let mut played = *board;
        played.play(mv);
        assert_eq!(played, next, "{mv} on {board}");
        played = *board;
        assert_eq!(played.try_play(mv), Ok(()), "{mv} on {board}");
        assert_eq!(played, next, "{mv} on {board}");
        let mut position: Position = *board.position();
        position.play_unchecked(mv);
        assert_eq!(position, of_position.1, "{mv} on {board}");
        line.play(mv);
        assert_eq!(*line.board(), next, "{mv} on {board}");
        assert_eq!(line.undo(), Some(mv));
        assert_eq!(line.board(), board, "{mv} taken back");
        check_round_trips(&next);
    }
}

/// FENs and setups give the same board and key again.
fn check_round_trips(board: &Board) {
    let fen = board.to_string();
    let again: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(again, *board, "from {fen}");
    assert_eq!(again.key(), board.key(), "key of {fen}");
    let shredder = board.shredder_fen().to_string();
    assert_eq!(shredder.parse(), Ok(*board), "from {shredder}");
    assert_eq!(Board::new(&board.setup()), Ok(*board), "set-up of {fen}");
}

/// A null move changes only the side to move, the clocks and the en passant square, and the key fits.
fn check_null_move(board: &Board) {
    let passed = board.null_move();
    let of_position = board.position().null_move();
    assert_eq!(passed.as_ref().map(Board::position), of_position.as_ref());
    let mut setup = board.setup();
    setup.turn = !setup.turn;
    setup.en_passant = None;
    setup.halfmove_clock = (setup.halfmove_clock + 1).min(4095);
    setup.fullmove_number += u32::from(setup.turn.is_white());
    assert_eq!(passed, Board::new(&setup).ok(), "null move on {board}");
}

fn check_pieces(board: &Board) {
    let pieces = board.placement();
    let mut by_square = Placement::EMPTY;
    for square in Square::all() {
        let piece = board.piece_at(square);
        assert_eq!(piece, pieces.piece_at(square), "{square} of {board}");
        assert_eq!(piece.map(|piece| piece.role), board.role_at(square));
        assert_eq!(piece.map(|piece| piece.color), board.color_at(square));
        if let Some(piece) = piece {
            by_square.put(square, piece);
        }
    }
    assert_eq!(by_square, pieces, "{board}");
    assert_eq!(board.occupied(), pieces.occupied(), "{board}");
}

fn check_state(board: &Board, moves: &[Move]) {
    let (us, them) = (board.turn(), !board.turn());
    let king = board.king(us);
    let pieces = board.placement();
    let checkers = pieces.attackers(king, them);
    assert_eq!(board.checkers(), checkers, "{board}");
    assert_eq!(board.is_check(), !checkers.is_empty(), "{board}");
    assert!(
        pieces.attackers(board.king(them), us).is_empty(),
        "{board} lets the king be taken"
    );
    // A piece is pinned if removing it gives check.
    let pinned: Bitboard = pieces
        .by_color(us)
        .into_iter()
        .filter(|&square| {
            let mut without = pieces;
            without.remove(square);
            square != king && without.attackers(king, them) != checkers
        })
        .collect();
    assert_eq!(board.pinned(), pinned, "{board}");

    let is_over = moves.is_empty();
    assert_eq!(board.is_checkmate(), is_over && board.is_check(), "{board}");
    assert_eq!(
        board.is_stalemate(),
        is_over && !board.is_check(),
        "{board}"
    );
    let expected = if board.is_checkmate() {
        Some(Outcome::Checkmate { winner: them })
    } else if is_over {
        Some(Outcome::Stalemate)
    } else if board.is_insufficient_material() {
        Some(Outcome::InsufficientMaterial)
    } else if board.halfmove_clock() >= 150 {
        Some(Outcome::SeventyFiveMoves)
    } else {
        None
    };
    assert_eq!(board.outcome(), expected, "{board}");
}

/// The mirrored board with exchanged colours must have the mirrored moves.
fn check_mirrored(board: &Board, moves: &[Move]) {
    let setup = board.setup();
    let mut mirrored = Setup {
        pieces: Placement::EMPTY,
        turn: !setup.turn,
        castling_rooks: setup.castling_rooks.into_iter().map(Square::flip).collect(),
        en_passant: setup.en_passant.map(Square::flip),
        ..setup
    };
    for square in setup.pieces.occupied() {
        if let Some(Piece { color, role }) = setup.pieces.piece_at(square) {
            mirrored.pieces.put(square.flip(), Piece::new(!color, role));
        }
    }
    let mirrored = Board::new(&mirrored).unwrap_or_else(|invalid| panic!("{board}: {invalid}"));
    let plain = |mv: Move, from: Square, to: Square| {
        (
            from,
            to,
            mv.role(),
            mv.promotion(),
            mv.is_castling(),
            mv.is_en_passant(),
        )
    };
    assert_eq!(
        sorted(mirrored.legal_moves().into_iter().map(|mv| plain(
            mv,
            mv.from().flip(),
            mv.to().flip()
        ))),
        sorted(moves.iter().map(|&mv| plain(mv, mv.from(), mv.to()))),
        "{board} and {mirrored}"
    );
}

/// Of all sixteen-bit moves, exactly the generated ones are legal.
fn check_all_bits(board: &Board, moves: &[Move]) {
    for bits in 0..=u16::MAX {
        let mv = Move::from_bits(bits);
        let is_legal = moves.binary_search(&mv).is_ok();
        assert_eq!(board.is_legal(mv), is_legal, "{mv:?} on {board}");
    }
}

/// Finding moves by role and squares gives those of the list.
fn check_finding(rng: &mut Rng, board: &Board, moves: &[Move]) {
    for role in Role::ALL {
        for to in Square::all() {
            let fitting = |promotion: Option<Role>, from: Bitboard| -> Vec<Move> {
                let fits = |mv: &&Move| {
                    !mv.is_castling()
                        && (mv.role(), mv.to(), mv.promotion()) == (role, to, promotion)
                        && from.contains(mv.from())
                };
                moves.iter().filter(fits).copied().collect()
            };
            let last_rank = to.rank() == board.turn().relative_rank(Rank::Eighth);
            let promotions = if role == Role::Pawn && last_rank {
                &[Some(Role::Queen), Some(Role::Knight)][..]
            } else {
                &[None]
            };
            for &promotion in promotions {
                let from = if rng.once_in(2) {
                    Bitboard::FULL
                } else {
                    Bitboard(rng.number())
                };
                let fitting = fitting(promotion, from);
                let expected = match fitting[..] {
                    [] => MoveMatch::None,
                    [only] => MoveMatch::Unique(only),
                    _ => MoveMatch::Ambiguous(fitting.iter().map(|mv| mv.from()).collect()),
                };
                let found = board.find_move(role, from, to, promotion);
                assert_eq!(found, expected, "{role} to {to} {promotion:?} on {board}");
            }
            let origins: Bitboard = moves
                .iter()
                .filter(|mv| !mv.is_castling() && mv.role() == role && mv.to() == to)
                .map(|mv| mv.from())
                .collect();
            assert_eq!(
                board.legal_origins(role, to),
                origins,
                "{role} to {to} on {board}"
            );
            assert_eq!(
                board.pseudo_legal_origins(role, to) & origins,
                origins,
                "{role} to {to} on {board}"
            );
        }
    }
    for side in CastlingSide::ALL {
        let castle = moves
            .iter()
            .find(|mv| mv.is_castling() && mv.to().file() == side.king_file());
        assert_eq!(
            board.legal_castling(side).ok().as_ref(),
            castle,
            "{side} side of {board}"
        );
    }
}

fn check(rng: &mut Rng, board: &Board, seen: &mut Census) {
    let moves = sorted(board.legal_moves());
    seen.count(board, &moves);
    check_lists(board, &moves);
    check_children(board, &moves);
    check_round_trips(board);
    check_null_move(board);
    check_pieces(board);
    check_state(board, &moves);
    check_mirrored(board, &moves);
    if board.en_passant().is_some() || rng.once_in(8) {
        check_finding(rng, board, &moves);
    }
    if rng.once_in(500) {
        check_all_bits(board, &moves);
    }
}

#[test]
fn random_boards() {
    let _alone = alone();
    let total = census_at_all_simd_levels(0x5eed_0000, 450, |job, rng, seen| {
        // Games from sparse setups are shorter, so play more of them.
        let start = Start::ALL[job % 3];
        for _ in 0..if start == Start::Sparse { 8 } else { 1 } {
            random_game(rng, start, |rng, board| check(rng, board, seen));
        }
    });
    total.expect(100_000, 50);
}

/// An engine would otherwise search other nodes on another processor.
#[test]
fn lists_have_the_same_order_at_every_simd_level() {
    let _alone = alone();
    let mut boards = Vec::new();
    let mut rng = Rng::new(0x0bde);
    for start in [Start::Standard, Start::Chess960, Start::Sparse] {
        for _ in 0..20 {
            random_game(&mut rng, start, |_, board| boards.push(*board));
        }
    }
    let mut lists: Option<Vec<Vec<Move>>> = None;
    at_all_simd_levels(|level| {
        let found = boards
            .iter()
            .map(|board| board.legal_moves().to_vec())
            .collect();
        if let Some(lists) = &lists {
            assert_eq!(*lists, found, "{level:?}");
        }
        lists = Some(found);
    });
    assert!(boards.len() > 1000, "only {} boards", boards.len());
}

#[test]
fn visitors_can_stop_early() {
    let board = Board::start();
    let mut visited = 0;
    let end = board.for_each_piece_moves(|moves| {
        visited += 1;
        if visited == 3 {
            ControlFlow::Break(moves.from())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(visited, 3);
    let third = batches(&board)[2];
    assert_eq!(end, ControlFlow::Break(third.from()));
}

#[test]
fn a_batch_counts_promotions_four_times() {
    let board: Board = "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
    let pawn = batches(&board)
        .into_iter()
        .find(|moves| moves.role() == Role::Pawn)
        .unwrap();
    assert_eq!(pawn.from(), Square::A7);
    assert_eq!(
        pawn.to(),
        Bitboard::from(Square::A8) | Bitboard::from(Square::B8)
    );
    assert_eq!(pawn.len(), 8);
    let texts: Vec<String> = sorted(pawn.into_iter().map(|mv| mv.to_string()));
    assert_eq!(
        texts,
        [
            "a7a8b", "a7a8n", "a7a8q", "a7a8r", "a7b8b", "a7b8n", "a7b8q", "a7b8r"
        ]
    );
}

/// If a promotion is missing or out of place, no move matches.
#[test]
fn wrong_promotions_match_no_move() {
    let board: Board = "1n2k3/P1P5/8/8/8/8/8/R3K2R w - - 0 1".parse().unwrap();
    let find = |role, to, promotion| board.find_move(role, Bitboard::FULL, to, promotion);
    assert_eq!(
        find(Role::Rook, Square::C1, Some(Role::Queen)),
        MoveMatch::None
    );
    assert_eq!(
        find(Role::Rook, Square::F1, Some(Role::Queen)),
        MoveMatch::None
    );
    assert_eq!(find(Role::Pawn, Square::B8, None), MoveMatch::None);
    assert_eq!(
        find(Role::Pawn, Square::B8, Some(Role::King)),
        MoveMatch::None
    );
}

/// Of all values that a move can have, exactly the listed ones are legal.
#[test]
fn exactly_the_listed_moves_are_legal() {
    let _alone = alone();
    let mut rng = Rng::new(0x1e9a);
    let mut boards = 0;
    for start in [Start::Standard, Start::Chess960, Start::Sparse] {
        for _ in 0..4 {
            random_game(&mut rng, start, |rng, board| {
                if !rng.once_in(8) {
                    return;
                }
                boards += 1;
                let moves = sorted(board.legal_moves());
                let legal = (0..=u16::MAX)
                    .filter(|&bits| Move::from_bits(bits).to_bits() == bits)
                    .map(Move::from_bits)
                    .filter(|&mv| board.is_legal(mv));
                assert_eq!(sorted(legal), moves, "{board}");
            });
        }
    }
    assert!(boards > 30, "only {boards} boards");
}
