//! The motifs: facts about a move, and the words for them.

use std::fmt;

use tabiya_board::{Bitboard, Board, CastlingSide, Color, File, Move, Role, Square};

use crate::mate_pattern::MatePattern;
use crate::solver::piece_value;

/// A piece that a motif is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    /// Its role.
    pub role: Role,
    /// Its square.
    pub square: Square,
    /// Whether its side has another piece of this role, so that words must name the square.
    pub has_twin: bool,
}

impl Target {
    /// The piece on a square. An empty square counts as a pawn.
    pub(crate) fn on(board: &Board, square: Square) -> Self {
        let role = board.role_at(square).unwrap_or(Role::Pawn);
        let color = board.color_at(square).unwrap_or(Color::White);
        Self {
            role,
            square,
            has_twin: board.pieces(color, role).more_than_one(),
        }
    }
}

/// Writes `the queen`, or `the knight on c6` if there are several.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {}", self.role)?;
        if self.has_twin {
            write!(f, " on {}", self.square)?;
        }
        Ok(())
    }
}

/// A fact about a move. Each variant says exactly what is proved; "the player" makes the move.
///
/// "Settles at" means: by a search of captures, promotions and answers to checks, in which both sides may stop when
/// not in check, and pieces are worth 1, 3, 3, 5 and 9 pawns.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Motif {
    /// The player mates within this many moves, against every defence.
    Mate {
        /// The moves to mate, this one included.
        moves: u32,
        /// The name of the mate at the end of the line.
        pattern: Option<MatePattern>,
    },
    /// The move ends the game by stalemate.
    Stalemate,
    /// If the player passed, the opponent would mate within this many moves; after the move, there is no such mate.
    /// With `is_only`, every other legal move allows mate in one.
    StopsMate {
        /// The moves to mate.
        moves: u32,
        /// Whether it is the only legal move that prevents mate in one.
        is_only: bool,
    },
    /// The opponent loses this piece: after every reply the player can take it, or the move takes it, and the
    /// material settles at a gain of the piece's worth, less `cost`.
    Wins {
        /// The piece.
        target: Target,
        /// What the player gives for it, in pawns: 0, 1, 3 or 5.
        cost: i32,
    },
    /// After every reply the player's material settles at a gain of at least this many pawns.
    WinsMaterial {
        /// The gain.
        pawns: i32,
    },
    /// The moved piece attacks several pieces that it threatens to take with a gain, or gives check with it, and after
    /// every reply the player gains at least a pawn.
    Fork {
        /// The pieces attacked, the king first.
        targets: Vec<Target>,
    },
    /// The piece cannot leave the line of an attacker, because the king is behind it, or without losing the more
    /// valuable piece behind it. The player has nothing to lose by captures.
    Pin {
        /// The pinned piece.
        target: Target,
        /// The piece behind it.
        behind: Target,
        /// The square of the pinning piece.
        by: Square,
    },
    /// A line piece attacks a valuable piece, behind which another one is lost. After every reply the player gains at
    /// least a pawn.
    Skewer {
        /// The piece in front.
        target: Target,
        /// The piece behind it.
        behind: Target,
        /// The square of the attacking piece.
        by: Square,
    },
    /// Two pieces give check.
    DoubleCheck,
    /// A piece that has not moved gives check.
    DiscoveredCheck,
    /// The move opens the line of another piece, which now threatens to take this one with a gain.
    DiscoveredAttack {
        /// The piece attacked.
        target: Target,
        /// The square of the attacking piece.
        by: Square,
    },
    /// The move takes the only defender of a piece that the player threatens to take next, and after every reply the
    /// player gains at least a pawn.
    RemovesDefender {
        /// The piece that has lost its defender.
        target: Target,
    },
    /// If the opponent passed, the player would mate within this many moves, beginning with this one.
    ThreatensMate {
        /// The moves to mate.
        moves: u32,
        /// The first of them.
        mv: Move,
    },
    /// The opponent threatened to take this piece with a gain and no longer does; no other capture gains anything
    /// either.
    Saves {
        /// The piece, where it stood before the move.
        target: Target,
    },
    /// The opponent can take the moved piece and gain at least two pawns over the position before the move, but the
    /// engine's score says that the move is worth it.
    Sacrifices {
        /// The piece.
        role: Role,
        /// The pieces that it threatens to take with a gain, or checks, if there are several.
        forked: Vec<Target>,
    },
    /// A pawn becomes this piece.
    Promotes {
        /// The new role.
        role: Role,
    },
    /// The move takes the piece that has just captured.
    TakesBack {
        /// The piece taken.
        target: Target,
    },
    /// The move takes a piece of equal worth, can be taken back, and settles even.
    Trades {
        /// The role of the moving piece.
        own: Role,
        /// The role of the piece taken.
        other: Role,
    },
    /// The moved piece now threatens to take this one with a gain, as it could not before, and none of the player's
    /// pieces can be taken with a gain.
    Attacks {
        /// The piece attacked.
        target: Target,
    },
    /// The moved piece newly attacks the pawn in front of the opponent's uncastled king, which only the king defends.
    AttacksWeakPawn {
        /// The pawn's square, f2 or f7.
        square: Square,
    },
    /// The move gives check.
    Check,
    /// The king castles.
    Castles {
        /// To which side.
        side: CastlingSide,
    },
    /// The move takes the piece that gives check.
    TakesChecker {
        /// That piece.
        target: Target,
    },
    /// A piece is put between the king and the piece that gives check.
    BlocksCheck,
    /// The king leaves a check.
    LeavesCheck,
    /// A knight or bishop leaves its square of the starting position and the back rank.
    Develops {
        /// The piece.
        role: Role,
    },
    /// Nothing stands between the rooks on the back rank any more.
    ConnectsRooks,
    /// A pawn moves to d4, e4, d5 or e5.
    PawnToCenter,
    /// A knight or queen moves to d4, e4, d5 or e5, where it is not lost.
    PieceToCenter {
        /// The piece.
        role: Role,
    },
    /// A pawn that no enemy pawn can stop or take moves on.
    PushesPassedPawn {
        /// The square that it reaches.
        square: Square,
    },
    /// A rook moves to a file without pawns.
    OpenFile {
        /// The file.
        file: File,
    },
    /// Two rooks stand on a file with nothing between them, and did not before.
    DoublesRooks {
        /// The file.
        file: File,
    },
    /// A pawn move gives the king on its back rank a safe square in front of it; before, it had none.
    EscapeSquare {
        /// The square.
        square: Square,
    },
    /// A pawn steps onto the opponent's half of the board.
    GainsSpace,
    /// A rook enters the seventh rank, from its side's point of view.
    SeventhRank,
    /// Without queens on the board, the king moves nearer to the centre.
    KingToCenter,
    /// A piece that was attacked and not defended is now defended.
    Defends {
        /// The piece.
        target: Target,
    },
    /// The move takes a piece.
    Takes {
        /// The piece.
        target: Target,
    },
    /// The moved piece stands right in front of a passed pawn of the opponent's.
    BlocksPassedPawn {
        /// The pawn's square.
        square: Square,
    },
    /// A rook newly protects a passed pawn from behind.
    BehindPassedPawn {
        /// The pawn's square.
        square: Square,
    },
    /// A knight or bishop could have gone to a square that a pawn now guards, and none did before.
    KeepsOff {
        /// The knight or bishop.
        target: Target,
        /// The square.
        square: Square,
    },
    /// A rook moves to a file that has pawns of the opponent only.
    HalfOpenFile {
        /// The file.
        file: File,
    },
    /// A pawn move gives this bishop, rook or queen at least two more squares.
    OpensLine {
        /// The piece.
        target: Target,
    },
    /// The moved piece newly protects this one, which is attacked.
    Supports {
        /// The piece.
        target: Target,
    },
    /// Without queens on the board, the king moves nearer to a passed pawn.
    KingToPawn {
        /// The pawn's square.
        square: Square,
    },
    /// The moved piece newly attacks these of the squares d4, e4, d5 and e5.
    CoversCenter {
        /// The squares.
        squares: Vec<Square>,
    },
}

