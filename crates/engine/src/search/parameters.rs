//! The constants of the search, grouped by technique.
//!
//! Scores and margins are in the search's internal units (see [`crate::score`]), depths in plies, reductions in
//! [`PLY`]ths of a ply. The values were tuned by matches; `docs/lab/engine.md` has the numbers. Changing one of them
//! changes the node count of `tabiya bench`.
//!
//! What a tuner may change is a function with a default and a range. With the feature `tuning` each thread has values
//! of its own (see `crate::tuning`); without it the functions return constants.

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $low:literal..=$high:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tuning"))]
            #[inline(always)]
            pub(crate) const fn $name() -> i32 {
                $value
            }

            $(#[$doc])*
            #[cfg(feature = "tuning")]
            #[inline]
            pub(crate) fn $name() -> i32 {
                crate::tuning::value(Index::$name as usize)
            }
        )*

        /// The number of each parameter.
        #[cfg(feature = "tuning")]
        #[allow(non_camel_case_types)]
        enum Index {
            $($name,)*
        }

        /// All parameters that can be tuned.
        #[cfg(feature = "tuning")]
        pub(crate) const ALL: &[crate::tuning::Parameter] = &[
            $(crate::tuning::Parameter {
                name: stringify!($name),
                value: $value,
                range: ($low, $high),
            },)*
        ];
    };
}

/// One ply, in the unit of reductions.
pub(crate) const PLY: i32 = 1024;

// Aspiration windows

/// The first depth that is searched with a window around the last score.
pub(crate) const ASPIRATION_MIN_DEPTH: i32 = 4;
/// A window grown beyond this is opened completely.
pub(crate) const ASPIRATION_MAX_WINDOW: i32 = 600;

// Late move reductions, in parts of a PLY

pub(crate) const LMR_MIN_DEPTH: i32 = 2;
pub(crate) const LMR_CUTOFFS_MIN: u32 = 3;
/// From this move on, the opponent's move came late.
pub(crate) const LMR_LATE_OPPONENT: usize = 8;
/// At the root, moves after this one are reduced.
pub(crate) const LMR_ROOT_MIN_MOVES: usize = 3;
pub(crate) const LMR_ROOT_MIN_DEPTH: i32 = 3;

// Singular extensions

/// No extensions beyond this multiple of the root depth.
pub(crate) const SINGULAR_MAX_PLY_FACTOR: usize = 2;

// Histories

/// History values stay within plus and minus this.
pub(crate) const HISTORY_MAX: i32 = 16_384;

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

