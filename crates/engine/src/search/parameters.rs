//! The constants of the search, grouped by technique.
//!
//! Scores and margins are in the search's internal units (see [`crate::score`]), depths in plies, reductions in
//! [`PLY`]ths of a ply. The values were tuned by matches; `docs/lab/engine.md` has the numbers. Changing one of them
//! changes the node count of `tabiya bench`.

/// One ply, in the unit of reductions.
pub(crate) const PLY: i32 = 1024;

// Aspiration windows

/// The first depth that is searched with a window around the last score.
pub(crate) const ASPIRATION_MIN_DEPTH: i32 = 4;
/// Half the width of the first window.
pub(crate) const ASPIRATION_WINDOW: i32 = 14;
/// The window is wider by this fraction of the expected score.
pub(crate) const ASPIRATION_SCORE_DIVISOR: i32 = 128;
/// A window grown beyond this is opened completely.
pub(crate) const ASPIRATION_MAX_WINDOW: i32 = 600;
/// The most plies by which a search is shortened after failing high.
pub(crate) const ASPIRATION_MAX_REDUCTION: i32 = 3;

// Razoring

pub(crate) const RAZORING_MAX_DEPTH: i32 = 4;
/// The margin below alpha, per ply.
pub(crate) const RAZORING_MARGIN: i32 = 291;

// Reverse futility pruning (static null-move pruning)

pub(crate) const REVERSE_FUTILITY_MAX_DEPTH: i32 = 8;
/// The margin above beta, per ply.
pub(crate) const REVERSE_FUTILITY_MARGIN: i32 = 62;
/// The margin is smaller by this when the evaluation is improving.
pub(crate) const REVERSE_FUTILITY_IMPROVING: i32 = 56;

// Null-move pruning

/// The static evaluation has to reach beta plus this…
pub(crate) const NULL_MOVE_EVAL_MARGIN: i32 = 110;
/// …less this for each ply of depth.
pub(crate) const NULL_MOVE_EVAL_PER_PLY: i32 = 22;
pub(crate) const NULL_MOVE_REDUCTION: i32 = 4;
/// One more ply of reduction for each this many plies of depth.
pub(crate) const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
/// One more ply of reduction for each this much evaluation above beta…
pub(crate) const NULL_MOVE_EVAL_DIVISOR: i32 = 200;
/// …up to this many.
pub(crate) const NULL_MOVE_EVAL_MAX: i32 = 3;
/// From this depth on, a null-move cutoff is verified by a search without null moves, because of zugzwang.
pub(crate) const NULL_MOVE_VERIFICATION_DEPTH: i32 = 14;

// ProbCut

pub(crate) const PROBCUT_MIN_DEPTH: i32 = 5;
/// By how much a capture has to beat beta.
pub(crate) const PROBCUT_MARGIN: i32 = 194;
/// How much shallower than the node the verifying search is.
pub(crate) const PROBCUT_REDUCTION: i32 = 4;

// Internal iterative reduction

pub(crate) const IIR_MIN_DEPTH: i32 = 4;

// Pruning of single moves. "LMR depth" is the depth left after the late move reduction.

/// Late move pruning: a node searches this many moves plus its depth squared, or half as many when not improving.
pub(crate) const LATE_MOVE_PRUNING_BASE: i32 = 5;
/// Futility pruning of quiet moves, up to this LMR depth.
pub(crate) const FUTILITY_MAX_DEPTH: i32 = 7;
pub(crate) const FUTILITY_BASE: i32 = 78;
/// Margin per ply of LMR depth.
pub(crate) const FUTILITY_MARGIN: i32 = 88;
/// History pruning, up to this LMR depth.
pub(crate) const HISTORY_PRUNING_MAX_DEPTH: i32 = 4;
/// Quiet moves with a history below this, per ply, are skipped.
pub(crate) const HISTORY_PRUNING_MARGIN: i32 = -4_286;
/// A quiet move's LMR depth grows by one ply for each this much history.
pub(crate) const LMR_DEPTH_HISTORY_DIVISOR: i32 = 10_200;
/// SEE pruning of quiet moves: the exchange may lose this times the LMR depth squared.
pub(crate) const SEE_QUIET_MARGIN: i32 = -20;
/// SEE pruning of captures and checks, up to this depth.
pub(crate) const SEE_CAPTURE_MAX_DEPTH: i32 = 8;
/// The exchange may lose this much per ply.
pub(crate) const SEE_CAPTURE_MARGIN: i32 = -106;
/// The margin grows by the history of the move divided by this.
pub(crate) const SEE_CAPTURE_HISTORY_DIVISOR: i32 = 32;

// Late move reductions, in parts of a PLY

