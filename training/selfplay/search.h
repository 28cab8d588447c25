// Alpha-beta with an explicit stack, split into steps of one node. The threads of a warp can then generate, play and
// evaluate together, although each is at a different place in a different tree.
#pragma once
#include "evaluate.h"
#include "movegen.h"

const int MAX_PLY = 40;
const int MATE = 30000, MATE_BOUND = MATE - 200, INFINITE = 31000;
const int MOVE_STACK = 1024;
const int TABLE_SIZE = 4096;
const int MAX_GAME = 400;
/// A search may take the first percentage of its player's nodes, and starts no iteration after the second, so that it takes
/// about all of them on average.
const int MAX_NODES_PERCENT = 230, NEXT_ITERATION_PERCENT = 51;
/// The aspiration window around the previous iteration's score, and the last depth searched without one.
const int ASPIRATION_WINDOW = 30, FULL_WINDOW_DEPTH = 3;

/// The state of a node in the tree.
enum State : u8 {
    DONE,    // `best` is its value
    EXPAND,  // generate its moves next
    PICK,    // choose a move next
    DESCEND  // search `move` next
};

/// How a move is searched.
enum Purpose : u8 { FULL, ZERO_WINDOW, REDUCED, NULL_MOVE };

/// The progress of a node's search.
struct alignas(16) Node {
    i16 alpha, beta, best, evaluation;
    Move move, best_move;
    u16 next, end; // the remaining moves
    i8 depth;
    u8 searched, reduction;
    State state;
    Purpose purpose;
    u8 in_check, pv_node;
    u8 parent_is_leaf, parent_null_move;
    i16 parent_evaluation, earlier_evaluation; // one and two plies before
};

/// A node on the current line, with its position.
struct Frame {
    Position position;
    Sums sums;
    Node node;
    Move killers[2];
};

/// The settings of one player.
struct Player {
    const Network *network; // null: evaluate by material
    u32 nodes; // a move, on average
    i32 max_depth;
};

/// Eight bytes. `key` is the upper 16 bits of the hash key.
struct TableEntry {
    u16 key;
    Move move;
    i16 value;
    u8 depth, bound;
};
enum Bound : u8 { NO_BOUND, UPPER_BOUND, LOWER_BOUND, EXACT };

/// A search in progress.
struct Search {
    Frame frames[MAX_PLY + 1];
    alignas(16) u32 moves[MOVE_STACK]; // the moves of each node start at a multiple of four
    i16 history[2][7][64];
    TableEntry table[TABLE_SIZE];
    /// The keys of the game's positions, then of the current line's.
    u64 keys[MAX_GAME + MAX_PLY + 16];
    i32 game_length;
    i32 ply;
    u32 nodes;
    i32 depth;
    i16 score;
    i16 low, high; // the window of this iteration
    Move best_move;
    u8 in_check; // at the root
    u64 salt;    // separates the table entries of the two players
};

/// The current place of a search. The current node stays in registers during the steps, because memory is slow.
struct Cursor {
    Node node;
    i32 ply;
    u32 nodes;
};
HD Cursor load_cursor(const Search &s) { return {s.frames[s.ply].node, s.ply, s.nodes}; }
HD void store_cursor(Search &s, const Cursor &c) {
    s.frames[c.ply].node = c.node;
    s.ply = c.ply;
    s.nodes = c.nodes;
}

// Ordering scores of moves: the upper 16 bits of an entry.
const int ORDER_TABLE = 60000, ORDER_GOOD = 40000, ORDER_KILLER = 30000, ORDER_QUIET = 16000, ORDER_BAD = 2000;

HD TableEntry *table_entry(Search &s, u64 key) { return &s.table[(key ^ s.salt) % TABLE_SIZE]; }
HD u16 table_key(const Search &s, u64 key) { return (u16)((key ^ s.salt) >> 48); }

HD void clear_table(Search &s) {
    ROLLED for (auto &entry : s.table) entry = {};
}

