// Alpha-beta with an explicit stack, cut into steps of one node, so that the threads of a warp generate, play and
// evaluate together although each is somewhere else in another tree.
#pragma once
#include "evaluate.h"
#include "movegen.h"

const int MAX_PLY = 40;
const int MATE = 30000, MATE_BOUND = MATE - 200, INFINITE = 31000;
const int MOVE_STACK = 1024;
const int TABLE_SIZE = 4096;
const int MAX_GAME = 400;

/// Where a node of the tree stands.
enum State : u8 {
    DONE,   // `best` is its value
    EXPAND, // its moves are to be generated
    PICK,   // the next move is to be chosen
    DESCEND // `move` is to be searched
};

/// What the search below a move was for.
enum Purpose : u8 { FULL, ZERO_WINDOW, REDUCED, NULL_MOVE };

/// One node of the line that is searched.
struct Frame {
    Position position;
    Sums sums;
    i16 alpha, beta, best, evaluation;
    Move move, best_move, killers[2];
    u16 next, end; // its moves that are left
    i8 depth;
    u8 searched, reduction;
    State state;
    Purpose purpose;
    u8 in_check, principal;
};

/// What the searches of one player share.
struct Player {
    const Network *network; // none: material
    u32 nodes;
    i32 max_depth;
};

/// Eight bytes: 16 bits of the key, move, value, depth (6) and bound (2).
struct TableEntry {
    u16 key;
    Move move;
    i16 value;
    u8 depth, bound;
};
enum Bound : u8 { NO_BOUND, AT_MOST, AT_LEAST, EXACT };

/// A search in progress.
struct Search {
    Frame frames[MAX_PLY + 1];
    alignas(16) u32 moves[MOVE_STACK];
    i16 history[2][7][64];
    TableEntry table[TABLE_SIZE];
    /// The keys of the game, then of the line.
    u64 keys[MAX_GAME + MAX_PLY + 16];
    i32 game_length;
    i32 ply;
    u32 nodes;
    i32 depth;
    i16 score;
    Move best_move;
    u64 salt; // tells the entries of two players apart
};

// The order of moves: the upper 16 bits of an entry.
const u32 ORDER_TABLE = 60000, ORDER_GOOD = 40000, ORDER_KILLER = 30000, ORDER_QUIET = 16000, ORDER_BAD = 2000;

HD TableEntry *table_entry(Search &s, u64 key) { return &s.table[(key ^ s.salt) % TABLE_SIZE]; }
HD u16 table_key(const Search &s, u64 key) { return (u16)((key ^ s.salt) >> 48); }

HD void table_store(Search &s, const Frame &f, int bound) {
    TableEntry entry;
    entry.key = table_key(s, f.position.key);
    entry.move = f.best_move;
    int value = f.best;
    if (value > MATE_BOUND) value += s.ply;
    if (value < -MATE_BOUND) value -= s.ply;
    entry.value = (i16)value;
    entry.depth = (u8)f.depth;
    entry.bound = (u8)bound;
    *table_entry(s, f.position.key) = entry;
}

HD bool is_repetition(const Search &s, const Position &p) {
    int now = s.game_length + s.ply;
    int earliest = max_of(now - p.quiet_plies, 0);
    for (int i = now - 4; i >= earliest; i -= 2)
        if (s.keys[i] == p.key) return true;
    return false;
}

HD int victim_of(const Position &p, Move m) {
    bool passing = p.en_passant && to_square(m) == p.en_passant && p.role_at(from_square(m)) == PAWN;
    return passing ? PAWN : p.role_at(to_square(m));
}
HD bool is_quiet(const Position &p, Move m) { return !victim_of(p, m) && !promotion(m); }