pub(crate) const LMR_MIN_DEPTH: i32 = 2;
/// Plies: base + ln(depth) · ln(move number) / divisor.
pub(crate) const LMR_QUIET_BASE: f64 = 0.9375;
pub(crate) const LMR_QUIET_DIVISOR: f64 = 1.92;
pub(crate) const LMR_CAPTURE_BASE: f64 = 0.07;
pub(crate) const LMR_CAPTURE_DIVISOR: f64 = 3.19;
/// Less for nodes that are or were on a principal variation.
pub(crate) const LMR_TT_PV: i32 = 1_000;
/// More in expected cut nodes.
pub(crate) const LMR_CUT_NODE: i32 = 1_015;
/// More when the evaluation is not improving.
pub(crate) const LMR_NOT_IMPROVING: i32 = 560;
/// Less for checks.
pub(crate) const LMR_CHECK: i32 = 893;
/// More when more than [`LMR_CUTOFFS_MIN`] sibling nodes failed high.
pub(crate) const LMR_CUTOFFS: i32 = 1_128;
pub(crate) const LMR_CUTOFFS_MIN: u32 = 3;
/// Less for killer moves.
pub(crate) const LMR_KILLER: i32 = 1_250;
/// More for quiet moves when the table move is a capture.
pub(crate) const LMR_TT_CAPTURE: i32 = 921;
/// Less by the history of the move divided by this.
pub(crate) const LMR_HISTORY_DIVISOR: i32 = 8;
/// A reduced search that beats alpha by more than this is repeated one ply deeper…
pub(crate) const LMR_DEEPER_MARGIN: i32 = 60;
/// …and one that beats it by less than this, one ply shallower.
pub(crate) const LMR_SHALLOWER_MARGIN: i32 = 8;
/// At the root, moves after this one are reduced…
pub(crate) const LMR_ROOT_MIN_MOVES: usize = 3;
pub(crate) const LMR_ROOT_MIN_DEPTH: i32 = 3;
/// …by this fraction of the usual reduction: numerator and denominator.
pub(crate) const LMR_ROOT_FRACTION: (i32, i32) = (3, 4);

// Singular extensions

pub(crate) const SINGULAR_MIN_DEPTH: i32 = 7;
/// How much shallower than the node the table entry may be.
pub(crate) const SINGULAR_TT_DEPTH_MARGIN: i32 = 3;
/// The margin below the table score: this many sixteenths per ply.
pub(crate) const SINGULAR_MARGIN_SIXTEENTHS: i32 = 13;
/// A move that is singular by this much more is extended by two plies.
pub(crate) const DOUBLE_EXTENSION_MARGIN: i32 = 16;
/// The most double extensions on a line.
pub(crate) const DOUBLE_EXTENSIONS_MAX: i32 = 6;
/// No extensions beyond this multiple of the root depth.
pub(crate) const SINGULAR_MAX_PLY_FACTOR: usize = 2;

// Quiescence search

/// Delta pruning: what a capture may gain beyond the piece it takes.
pub(crate) const DELTA_MARGIN: i32 = 180;
/// Captures whose exchange loses more than this are skipped.
pub(crate) const QUIESCENCE_SEE_MARGIN: i32 = -40;

// Move ordering

/// Bonus of the first killer move; the second gets half.
pub(crate) const ORDER_KILLER: i32 = 19_964;
/// Bonus of quiet checks that lose at most [`ORDER_CHECK_SEE`] by exchanges.
pub(crate) const ORDER_CHECK: i32 = 17_116;
pub(crate) const ORDER_CHECK_SEE: i32 = -75;
/// A capture counts as good if its exchange loses no more than its score divided by this.
pub(crate) const GOOD_CAPTURE_DIVISOR: i32 = 40;
/// The weight of the captured piece against that of the capturing one and the history.
pub(crate) const ORDER_VICTIM: i32 = 16;
pub(crate) const ORDER_CAPTURE_HISTORY_DIVISOR: i32 = 2;

// Histories

/// History values stay within plus and minus this.
pub(crate) const HISTORY_MAX: i32 = 16_384;
pub(crate) const HISTORY_BONUS_PER_PLY: i32 = 166;
pub(crate) const HISTORY_BONUS_OFFSET: i32 = -80;
pub(crate) const HISTORY_BONUS_MAX: i32 = 1_827;
pub(crate) const HISTORY_MALUS_PER_PLY: i32 = 191;
pub(crate) const HISTORY_MALUS_OFFSET: i32 = -60;
pub(crate) const HISTORY_MALUS_MAX: i32 = 1_488;
/// Correction history values are stored in this fraction of a unit…
pub(crate) const CORRECTION_GRAIN: i32 = 256;
/// …and stay within this many units.
pub(crate) const CORRECTION_MAX: i32 = 64;
/// A new error weighs depth + 1, at most this, out of [`CORRECTION_WEIGHT_TOTAL`].
pub(crate) const CORRECTION_WEIGHT_MAX: i32 = 16;
pub(crate) const CORRECTION_WEIGHT_TOTAL: i32 = 256;

// Transposition table

/// An entry of this search is replaced by one of the same position only if that is less than this much shallower, or
/// exact.
pub(crate) const TT_REPLACE_DEPTH: i32 = 4;
/// When choosing which entry to replace, a search of age counts like this many plies.
pub(crate) const TT_AGE_PENALTY: i32 = 8;
/// Scores from the table are not used from this halfmove clock on: the table does not know the fifty-move rule…
pub(crate) const TT_MAX_HALFMOVE_CLOCK: i32 = 90;
/// …and mate scores not even from this one on.
pub(crate) const TT_MATE_MAX_HALFMOVE_CLOCK: i32 = 60;