HD void clear_history(Search &s) {
    ROLLED for (auto &side : s.history)
        ROLLED for (auto &role : side)
            ROLLED for (auto &value : role) value = 0;
}

HD void table_store(Search &s, const Cursor &c, int bound) {
    const Node &f = c.node;
    u64 key = s.frames[c.ply].position.key;
    TableEntry entry;
    entry.key = table_key(s, key);
    entry.move = f.best_move;
    int value = f.best;
    if (value > MATE_BOUND) value += c.ply;
    if (value < -MATE_BOUND) value -= c.ply;
    entry.value = (i16)value;
    entry.depth = (u8)max_of(f.depth, 0);
    entry.bound = (u8)bound;
    *table_entry(s, key) = entry;
}

HD bool is_repetition(const Search &s, const Position &p, int ply) {
    int now = s.game_length + ply;
    int earliest = max_of(now - p.halfmove_clock, 0);
    // Four at a time: one wait for memory instead of four.
    ROLLED for (int i = now - 4; i >= earliest; i -= 8) {
        bool found = false;
        for (int k = 0; k < 4; k++) found |= s.keys[max_of(i - 2 * k, earliest)] == p.key && i - 2 * k >= earliest;
        if (found) return true;
    }
    return false;
}

HD int victim_of(const Position &p, Move m) {
    bool is_en_passant = p.en_passant && to_square(m) == p.en_passant && p.role_at(from_square(m)) == PAWN;
    return is_en_passant ? PAWN : p.role_at(to_square(m));
}
HD bool is_quiet(const Position &p, Move m) { return !victim_of(p, m) && !promotion(m); }

/// Four moves, read and written together. The moves of a node start at a multiple of four and are padded with zeros.
struct alignas(16) FourMoves {
    u32 move[4];
};

/// Gives each generated move its ordering score.
HD void order_moves(Search &s, const Node &f, const Position &p, const Move *killers, Move table_move) {
    u64 defended = their_pawn_attacks(p);
    Move killer = killers[0], second_killer = killers[1];
    // The squares from which each kind of piece would give check.
    u64 pawn_checks = 0, knight_checks = 0, diagonal_checks = 0, straight_checks = 0;
    if (f.depth > 0) {
        int king = lowest(p.kings() & ~p.own);
        pawn_checks = (east(bit(king)) | west(bit(king))) >> 8;
        knight_checks = knight_attacks(bit(king));
        diagonal_checks = bishop_attacks(king, p.occupied());
        straight_checks = rook_attacks(king, p.occupied());
    }
    ROLLED for (int four = f.next; four < f.end; four += 4) {
        FourMoves entries = *(const FourMoves *)(s.moves + four);
        for (int k = 0; k < 4; k++) {
            Move m = (Move)entries.move[k];
            int to = to_square(m), role = p.role_at(from_square(m)), victim = victim_of(p, m);
            int order = ORDER_QUIET + s.history[p.black][role][to];
            u64 checks = role == PAWN ? pawn_checks : role == KNIGHT ? knight_checks : 0;
            if (role == BISHOP || role == QUEEN) checks |= diagonal_checks;
            if (role == ROOK || role == QUEEN) checks |= straight_checks;
            if (checks >> to & 1) order += 2500;
            if (role != PAWN) order += 3000 * ((int)(defended >> from_square(m) & 1) - (int)(defended >> to & 1));
            if (m == second_killer) order = ORDER_KILLER;
            if (m == killer) order = ORDER_KILLER + 1;
            if (victim || promotion(m)) {
                bool bad = (role_value(role) > role_value(victim) + 50 && defended >> to & 1) ||
                           (promotion(m) && promotion(m) != QUEEN);
                order = (bad ? ORDER_BAD : ORDER_GOOD) + victim * 64 - role + promotion(m) * 32;
            }
            if (m == table_move) order = ORDER_TABLE;
            entries.move[k] = four + k < f.end ? (u32)order << 16 | m : 0;
        }
        *(FourMoves *)(s.moves + four) = entries;
    }
}