/// Gives each generated move its place in the order.
HD void order_moves(Search &s, const Frame &f, Move table_move) {
    const Position &p = f.position;
    u64 defended = their_pawn_attacks(p);
    for (int i = f.next; i < f.end; i++) {
        Move m = (Move)s.moves[i];
        int to = to_square(m), role = p.role_at(from_square(m)), victim = victim_of(p, m);
        u32 order;
        if (m == table_move)
            order = ORDER_TABLE;
        else if (victim || promotion(m)) {
            bool bad = (role_value(role) > role_value(victim) + 50 && defended >> to & 1) ||
                       (promotion(m) && promotion(m) != QUEEN);
            order = (bad ? ORDER_BAD : ORDER_GOOD) + victim * 64 - role + promotion(m) * 32;
        } else if (m == f.killers[0] || m == f.killers[1])
            order = ORDER_KILLER + (m == f.killers[0]);
        else
            order = (u32)(ORDER_QUIET + s.history[p.black][role][to]);
        s.moves[i] = order << 16 | m;
    }
}

/// Takes the best of the moves that are left; none if there is none.
HD u32 take_best(Search &s, Frame &f) {
    if (f.next >= f.end) return 0;
    int best = f.next;
    u32 best_entry = s.moves[best], first = best_entry;
    for (int i = f.next + 1; i < f.end; i++) {
        u32 entry = s.moves[i];
        if (entry > best_entry) {
            best_entry = entry;
            best = i;
        }
    }
    s.moves[best] = first;
    f.next++;
    return best_entry;
}

/// Captures that win nothing: a piece for a lesser one that is defended.
HD bool loses_material(const Position &p, Move m) {
    int role = p.role_at(from_square(m)), victim = p.role_at(to_square(m));
    if (role_value(role) <= role_value(victim) + 50 || role == KING || promotion(m)) return false;
    return is_attacked(p, to_square(m), p.occupied() ^ bit(from_square(m)));
}

/// How much less deep a late quiet move is searched.
HD int reduction(int depth, int searched) {
    return 1 + (searched >= 6) + (searched >= 14) + (depth >= 6 && searched >= 4) + (depth >= 9);
}

/// Chooses the next move of a node and how it is to be searched. False if the node has no more to search.
HD bool pick(Search &s, Frame &f) {
    for (;;) {
        u32 entry = take_best(s, f);
        if (!entry) return false;
        Move m = (Move)entry;
        u32 order = entry >> 16;
        bool quiet = order < ORDER_GOOD;
        if (f.depth <= 0) {
            if (!f.in_check) {
                if (order < ORDER_GOOD) return false;
                // Not even the piece for nothing would be enough.
                int gain = role_value(victim_of(f.position, m)) + (promotion(m) ? 800 : 0);
                if (f.evaluation + gain + 150 <= f.alpha) return false;
                if (loses_material(f.position, m)) continue;
            } else if (quiet && f.best > -MATE_BOUND)
                return false; // one answer to a check that does not lose is enough to know
            f.purpose = FULL;
        } else {
            bool late = f.searched > 0 && quiet && !f.in_check && f.best > -MATE_BOUND;
            if (late && !f.principal) {
                if (f.searched >= 3 + f.depth * f.depth) return false;
                if (f.depth <= 5 && f.evaluation + 60 + 90 * f.depth <= f.alpha) return false;
            }
            f.reduction = 0;
            if (late && f.depth >= 3 && f.searched >= 2 + 2 * f.principal)
                f.reduction = (u8)min_of(reduction(f.depth, f.searched) - f.principal, f.depth - 2);
            f.purpose = f.reduction > 0 ? REDUCED : f.searched && f.principal ? ZERO_WINDOW : FULL;
        }
        f.move = m;
        return true;
    }
}

/// Plays the chosen move into the next frame.
HD void descend(Search &s, const Player &player) {
    Frame &f = s.frames[s.ply], &child = s.frames[s.ply + 1];
    child.position = f.position;
    Changes changes = {};
    child.depth = (i8)(f.depth - 1);
    child.principal = 0;
    child.alpha = (i16)-(f.alpha + 1);
    child.beta = (i16)-f.alpha;
    if (f.purpose == NULL_MOVE) {
        play_null(child.position);
        child.depth = (i8)(f.depth - 3 - f.depth / 4);
        child.alpha = (i16)-f.beta;
        child.beta = (i16)-(f.beta - 1);
    } else {
        play(child.position, f.move, changes);
        if (f.purpose == REDUCED) child.depth = (i8)(child.depth - f.reduction);
        if (f.purpose == FULL) {
            child.alpha = (i16)-f.beta;
            child.beta = (i16)-f.alpha;
            child.principal = f.principal;
        }
    }
    if (player.network) update_sums(*player.network, f.sums, child.sums, changes, f.position.black);
    child.next = child.end = f.end;
    s.ply++;
    s.keys[s.game_length + s.ply] = child.position.key;
    s.nodes++;
}

