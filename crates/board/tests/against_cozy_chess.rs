//! Compares legal moves, the positions after them, checks, pins, mates and stalemates with cozy-chess, an independent
//! library, on random boards.

mod common;

use common::other::{Other, Plain, play_along};
use common::{Census, Start, alone, census_at_all_simd_levels, random_setup};
use cozy_chess::{Board as Theirs, GameStatus, Piece as TheirRole, Square as TheirSquare};
use tabiya_board::{Bitboard, Board, CastlingSide, Color, File, Rank, Role, Square};

const THEIR_ROLES: [TheirRole; 6] = [
    TheirRole::Pawn,
    TheirRole::Knight,
    TheirRole::Bishop,
    TheirRole::Rook,
    TheirRole::Queen,
    TheirRole::King,
];

fn our_square(square: TheirSquare) -> Square {
    Square::from_index(square as usize).unwrap()
}

fn our_role(role: TheirRole) -> Role {
    Role::ALL[role as usize]
}

fn their_color(color: Color) -> cozy_chess::Color {
    if color.is_white() {
        cozy_chess::Color::White
    } else {
        cozy_chess::Color::Black
    }
}

fn their_board(board: &Board) -> Result<Theirs, cozy_chess::FenParseError> {
    Theirs::from_fen(&board.shredder_fen().to_string(), true)
}

/// The en passant square of their position. They keep it even if no pawn can capture.
fn en_passant_square(theirs: &Theirs) -> Option<Square> {
    let turn = if theirs.side_to_move() == cozy_chess::Color::White {
        Color::White
    } else {
        Color::Black
    };
    let file = File::ALL[theirs.en_passant()? as usize];
    Some(Square::new(file, turn.relative_rank(Rank::Sixth)))
}

impl Other for Theirs {
    type Move = cozy_chess::Move;

    fn moves(&self) -> Vec<(Plain, cozy_chess::Move)> {
        let own = self.colors(self.side_to_move());
        let mut moves = Vec::new();
        self.generate_moves(|batch| {
            for mv in batch {
                let (from, to) = (our_square(mv.from), our_square(mv.to));
                // They write castling as the king capturing its rook.
                let is_castle = own.has(mv.to);
                let side = if from < to {
                    CastlingSide::KingSide
                } else {
                    CastlingSide::QueenSide
                };
                let plain = Plain {
                    from,
                    to: if is_castle {
                        Square::new(side.king_file(), to.rank())
                    } else {
                        to
                    },
                    promotion: mv.promotion.map(our_role),
                    is_castle,
                };
                moves.push((plain, mv));
            }
            false
        });
        moves
    }

    fn play(&mut self, mv: cozy_chess::Move) {
        self.play_unchecked(mv);
    }

    fn compare(&self, board: &Board) {
        for (role, their_role) in Role::ALL.into_iter().zip(THEIR_ROLES) {
            let theirs = self.pieces(their_role);
            assert_eq!(board.by_role(role).0, theirs.0, "{role}s of {board}");
        }
        for color in Color::ALL {
            let theirs = self.colors(their_color(color));
            assert_eq!(board.by_color(color).0, theirs.0, "{color} of {board}");
            let rights = self.castle_rights(their_color(color));
            for (side, theirs) in CastlingSide::ALL
                .into_iter()
                .zip([rights.short, rights.long])
            {
                let ours = board.castling_rook(color, side).map(Square::file);
                let theirs = theirs.map(|file| File::ALL[file as usize]);
                assert_eq!(ours, theirs, "{color}'s {side} side: {board}");
            }
        }
        assert_eq!(their_color(board.turn()), self.side_to_move(), "{board}");
        // We drop an en passant square that no pawn attacks.
        let passed = en_passant_square(self).filter(|&square| {
            let own_pawns = board.pieces(board.turn(), Role::Pawn);
            tabiya_board::attacks::pawn(!board.turn(), square).intersects(own_pawns)
        });
        assert_eq!(board.en_passant(), passed, "en passant: {board}");
        // Their clock stops at 100.
        let clock = board.halfmove_clock().min(100);
        assert_eq!(clock, u16::from(self.halfmove_clock()), "clock of {board}");
        assert_eq!(board.fullmove_number(), self.fullmove_number());
        assert_eq!(board.checkers().0, self.checkers().0, "checkers: {board}");
        // They call pieces of either colour pinned that are alone between the king and an enemy slider.
        let pinned = Bitboard(self.pinned().0) & board.by_color(board.turn());
        assert_eq!(board.pinned(), pinned, "pinned: {board}");
    }

    fn compare_more(&self, board: &Board) {
        // They end the game after fifty moves, except by mate.
        if board.halfmove_clock() >= 100 && board.has_legal_move() {
            return;
        }
        let expected = match self.status() {
            GameStatus::Ongoing => (false, false),
            GameStatus::Won => (true, false),
            GameStatus::Drawn => (false, true),
        };
        assert_eq!(
            (board.is_checkmate(), board.is_stalemate()),
            expected,
            "{board}"
        );
    }
}

#[test]
fn random_games() {
    let _alone = alone();
    let mut total = Census::default();
    for start in [Start::Standard, Start::Chess960] {
        let seen = census_at_all_simd_levels(0xc02e_0000, 300, |_, rng, seen| {
            let board = start.board(rng);
            let theirs = their_board(&board).unwrap_or_else(|error| panic!("{board}: {error}"));
            let plies = 1 + rng.below(250);
            play_along(rng, board, theirs, plies, seen);
        });
        eprintln!("{start:?}: {} boards", seen.boards);
        assert!(seen.boards >= 75_000, "only {} boards", seen.boards);
        total.add(&seen);
    }
    total.expect(150_000, 1);
}

/// Random setups that both libraries accept. cozy-chess also rejects checks that a double push cannot have given, and
/// clocks over 100.
#[test]
fn random_setups() {
    let _alone = alone();
    let total = census_at_all_simd_levels(0xc05e_0000, 200, |_, rng, seen| {
        for _ in 0..200 {
            let mut setup = random_setup(rng);
            setup.halfmove_clock %= 100;
            let Ok(board) = Board::new(&setup) else {
                continue;
            };
            match their_board(&board) {
                Ok(theirs) => play_along(rng, board, theirs, 3, seen),
                Err(error) => assert!(
                    board.is_check() && board.en_passant().is_some(),
                    "{board}: {error}"
                ),
            }
        }
    });
    total.expect(100_000, 50);
}