/// Takes the best remaining move, or 0 if there is none. The moves taken stay before `next`, in their order.
HD u32 take_best(Search &s, Node &f) {
    if (f.next >= f.end) return 0;
    int first = f.next++, best = first;
    u32 best_entry = 0;
    u32 first_entry = s.moves[first];
    UNROLLED for (int four = first & ~3; four < f.end; four += 4) {
        FourMoves entries = *(const FourMoves *)(s.moves + four);
        for (int k = 0; k < 4; k++)
            if (four + k >= first && entries.move[k] > best_entry) {
                best_entry = entries.move[k];
                best = four + k;
            }
    }
    s.moves[best] = first_entry;
    s.moves[first] = best_entry;
    return best_entry;
}

/// Whether a capture gives up a piece for a defended lesser one.
HD bool loses_material(const Position &p, Move m) {
    int role = p.role_at(from_square(m)), victim = p.role_at(to_square(m));
    if (role_value(role) <= role_value(victim) + 50 || role == KING || promotion(m)) return false;
    return is_attacked(p, to_square(m), p.occupied() ^ bit(from_square(m)));
}

/// The reduction in depth of a late quiet move.
HD int reduction(int depth, int searched) {
    return 1 + (searched >= 6) + (searched >= 14) + (depth >= 6 && searched >= 4) + (depth >= 9);
}

/// Chooses the next move of a node and how to search it. Returns false if there are no more moves to search.
HD bool pick(Search &s, Node &f, const Position &p) {
    ROLLED for (;;) {
        u32 entry = take_best(s, f);
        if (!entry) return false;
        Move m = (Move)entry;
        int order = (int)(entry >> 16);
        bool quiet = order < ORDER_GOOD;
        if (f.depth <= 0) {
            if (!f.in_check) {
                if (order < ORDER_GOOD) return false;
                if (loses_material(p, m)) continue;
            } else if (quiet && f.best > -MATE_BOUND)
                return false; // one evasion that does not lose is enough
            f.purpose = FULL;
        } else {
            bool late = f.searched > 0 && quiet && !f.in_check && f.best > -MATE_BOUND;
            if (late && !f.pv_node) {
                if (f.searched >= 8 + f.depth * f.depth) return false;
                if (f.depth <= 5 && f.evaluation + 60 + 90 * f.depth <= f.alpha) return false;
            }
            f.reduction = 0;
            if (late && f.depth >= 3 && f.searched >= 2 + 2 * f.pv_node)
                f.reduction = (u8)min_of(reduction(f.depth, f.searched) - f.pv_node, f.depth - 2);
            f.purpose = f.reduction > 0 ? REDUCED : f.searched && f.pv_node ? ZERO_WINDOW : FULL;
        }
        f.move = m;
        return true;
    }
}

HD i16 within_bounds(int evaluation) {
    return (i16)max_of(-MAX_EVALUATION, min_of(evaluation, MAX_EVALUATION));
}

/// Plays the chosen move and moves to the child node, without its evaluation. Returns how the sums change.
HD Update descend(Search &s, Cursor &c, const Player &player) {
    Frame &frame = s.frames[c.ply], &next_frame = s.frames[c.ply + 1];
    const Node &f = c.node;
    frame.node = f;
    Node child;
    Position next = frame.position;
    Changes changes = {};
    child.depth = (i8)(f.depth - 1);
    child.pv_node = 0;
    child.alpha = (i16)-(f.alpha + 1);
    child.beta = (i16)-f.alpha;
    child.parent_is_leaf = f.depth <= 0;
    child.parent_null_move = f.purpose == NULL_MOVE;
    child.parent_evaluation = f.evaluation;
    child.earlier_evaluation = f.parent_evaluation;
    if (f.purpose == NULL_MOVE) {
        play_null(next);
        child.depth = (i8)(f.depth - 3 - f.depth / 4);
        child.alpha = (i16)-f.beta;
        child.beta = (i16)-(f.beta - 1);
    } else {
        play(next, f.move, changes);
        if (f.purpose == REDUCED) child.depth = (i8)(child.depth - f.reduction);
        if (f.purpose == FULL) {
            child.alpha = (i16)-f.beta;
            child.beta = (i16)-f.alpha;
            child.pv_node = f.pv_node;
        }
    }
    next_frame.position = next;
    child.next = child.end = (u16)((f.end + 3) & ~3);
    c.node = child;
    c.ply++;
    c.nodes++;
    s.keys[s.game_length + c.ply] = next.key;
    return make_update(player.network, frame.sums, next_frame.sums, changes, next_frame.position);
}