HD void finish(Frame &f, int value) {
    f.best = (i16)value;
    f.state = DONE;
}

HD int evaluate(const Player &player, const Frame &f) {
    int value = player.network ? network_output(*player.network, f.position, f.sums) : material(f.position);
    return max_of(-LONGEST_EVALUATION, min_of(value, LONGEST_EVALUATION));
}

/// Looks at a node for the first time: draws, table, evaluation, and whether it needs a search at all.
HD void enter(Search &s, const Player &player) {
    Frame &f = s.frames[s.ply];
    const Position &p = f.position;
    f.best = -INFINITE;
    f.best_move = NO_MOVE;
    f.searched = 0;
    f.state = EXPAND;
    f.in_check = is_attacked(p, lowest(p.kings() & p.own), p.occupied());
    if (f.in_check && f.depth <= 0 && s.frames[s.ply - 1].depth > 0) f.depth = 1;
    f.evaluation = (i16)evaluate(player, f);
    if (s.ply >= MAX_PLY || f.next > MOVE_STACK - MOST_MOVES) return finish(f, f.evaluation);
    if (is_dead(p) || (p.quiet_plies >= 100 && !f.in_check) || (p.quiet_plies >= 4 && is_repetition(s, p)))
        return finish(f, 0);

    if (f.depth <= 0) {
        if (f.in_check) return;
        f.best = f.evaluation;
        if (f.best >= f.beta) return finish(f, f.best);
        if (f.best > f.alpha) f.alpha = f.best;
        return;
    }

    TableEntry entry = *table_entry(s, p.key);
    if (entry.bound && entry.key == table_key(s, p.key)) {
        int value = entry.value;
        if (value > MATE_BOUND) value -= s.ply;
        if (value < -MATE_BOUND) value += s.ply;
        bool enough = entry.bound == EXACT || (entry.bound == AT_LEAST && value >= f.beta) ||
                      (entry.bound == AT_MOST && value <= f.alpha);
        if (!f.principal && entry.depth >= f.depth && enough) return finish(f, value);
        f.move = entry.move;
    } else {
        f.move = NO_MOVE;
        if (f.depth >= 4) f.depth--; // a node that nothing is known about is not worth much yet
    }
    if (f.principal || f.in_check) return;
    if (f.depth <= 6 && f.evaluation - 75 * f.depth >= f.beta && f.beta > -MATE_BOUND) return finish(f, f.evaluation);
    u64 pieces = p.own & (p.knights() | p.diagonal_sliders() | p.straight_sliders());
    if (f.depth >= 3 && f.evaluation >= f.beta && s.frames[s.ply - 1].purpose != NULL_MOVE && pieces &&
        f.beta > -MATE_BOUND) {
        f.purpose = NULL_MOVE;
        f.best_move = f.move; // kept while the null move is tried
        f.state = DESCEND;
    }
}

/// Generates the moves of a node. False if it has none: mate or stalemate.
HD bool expand(Search &s) {
    Frame &f = s.frames[s.ply];
    Threats threats = find_threats(f.position);
    bool noisy = f.depth <= 0 && !f.in_check;
    f.end = (u16)(f.next + generate(f.position, threats, noisy, s.moves + f.next));
    f.state = PICK;
    if (f.end == f.next) {
        finish(f, noisy ? f.best : f.in_check ? s.ply - MATE : 0);
        return noisy;
    }
    order_moves(s, f, f.depth > 0 ? f.move : NO_MOVE);
    return true;
}