impl Motif {
    /// A name for programs, in kebab case.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Mate { .. } => "mate",
            Self::Stalemate => "stalemate",
            Self::StopsMate { .. } => "stops-mate",
            Self::Wins { .. } => "wins",
            Self::WinsMaterial { .. } => "wins-material",
            Self::Fork { .. } => "fork",
            Self::Pin { .. } => "pin",
            Self::Skewer { .. } => "skewer",
            Self::DoubleCheck => "double-check",
            Self::DiscoveredCheck => "discovered-check",
            Self::DiscoveredAttack { .. } => "discovered-attack",
            Self::RemovesDefender { .. } => "removes-defender",
            Self::ThreatensMate { .. } => "threatens-mate",
            Self::Saves { .. } => "saves",
            Self::Sacrifices { .. } => "sacrifices",
            Self::Promotes { .. } => "promotes",
            Self::TakesBack { .. } => "takes-back",
            Self::Trades { .. } => "trades",
            Self::Attacks { .. } => "attacks",
            Self::AttacksWeakPawn { .. } => "attacks-weak-pawn",
            Self::Check => "check",
            Self::Castles { .. } => "castles",
            Self::TakesChecker { .. } => "takes-checker",
            Self::BlocksCheck => "blocks-check",
            Self::LeavesCheck => "leaves-check",
            Self::Develops { .. } => "develops",
            Self::ConnectsRooks => "connects-rooks",
            Self::PawnToCenter => "pawn-to-center",
            Self::PieceToCenter { .. } => "piece-to-center",
            Self::PushesPassedPawn { .. } => "pushes-passed-pawn",
            Self::OpenFile { .. } => "open-file",
            Self::DoublesRooks { .. } => "doubles-rooks",
            Self::EscapeSquare { .. } => "escape-square",
            Self::GainsSpace => "gains-space",
            Self::SeventhRank => "seventh-rank",
            Self::KingToCenter => "king-to-center",
            Self::Defends { .. } => "defends",
            Self::Takes { .. } => "takes",
            Self::BlocksPassedPawn { .. } => "blocks-passed-pawn",
            Self::BehindPassedPawn { .. } => "behind-passed-pawn",
            Self::KeepsOff { .. } => "keeps-off",
            Self::HalfOpenFile { .. } => "half-open-file",
            Self::OpensLine { .. } => "opens-line",
            Self::Supports { .. } => "supports",
            Self::KingToPawn { .. } => "king-to-pawn",
            Self::CoversCenter { .. } => "covers-center",
        }
    }

    /// The squares of the pieces that the motif is about, to highlight.
    pub fn squares(&self) -> Bitboard {
        match self {
            Self::Fork { targets }
            | Self::Sacrifices {
                forked: targets, ..
            } => targets.iter().map(|target| target.square).collect(),
            Self::Pin {
                target, behind, by, ..
            }
            | Self::Skewer { target, behind, by } => {
                [target.square, behind.square, *by].into_iter().collect()
            }
            Self::DiscoveredAttack { target, by } => [target.square, *by].into_iter().collect(),
            Self::Wins { target, .. }
            | Self::RemovesDefender { target }
            | Self::Saves { target }
            | Self::TakesBack { target }
            | Self::Attacks { target }
            | Self::TakesChecker { target }
            | Self::Defends { target }
            | Self::OpensLine { target }
            | Self::Supports { target }
            | Self::Takes { target } => target.square.into(),
            Self::KeepsOff { target, square } => [target.square, *square].into_iter().collect(),
            Self::CoversCenter { squares } => squares.iter().copied().collect(),
            Self::AttacksWeakPawn { square }
            | Self::PushesPassedPawn { square }
            | Self::BlocksPassedPawn { square }
            | Self::BehindPassedPawn { square }
            | Self::KingToPawn { square }
            | Self::EscapeSquare { square } => (*square).into(),
            Self::ThreatensMate { mv, .. } => [mv.from(), mv.to()].into_iter().collect(),
            _ => Bitboard::EMPTY,
        }
    }

    /// Whether it is a tactical blow, and neither a defence nor merely a sound idea.
    pub const fn is_tactical(&self) -> bool {
        if let Self::Sacrifices { forked, .. } = self {
            return !forked.is_empty();
        }
        matches!(
            self,
            Self::Mate { .. }
                | Self::Wins { .. }
                | Self::WinsMaterial { .. }
                | Self::Fork { .. }
                | Self::Skewer { .. }
                | Self::RemovesDefender { .. }
        )
    }

    /// The words after the move: `forks king and rook`.
    pub fn phrase(&self) -> String {
        self.words(Form::Verb)
    }

    /// The words that follow the move and a comma: `forking king and rook`.
    pub fn participle(&self) -> String {
        self.words(Form::Participle)
    }

    #[expect(clippy::too_many_lines, reason = "one phrase for each motif")]
    fn words(&self, form: Form) -> String {
        let say = |verb: Verb, rest: &str| form.of(verb).to_owned() + rest;
        match self {
            Self::Mate { moves, pattern } => {
                let length = if *moves > 1 {
                    format!(" in {moves}")
                } else {
                    String::new()
                };
                match pattern {
                    Some(pattern) if *moves == 1 => {
                        say(("is", "with"), &format!(" {}", pattern.name()))
                    }
                    Some(pattern) => say(
                        ("forces", "forcing"),
                        &format!(" {}{length}", pattern.name()),
                    ),
                    None => say(("mates", "mating"), &length),
                }
            }
            Self::Stalemate => say(("stalemates", "stalemating"), ""),
            Self::StopsMate { is_only: true, .. } => say(
                ("is", "being"),
                " the only move that doesn't allow mate in 1",
            ),
            Self::StopsMate { moves, .. } => {
                say(("stops", "stopping"), &format!(" mate in {moves}"))
            }
            Self::Wins { target, cost } => {
                let prize = match (target.role, cost) {
                    (Role::Pawn, _) => String::from("a pawn"),
                    (Role::Rook, 3) => String::from("the exchange"),
                    (_, 0) => target.to_string(),
                    (_, cost) => format!("{target} for {}", Self::price(*cost)),
                };
                say(("wins", "winning"), &format!(" {prize}"))
            }
            Self::WinsMaterial { pawns: 1 } => say(("wins", "winning"), " a pawn or more"),
            Self::WinsMaterial { .. } => say(("wins", "winning"), " material"),
            Self::Fork { targets } => say(("forks", "forking"), &format!(" {}", forked(targets))),
            Self::Pin { target, behind, .. } => say(
                ("pins", "pinning"),
                &format!(" {target} to the {}", behind.role),
            ),
            Self::Skewer { target, behind, .. } => say(
                ("skewers", "skewering"),
                &format!(" {} and {}", target.role, behind.role),
            ),
            Self::DoubleCheck => say(("gives", "giving"), " double check"),
            Self::DiscoveredCheck => say(("gives", "giving"), " discovered check"),
            Self::DiscoveredAttack { target, .. } => say(
                ("uncovers", "uncovering"),
                &format!(" an attack on {target}"),
            ),
            Self::RemovesDefender { target } => say(
                ("removes", "removing"),
                &format!(" the defender of {target}"),
            ),
            Self::ThreatensMate { moves, .. } => {
                say(("threatens", "threatening"), &format!(" mate in {moves}"))
            }
            Self::Saves { target } => say(("saves", "saving"), &format!(" {target}")),
            Self::Sacrifices { role, forked: none } if none.is_empty() => {
                say(("sacrifices", "sacrificing"), &format!(" the {role}"))
            }
            Self::Sacrifices {
                role,
                forked: targets,
            } => say(
                ("sacrifices", "sacrificing"),
                &format!(" the {role} to fork {}", forked(targets)),
            ),
            Self::Promotes { role } => say(("promotes", "promoting"), &format!(" to a {role}")),
            Self::TakesBack { .. } => say(("takes", "taking"), " back"),
            Self::Trades { own, other } if own == other => {
                say(("trades", "trading"), &format!(" {own}s"))
            }
            Self::Trades { own, other } => {
                say(("trades", "trading"), &format!(" {own} for {other}"))
            }
            Self::Attacks { target } if target.role == Role::Pawn => say(
                ("attacks", "attacking"),
                &format!(" the pawn on {}", target.square),
            ),
            Self::Attacks { target } => say(("attacks", "attacking"), &format!(" {target}")),
            Self::AttacksWeakPawn { square } => {
                say(("attacks", "attacking"), &format!(" {square}"))
            }
            Self::Check => say(("gives", "giving"), " check"),
            Self::Castles { .. } => say(("castles", "castling"), ""),
            Self::TakesChecker { target } => say(
                ("takes", "taking"),
                &format!(" the checking {}", target.role),
            ),
            Self::BlocksCheck => say(("blocks", "blocking"), " the check"),
            Self::LeavesCheck => say(("moves", "moving"), " the king out of check"),
            Self::Develops { role } => say(("develops", "developing"), &format!(" the {role}")),
            Self::ConnectsRooks => say(("connects", "connecting"), " the rooks"),
            Self::PawnToCenter => say(("puts", "putting"), " a pawn in the centre"),
            Self::PieceToCenter { role } => say(
                ("brings", "bringing"),
                &format!(" the {role} to the centre"),
            ),
            Self::PushesPassedPawn { .. } => say(("pushes", "pushing"), " the passed pawn"),
            Self::OpenFile { file } => say(
                ("puts", "putting"),
                &format!(" the rook on the open {}-file", file.char()),
            ),
            Self::DoublesRooks { file } => say(
                ("doubles", "doubling"),
                &format!(" the rooks on the {}-file", file.char()),
            ),
            Self::EscapeSquare { .. } => say(("gives", "giving"), " the king an escape square"),
            Self::GainsSpace => say(("gains", "gaining"), " space"),
            Self::SeventhRank => say(("brings", "bringing"), " the rook to the seventh rank"),
            Self::KingToCenter => say(("brings", "bringing"), " the king nearer to the centre"),
            Self::Defends { target } if target.role == Role::Pawn => say(
                ("defends", "defending"),
                &format!(" the pawn on {}", target.square),
            ),
            Self::Defends { target } => say(("defends", "defending"), &format!(" {target}")),
            Self::Takes { target } => say(("takes", "taking"), &format!(" {target}")),
            Self::BlocksPassedPawn { square } => say(
                ("blocks", "blocking"),
                &format!(" the passed pawn on {square}"),
            ),
            Self::BehindPassedPawn { .. } => {
                say(("puts", "putting"), " the rook behind the passed pawn")
            }
            Self::KeepsOff { target, square } => say(
                ("keeps", "keeping"),
                &format!(" the {} off {square}", target.role),
            ),
            Self::HalfOpenFile { file } => say(
                ("puts", "putting"),
                &format!(" the rook on the half-open {}-file", file.char()),
            ),
            Self::OpensLine { target } => {
                say(("opens", "opening"), &format!(" a line for {target}"))
            }
            Self::Supports { target } if target.role == Role::Pawn => say(
                ("supports", "supporting"),
                &format!(" the pawn on {}", target.square),
            ),
            Self::Supports { target } => say(("supports", "supporting"), &format!(" {target}")),
            Self::KingToPawn { square } => say(
                ("brings", "bringing"),
                &format!(" the king nearer to the passed pawn on {square}"),
            ),
            Self::CoversCenter { squares } => {
                let names: Vec<String> = squares.iter().map(Square::to_string).collect();
                say(
                    ("covers", "covering"),
                    &format!(" {} in the centre", list(&names)),
                )
            }
        }
    }

    /// What was given, in words.
    pub(crate) const fn price(cost: i32) -> &'static str {
        match cost {
            1 => "a pawn",
            3 => "a minor piece",
            _ => "a rook",
        }
    }
}

/// A verb in the third person, and its participle.
type Verb = (&'static str, &'static str);

#[derive(Clone, Copy)]
enum Form {
    Verb,
    Participle,
}

impl Form {
    const fn of(self, verb: Verb) -> &'static str {
        match self {
            Self::Verb => verb.0,
            Self::Participle => verb.1,
        }
    }
}

/// The names of forked pieces: `king and rook`, `both rooks`, `king, queen and rook`.
fn forked(targets: &[Target]) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut roles: Vec<Role> = targets.iter().map(|target| target.role).collect();
    roles.sort_by_key(|&role| (role != Role::King, -piece_value(role), role.index()));
    while let Some(&role) = roles.first() {
        let count = roles.iter().filter(|&&other| other == role).count();
        roles.retain(|&other| other != role);
        names.push(match count {
            1 => role.name().to_owned(),
            2 => format!("two {role}s"),
            _ => format!("{count} {role}s"),
        });
    }
    list(&names)
}

/// Joins words: `king, queen and rook`.
pub(crate) fn list(words: &[String]) -> String {
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