/// Sets the value of a node. Always returns false, for `enter` to return.
HD bool finish(Node &f, int value) {
    f.best = (i16)value;
    f.state = DONE;
    return false;
}

/// Enters a new node: checks for draws, table hits and pruning. Returns true if the node needs its moves.
HD bool enter(Search &s, Cursor &c) {
    Node &f = c.node;
    const Position p = s.frames[c.ply].position;
    const TableEntry entry = *table_entry(s, p.key); // read early to hide the latency
    f.best = -INFINITE;
    f.best_move = NO_MOVE;
    f.searched = 0;
    f.state = EXPAND;
    f.in_check = is_attacked(p, lowest(p.kings() & p.own), p.occupied());
    if (f.in_check && (f.depth > 0 ? c.ply < 2 * s.depth : !f.parent_is_leaf)) f.depth = (i8)(max_of(f.depth, 0) + 1);
    if (c.ply >= MAX_PLY || f.next > MOVE_STACK - MAX_MOVES) return finish(f, f.evaluation);
    if (is_insufficient_material(p) || (p.halfmove_clock >= 100 && !f.in_check) ||
        (p.halfmove_clock >= 4 && is_repetition(s, p, c.ply)))
        return finish(f, 0);

    if (entry.bound && entry.key == table_key(s, p.key)) {
        int value = entry.value;
        if (value > MATE_BOUND) value -= c.ply;
        if (value < -MATE_BOUND) value += c.ply;
        bool enough = entry.bound == EXACT || (entry.bound == LOWER_BOUND && value >= f.beta) ||
                      (entry.bound == UPPER_BOUND && value <= f.alpha);
        if (!f.pv_node && entry.depth >= f.depth && enough) return finish(f, value);
        f.move = entry.move;
    } else {
        f.move = NO_MOVE;
        if (f.depth >= 4) f.depth--; // internal iterative reduction
    }
    if (f.depth <= 0) {
        if (f.in_check) return true;
        f.best = f.evaluation;
        if (f.best >= f.beta) return finish(f, f.best);
        if (f.best > f.alpha) f.alpha = f.best;
        return true;
    }
    if (f.pv_node || f.in_check) return true;
    bool improving = f.evaluation > f.earlier_evaluation;
    if (f.depth <= 6 && f.evaluation - 75 * (f.depth - improving) >= f.beta && f.beta > -MATE_BOUND)
        return finish(f, f.evaluation);
    u64 pieces = p.own & (p.knights() | p.diagonal_sliders() | p.straight_sliders());
    if (f.depth >= 3 && f.evaluation >= f.beta && !f.parent_null_move && pieces && f.beta > -MATE_BOUND) {
        f.purpose = NULL_MOVE;
        f.best_move = f.move; // saves the table move during the null move search
        f.state = DESCEND;
        return false;
    }
    return true;
}

/// Generates the moves of a node. Returns false if it is checkmate or stalemate.
HD bool expand(Search &s, Cursor &c) {
    Node &f = c.node;
    const Frame &frame = s.frames[c.ply];
    const Position p = frame.position;
    bool noisy = f.depth <= 0 && !f.in_check;
    f.end = (u16)(f.next + generate(p, find_threats(p), noisy, s.moves + f.next));
    f.state = PICK;
    if (f.end == f.next) {
        finish(f, noisy ? f.best : f.in_check ? c.ply - MATE : 0);
        return noisy;
    }
    order_moves(s, f, p, frame.killers, f.move);
    return true;
}