HD void reward(Search &s, Frame &f) {
    const Position &p = f.position;
    int to = to_square(f.move), role = p.role_at(from_square(f.move));
    if (!is_quiet(p, f.move)) return;
    if (f.killers[0] != f.move) {
        f.killers[1] = f.killers[0];
        f.killers[0] = f.move;
    }
    // Towards a bound, so that it never has to be aged.
    int bonus = min_of(f.depth * f.depth * 32, 1200);
    i16 &value = s.history[p.black][role][to];
    value = (i16)(value + bonus - value * bonus / 8192);
}

/// Takes the value of the child just searched.
HD void accept(Search &s, int value) {
    Frame &f = s.frames[s.ply];
    if (f.purpose == NULL_MOVE) {
        f.move = f.best_move;
        f.best_move = NO_MOVE;
        f.purpose = FULL;
        if (value >= f.beta) return finish(f, value > MATE_BOUND ? f.beta : value);
        f.state = EXPAND;
        return;
    }
    f.state = DESCEND;
    if (f.purpose == REDUCED && value > f.alpha) {
        f.purpose = f.principal ? ZERO_WINDOW : FULL;
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
    if (f.depth > 0) {
        reward(s, f);
        table_store(s, f, AT_LEAST);
    }
    f.state = DONE;
}

/// Starts the next, deeper round from the root.
HD void start_round(Search &s) {
    Frame &root = s.frames[0];
    s.ply = 0;
    s.depth++;
    root.depth = (i8)s.depth;
    root.alpha = -INFINITE;
    root.beta = INFINITE;
    root.best = -INFINITE;
    root.move = s.best_move;
    root.best_move = NO_MOVE;
    root.searched = 0;
    root.next = root.end = 0;
    root.principal = 1;
    root.purpose = FULL;
    root.state = EXPAND;
}

/// Starts a search of `p`.
HD void start_search(Search &s, const Position &p, const Player &player, u64 salt) {
    Frame &root = s.frames[0];
    root.position = p;
    root.in_check = is_attacked(p, lowest(p.kings() & p.own), p.occupied());
    if (player.network) compute_sums(*player.network, p, root.sums);
    root.evaluation = (i16)evaluate(player, root);
    for (int i = 0; i <= MAX_PLY; i++) s.frames[i].killers[0] = s.frames[i].killers[1] = NO_MOVE;
    s.keys[s.game_length] = p.key;
    s.salt = salt;
    s.nodes = 0;
    s.depth = 0;
    s.best_move = NO_MOVE;
    s.score = 0;
    start_round(s);
}

/// One step: at most one node entered and one expanded. True when the search is over: `best_move` and `score` are its
/// answer, and no best move means that there is no legal one.
HD bool step(Search &s, const Player &player) {
    Frame &root = s.frames[0];
    for (;;) {
        Frame &f = s.frames[s.ply];
        if (f.state == DONE) {
            if (s.ply == 0) {
                s.best_move = root.best_move;
                s.score = root.best;
                table_store(s, root, EXACT);
                bool decided = s.score > MATE_BOUND || s.score < -MATE_BOUND;
                if (s.nodes >= player.nodes || s.depth >= player.max_depth || decided || root.end == 1) return true;
                start_round(s);
                continue;
            }
            s.ply--;
            accept(s, -f.best);
        } else if (f.state == PICK) {
            if (pick(s, f))
                f.state = DESCEND;
            else {
                if (f.depth > 0 && s.ply > 0) table_store(s, f, f.best_move ? EXACT : AT_MOST);
                f.state = DONE;
            }
        } else
            break;
    }
    if (s.nodes >= player.nodes && s.best_move) {
        // What the unfinished round has found is better than what the last one knew, for it began with that.
        if (root.best_move) {
            s.best_move = root.best_move;
            s.score = root.best;
        }
        return true;
    }
    if (s.frames[s.ply].state == DESCEND) {
        descend(s, player);
        enter(s, player);
    }
    if (s.frames[s.ply].state == EXPAND && !expand(s) && s.ply == 0) return true;
    return false;
}