parameters! {
    // Evaluation

    /// With all pieces, the network's evaluation counts this many 1,024ths…
    eval_scale = 1_021 in 824..=1224;
    /// …and without pieces, this many less.
    eval_material_scale = 153 in 0..=400;

    // Aspiration windows

    /// Half the width of the first window.
    aspiration_window = 14 in 7..=28;
    /// The window is wider by this fraction of the expected score.
    aspiration_score_divisor = 128 in 64..=256;
    /// The most plies by which a search is shortened after failing high.
    aspiration_max_reduction = 3 in 1..=6;

    // Razoring

    razoring_max_depth = 4 in 2..=8;
    /// The margin below alpha, per ply.
    razoring_margin = 355 in 145..=582;

    // Reverse futility pruning (static null-move pruning)

    reverse_futility_max_depth = 8 in 4..=16;
    /// The margin above beta, per ply.
    reverse_futility_margin = 67 in 31..=124;
    /// The margin is smaller by this when the evaluation is improving.
    reverse_futility_improving = 64 in 28..=112;

    // Null-move pruning

    /// The static evaluation has to reach beta plus this…
    null_move_eval_margin = 78 in 55..=220;
    /// …less this for each ply of depth.
    null_move_eval_per_ply = 24 in 11..=44;
    null_move_reduction = 4 in 2..=8;
    /// One more ply of reduction for each this many plies of depth.
    null_move_depth_divisor = 4 in 2..=8;
    /// One more ply of reduction for each this much evaluation above beta…
    null_move_eval_divisor = 194 in 100..=400;
    /// …up to this many.
    null_move_eval_max = 3 in 1..=6;
    /// From this depth on, a null-move cutoff is verified by a search without null moves, because of zugzwang.
    null_move_verification_depth = 14 in 7..=28;

    // ProbCut

    probcut_min_depth = 5 in 2..=10;
    /// By how much a capture has to beat beta.
    probcut_margin = 190 in 97..=388;
    /// How much shallower than the node the verifying search is.
    probcut_reduction = 4 in 2..=8;
    /// Small ProbCut: by how much the score of a shallower search has to beat beta.
    small_probcut_margin = 171 in 80..=320;

    // Internal iterative reduction

    iir_min_depth = 4 in 2..=8;

    // Depth in hindsight

    /// A node that was reduced by this much or more is searched one ply deeper, unless the evaluation has risen.
    hindsight_min_reduction = 3 in 2..=6;
    /// A node that was reduced is searched one ply shallower if the evaluation has risen by more than this.
    hindsight_margin = 62 in 33..=134;

    // Pruning of single moves. "LMR depth" is the depth left after the late move reduction.

    /// Late move pruning: a node searches this many moves plus its depth squared, or half as many when not improving.
    late_move_pruning_base = 5 in 2..=10;
    /// Futility pruning of quiet moves, up to this LMR depth.
    futility_max_depth = 7 in 3..=14;
    futility_base = 67 in 39..=156;
    /// Margin per ply of LMR depth.
    futility_margin = 74 in 44..=176;
    /// History pruning, up to this LMR depth.
    history_pruning_max_depth = 4 in 2..=8;
    /// Quiet moves with a history below this, per ply, are skipped.
    history_pruning_margin = -5_002 in -8572..=-2143;
    /// A quiet move's LMR depth grows by one ply for each this much history.
    lmr_depth_history_divisor = 10_989 in 5100..=20400;
    /// SEE pruning of quiet moves: the exchange may lose this times the LMR depth squared.
    see_quiet_margin = -17 in -40..=-10;
    /// SEE pruning of captures and checks, up to this depth.
    see_capture_max_depth = 8 in 4..=16;
    /// The exchange may lose this much per ply.
    see_capture_margin = -100 in -212..=-53;
    /// The margin grows by the history of the move divided by this.
    see_capture_history_divisor = 32 in 16..=64;
    /// Futility pruning of captures, up to LMR depth [`futility_max_depth`].
    capture_futility_base = 80 in 45..=180;
    /// Margin per ply of LMR depth.
    capture_futility_margin = 97 in 43..=174;
    /// The margin grows by the history of the move divided by this.
    capture_futility_history_divisor = 32 in 16..=64;

    // Late move reductions, in parts of a PLY

    /// Plies: base + ln(depth) · ln(move number) / divisor. Bases are in ten-thousandths, divisors in hundredths.
    lmr_quiet_base = 10_491 in 5000..=20000;
    lmr_quiet_divisor = 269 in 100..=400;
    lmr_capture_base = 141 in 0..=5000;
    lmr_capture_divisor = 371 in 160..=640;
    /// Less for nodes that are or were on a principal variation.
    lmr_tt_pv = 826 in 500..=2000;
    /// More in expected cut nodes.
    lmr_cut_node = 944 in 507..=2030;
    /// More when the evaluation is not improving.
    lmr_not_improving = 637 in 280..=1120;
    /// Less for checks.
    lmr_check = 939 in 446..=1786;
    /// More in expected cut nodes without a table move.
    lmr_cut_node_no_tt_move = 548 in 0..=2048;
    /// Less if the opponent's move came late in the order.
    lmr_late_opponent = 722 in 0..=2048;
    /// More when more than [`LMR_CUTOFFS_MIN`] sibling nodes failed high.
    lmr_cutoffs = 1_002 in 564..=2256;
    /// Less for killer moves.
    lmr_killer = 1_443 in 625..=2500;
    /// More for quiet moves when the table move is a capture.
    lmr_tt_capture = 892 in 460..=1842;
    /// Less by the history of quiet moves times this, in 1,024ths…
    lmr_quiet_history = 67 in 64..=256;
    /// …or of captures.
    lmr_capture_history = 94 in 32..=512;
    /// The history of quiet moves that leaves the reduction as it is.
    lmr_history_zero = -2_156 in -8000..=8000;
    /// Less for each unit by which the evaluation was corrected.
    lmr_correction = 12 in 6..=24;
    /// Less in principal variations, by the share that the window has of the root's.
    lmr_window = 800 in 350..=1400;
    /// A reduced search that beats alpha by more than this is repeated one ply deeper…
    lmr_deeper_margin = 53 in 30..=120;
    /// …and one that beats the best score so far by less than this, one ply shallower.
    lmr_shallower_margin = 8 in 4..=16;
    /// Late moves at the root are reduced by this many 1,024ths of the usual reduction.
    lmr_root_factor = 843 in 384..=1536;

    // Moves after one that raised alpha in a principal variation

    /// They are searched this many plies shallower…
    raised_alpha_reduction = 1 in 0..=3;
    /// …up to this depth of the node.
    raised_alpha_max_depth = 9 in 4..=18;

    // Singular extensions

    singular_min_depth = 5 in 3..=14;
    /// How much shallower than the node the table entry may be.
    singular_tt_depth_margin = 3 in 1..=6;
    /// The margin below the table score: this many sixteenths per ply.
    singular_margin_sixteenths = 16 in 6..=26;
    /// A move that is singular by this much more is extended by two plies.
    double_extension_margin = 16 in 8..=32;
    /// The most double extensions on a line.
    double_extensions_max = 6 in 3..=12;

    // Quiescence search

    /// Delta pruning: what a capture may gain beyond the piece it takes.
    delta_margin = 217 in 90..=360;
    /// Captures whose exchange loses more than this are skipped.
    quiescence_see_margin = -42 in -80..=-20;
    /// After this many captures, only recaptures and promotions are searched.
    quiescence_moves = 3 in 2..=6;

    // Move ordering

    /// Bonus of the first killer move; the second gets half.
    order_killer = 21_556 in 9982..=39928;
    /// Bonus of quiet checks that lose at most [`order_check_see`] by exchanges.
    order_check = 21_256 in 8558..=34232;
    order_check_see = -75 in -150..=-38;
    /// Bonus of quiet moves that take a queen out of an attack by a lesser piece; moves into one get it as a malus.
    order_threat_queen = 26_504 in 15000..=60000;
    /// The same for a rook…
    order_threat_rook = 17_786 in 9000..=36000;
    /// …and for a knight or bishop.
    order_threat_minor = 11_921 in 5000..=20000;
    /// A capture counts as good if its exchange loses no more than its score divided by this.
    good_capture_divisor = 34 in 20..=80;
    /// The weight of the captured piece against that of the capturing one and the history.
    order_victim = 16 in 8..=32;
    order_capture_history_divisor = 2 in 1..=5;

    // Histories

    history_bonus_per_ply = 219 in 83..=332;
    history_bonus_offset = -80 in -160..=-40;
    history_bonus_max = 2_360 in 913..=3654;
    history_malus_per_ply = 199 in 95..=382;
    history_malus_offset = -60 in -120..=-30;
    history_malus_max = 1_279 in 744..=2976;
    /// The weights of the histories of a quiet move, in sixteenths. The numbers are plies back.
    butterfly_weight = 11 in 4..=36;
    continuation_1_weight = 19 in 4..=36;
    continuation_2_weight = 19 in 4..=36;
    continuation_3_weight = 4 in 0..=16;
    continuation_4_weight = 14 in 4..=36;
    continuation_6_weight = 6 in 0..=16;
    pawn_history_weight = 9 in 0..=32;
    /// A quiet move after which all others fail low gets this many 1,024ths of a bonus.
    fail_low_factor = 601 in 256..=1024;
    /// An early quiet move that is refuted gets this many 1,024ths of a malus.
    refuted_factor = 532 in 0..=1024;
    /// A quiet move gets this for each unit by which it raised the evaluation…
    eval_history_factor = 40 in 20..=80;
    /// …up to this.
    eval_history_max = 1_500 in 750..=3000;

    // Correction history

    /// What a table learns from an error, per unit and ply.
    correction_rate = 6 in 2..=10;
    /// How many units each table can correct.
    correction_pawns = 25 in 12..=48;
    correction_pieces = 35 in 15..=60;
    correction_minor = 25 in 12..=48;
    correction_major = 15 in 8..=32;
    correction_continuation = 19 in 9..=36;
}