/// Moves a history value towards a bound, by less the nearer it is, so the history needs no aging.
HD void adjust(i16 &value, int by) { value = (i16)(value + by - value * (by < 0 ? -by : by) / 8192); }

/// Rewards a quiet move that fails high, and punishes the quiet moves searched before it.
HD void update_history(Search &s, const Cursor &c) {
    const Node &f = c.node;
    const Position &p = s.frames[c.ply].position;
    if (!is_quiet(p, f.move)) return;
    Move *killers = s.frames[c.ply].killers;
    if (killers[0] != f.move) {
        killers[1] = killers[0];
        killers[0] = f.move;
    }
    int bonus = min_of(f.depth * 200, 1600);
    ROLLED for (int i = f.next - f.searched; i < f.next; i++) {
        Move m = (Move)s.moves[i];
        if (is_quiet(p, m))
            adjust(s.history[p.black][p.role_at(from_square(m))][to_square(m)], m == f.move ? bonus : -bonus);
    }
}

/// Uses the value of the child just searched.
HD void accept_child_value(Search &s, Cursor &c, int value) {
    Node &f = c.node;
    if (f.purpose == NULL_MOVE) {
        f.move = f.best_move;
        f.best_move = NO_MOVE;
        f.purpose = FULL;
        f.state = EXPAND;
        if (value >= f.beta) finish(f, value > MATE_BOUND ? f.beta : value);
        return;
    }
    f.state = DESCEND;
    if (f.purpose == REDUCED && value > f.alpha) {
        f.purpose = f.pv_node ? ZERO_WINDOW : FULL;
        return;
    }
    if (f.purpose == ZERO_WINDOW && value > f.alpha && value < f.beta) {
        f.purpose = FULL;
        return;
    }
    f.state = PICK;
    f.searched++;
    if (value <= f.best) return;
    f.best = (i16)value;
    if (value <= f.alpha) return;
    f.alpha = (i16)value;
    f.best_move = f.move;
    if (value < f.beta) return;
    if (f.depth > 0) update_history(s, c);
    table_store(s, c, LOWER_BOUND);
    f.state = DONE;
}

/// Starts an iteration at the root, with an aspiration window or a full one.
HD void start_iteration(Search &s, Node &root, bool window) {
    s.low = (i16)(window ? max_of(s.score - ASPIRATION_WINDOW, -INFINITE) : -INFINITE);
    s.high = (i16)(window ? min_of(s.score + ASPIRATION_WINDOW, INFINITE) : INFINITE);
    root.depth = (i8)s.depth;
    root.alpha = s.low;
    root.beta = s.high;
    root.best = -INFINITE;
    root.move = s.best_move;
    root.best_move = NO_MOVE;
    root.searched = 0;
    root.next = root.end = 0;
    root.pv_node = 1;
    root.purpose = FULL;
    root.state = EXPAND;
}

/// Starts a search of `p`. If `changes` lead to it from the root of the previous search, and the network is the same, the
/// sums are only updated.
HD void start_search(Search &s, const Position &p, const Player &player, u64 salt, const Changes *changes) {
    Frame &root = s.frames[0];
    root.position = p;
    int value = 0;
    if (!player.network)
        value = material(p);
    else if (changes)
        value = run_updates(make_update(player.network, root.sums, root.sums, *changes, root.position), true);
    else {
        compute_sums(*player.network, p, root.sums);
        value = network_output(*player.network, p, root.sums);
    }
    ROLLED for (int i = 0; i <= MAX_PLY; i++) s.frames[i].killers[0] = s.frames[i].killers[1] = NO_MOVE;
    s.in_check = is_attacked(p, lowest(p.kings() & p.own), p.occupied());
    s.keys[s.game_length] = p.key;
    s.salt = salt;
    s.depth = 1;
    s.best_move = NO_MOVE;
    s.score = 0;
    s.ply = 0;
    s.nodes = 0;
    root.node.in_check = s.in_check;
    root.node.evaluation = within_bounds(value);
    root.node.parent_evaluation = (i16)-root.node.evaluation;
    start_iteration(s, root.node, false);
}

/// What a search does next.
enum Next : u8 {
    MOVE_ON, // go to the next node
    CHILD,   // play the node's move and enter the child
    MOVES,   // generate the node's moves
    OVER,    // done: `best_move` and `score` are the result; without a best move there is no legal one
    IDLE     // there is no search
};

/// Ends an iteration and starts the next: the same depth with a full window if the score fell outside the window, otherwise
/// a greater depth. Returns true if the search is over.
HD bool end_iteration(Search &s, Cursor &c, const Player &player) {
    Node &f = c.node;
    bool too_low = f.best <= s.low && s.low > -INFINITE, too_high = f.best >= s.high && s.high < INFINITE;
    if (!too_low) s.best_move = f.best_move;
    if (too_low || too_high) {
        start_iteration(s, f, false);
        return false;
    }
    s.score = f.best;
    table_store(s, c, EXACT);
    bool decided = s.score > MATE_BOUND || s.score < -MATE_BOUND;
    bool enough = c.nodes >= (u64)player.nodes * NEXT_ITERATION_PERCENT / 100 || s.depth >= player.max_depth;
    if (enough || decided || f.end == 1) return true;
    s.depth++;
    start_iteration(s, f, s.depth > FULL_WINDOW_DEPTH);
    return false;
}

/// Returns values to parents and picks moves, up to a node whose child must be entered or whose moves must be generated.
HD Next go_to_next_node(Search &s, Cursor &c, const Player &player) {
    Node &f = c.node;
    ROLLED for (;;) {
        if (f.state == DONE) {
            if (c.ply == 0) {
                if (end_iteration(s, c, player)) return OVER;
            } else {
                int value = -f.best;
                c.ply--;
                f = s.frames[c.ply].node;
                accept_child_value(s, c, value);
            }
        }
        if (f.state == PICK) {
            if (pick(s, f, s.frames[c.ply].position))
                f.state = DESCEND;
            else {
                if (c.ply > 0) table_store(s, c, f.best_move ? EXACT : UPPER_BOUND);
                f.state = DONE;
            }
        }
        if (f.state != DONE) break;
    }
    if (c.nodes < (u64)player.nodes * MAX_NODES_PERCENT / 100 || !s.best_move) return f.state == DESCEND ? CHILD : MOVES;
    // An unfinished iteration searches the previous best move first, so its result is at least as good.
    const Node &root = c.ply ? s.frames[0].node : f;
    if (root.best_move) {
        s.best_move = root.best_move;
        s.score = root.best;
    }
    return OVER;
}

/// Nodes entered before moves are generated. With more, more threads of a warp have moves to generate.
#ifndef ENTRIES
#define ENTRIES 1
#endif

/// One step of a search: enters at most ENTRIES nodes and generates the moves of one. The threads of a warp run each part
/// together, so all of them must call this, those without a search too.
HD Next step(Search &s, Cursor &c, const Player &player, Next next) {
    ROLLED for (int i = 0; i < ENTRIES; i++) {
        if (next == MOVE_ON) next = go_to_next_node(s, c, player);
        Update update = {};
        if (next == CHILD) update = descend(s, c, player);
        synchronise_warp();
        int value = run_updates(update, next == CHILD && player.network);
        if (next == CHILD) {
            c.node.evaluation = within_bounds(player.network ? value : material(s.frames[c.ply].position));
            next = enter(s, c) ? MOVES : MOVE_ON;
        }
    }
    if (next == MOVES) next = expand(s, c) || c.ply > 0 ? MOVE_ON : OVER;
    return next;
}
