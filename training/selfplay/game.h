// Plays games from random openings, with a search for every move, until the rules or adjudication end them.
#pragma once
#include "record.h"
#include "search.h"

/// How games are played.
struct Config {
    Player players[2];     // identical in self-play
    u64 seed;
    u64 games;             // stop after this number
    i32 match;             // compare two players: play each opening twice and write no records
    i32 random_plies;      // this number or one more
    i32 worst_opening;     // openings with a score beyond this are discarded
    i32 win_score, win_plies;               // win adjudication: at least this score for this many plies
    i32 draw_score, draw_plies, draw_after; // draw adjudication: within this score for this many plies, not before a ply
    i32 sample_every;      // write one game in this many to the sample
};

/// Totals over all games. All counters have 64 bits, so Python can read them as one array.
struct Totals {
    u64 started, records, games, sample_bytes, nodes, searches, depths, plies, rejected;
    u64 results[3]; // for White, or in a match for the first player: lost, drawn, won
    u64 endings[ENDINGS];
};

struct Output {
    Record *records;
    u64 record_capacity;
    u8 *sample;
    u64 sample_capacity;
    Totals *totals;
};

struct Game {
    Search search;
    Position position;
    Record records[MAX_GAME];
    Move opening[16];
    u64 serial, random;
    i32 random_plies;
    i32 white_ahead, black_ahead, level; // number of plies so far
    i32 running;                         // 0 before the first game, 1 during a game, 2 after the last
};

HD u64 next_random(Game &g) { return mix(g.random++); }

HD int player_to_move(const Game &g, const Config &c) { return c.match ? (int)(g.serial & 1) ^ g.position.black : 0; }

/// Starts a search of the current position. `changes`, if given, lead to it from the position searched before.
HD_NOINLINE void begin_search(Game &g, const Config &c, const Changes *changes = nullptr) {
    int player = player_to_move(g, c);
    start_search(g.search, g.position, c.players[player], mix(player + 1), c.match ? nullptr : changes);
}

HD_NOINLINE int count_moves(Game &g) { return generate(g.position, find_threats(g.position), false, g.search.moves); }

HD_NOINLINE Changes play_move(Game &g, Move m) {
    g.search.keys[g.search.game_length++] = g.position.key;
    Changes changes;
    play(g.position, m, changes);
    return changes;
}

/// Plays random moves. Returns false if they end the game.
HD bool play_opening(Game &g, const Config &c) {
    set_start(g.position);
    g.search.game_length = 0;
    g.random_plies = c.random_plies + (int)(next_random(g) & 1);
    ROLLED for (int i = 0; i < g.random_plies; i++) {
        int n = count_moves(g);
        if (n == 0) return false;
        Move m = (Move)g.search.moves[next_random(g) % n];
        g.opening[i] = g.position.black ? flip_move(m) : m;
        play_move(g, m);
    }
    return count_moves(g) > 0;
}

HD_NOINLINE void new_game(Game &g, const Config &c) {
    while (!play_opening(g, c)) {
    }
    g.white_ahead = g.black_ahead = g.level = 0;
    begin_search(g, c);
}

HD_NOINLINE void next_game(Game &g, const Config &c, const Output &out) {
    g.serial = fetch_add(&out.totals->started, 1);
    if (g.serial >= c.games) {
        g.running = 2;
        return;
    }
    g.running = 1;
    g.random = mix(c.seed) + (mix(c.match ? g.serial / 2 : g.serial) << 8);
    clear_table(g.search);
    clear_history(g.search);
    new_game(g, c);
}

HD void write_sample(const Game &g, const Output &out, int result, int ending) {
    u64 plies = g.search.game_length, size = sizeof(GameHeader) + 4 * plies;
    if (out.totals->sample_bytes + size > out.sample_capacity) return;
    u64 at = fetch_add(&out.totals->sample_bytes, size);
    if (at + size > out.sample_capacity) return;
    GameHeader header = {(u16)plies, (u16)g.random_plies, (u8)result, (u8)ending, 0};
    *(GameHeader *)(out.sample + at) = header;
    u16 *pairs = (u16 *)(out.sample + at + sizeof header);
    ROLLED for (int i = 0; i < (int)plies; i++) {
        if (i < g.random_plies) {
            pairs[2 * i] = g.opening[i];
            pairs[2 * i + 1] = (u16)UNKNOWN_SCORE;
        } else {
            const Record &r = g.records[i - g.random_plies];
            pairs[2 * i] = r.flags & BLACK_TO_MOVE ? flip_move(r.best_move) : r.best_move;
            pairs[2 * i + 1] = (u16)r.score;
        }
    }
}

/// Writes a finished game and starts the next. `result` is White's: 0 lost, 1 drawn, 2 won.
HD_NOINLINE void end_game(Game &g, const Config &c, const Output &out, int result, int ending) {
    Totals &totals = *out.totals;
    u64 n = g.search.game_length - g.random_plies;
    fetch_add(&totals.games, 1);
    fetch_add(&totals.plies, n);
    fetch_add(&totals.endings[ending], 1);
    fetch_add(&totals.results[c.match && g.serial & 1 ? 2 - result : result], 1);
    if (!c.match) {
        u64 at = fetch_add(&totals.records, n);
        if (at + n <= out.record_capacity)
            ROLLED for (u64 i = 0; i < n; i++) {
                Record r = g.records[i];
                r.result = (u8)(r.flags & BLACK_TO_MOVE ? 2 - result : result);
                out.records[at + i] = r;
            }
        if (c.sample_every && g.serial % c.sample_every == 0) write_sample(g, out, result, ending);
    }
    next_game(g, c, out);
}

HD int count_occurrences(const Game &g) {
    int now = g.search.game_length, earliest = max_of(now - g.position.halfmove_clock, 0), times = 1;
    ROLLED for (int i = now - 2; i >= earliest; i -= 2) times += g.search.keys[i] == g.position.key;
    return times;
}

/// Plays the best move of a finished search, or ends the game if there is none.
HD_NOINLINE void finish_search(Game &g, const Config &c, const Output &out) {
    Search &s = g.search;
    const Position &p = s.frames[0].position;
    bool in_check = s.in_check;
    fetch_add(&out.totals->nodes, s.nodes);
    if (!s.best_move) {
        int loses = p.black ? 2 : 0;
        return end_game(g, c, out, in_check ? loses : 1, in_check ? CHECKMATE : STALEMATE);
    }
    fetch_add(&out.totals->searches, 1);
    fetch_add(&out.totals->depths, s.depth);
    int played = s.game_length - g.random_plies, score = s.score;
    if (!c.match && played == 0 && (score > c.worst_opening || score < -c.worst_opening)) {
        fetch_add(&out.totals->rejected, 1);
        return new_game(g, c);
    }
    g.records[played] = make_record(p, score, s.best_move, !is_quiet(p, s.best_move), in_check, s.game_length);
    int for_white = p.black ? -score : score;
    g.white_ahead = for_white >= c.win_score ? g.white_ahead + 1 : 0;
    g.black_ahead = for_white <= -c.win_score ? g.black_ahead + 1 : 0;
    g.level = score <= c.draw_score && score >= -c.draw_score ? g.level + 1 : 0;

    Changes changes = play_move(g, s.best_move);
    if (is_insufficient_material(g.position)) return end_game(g, c, out, 1, DEAD_POSITION);
    if (count_occurrences(g) >= 3) return end_game(g, c, out, 1, THREEFOLD);
    // Checkmate and stalemate take precedence over adjudication; the next search tells which it is.
    bool may_end = g.white_ahead >= c.win_plies || g.black_ahead >= c.win_plies ||
                 (s.game_length >= c.draw_after && g.level >= c.draw_plies) || s.game_length >= MAX_GAME ||
                 g.position.halfmove_clock >= 100;
    if (!may_end || count_moves(g) == 0) return begin_search(g, c, &changes);
    if (g.position.halfmove_clock >= 100) return end_game(g, c, out, 1, FIFTY_MOVES);
    if (g.white_ahead >= c.win_plies) return end_game(g, c, out, 2, ADJUDICATED_WIN);
    if (g.black_ahead >= c.win_plies) return end_game(g, c, out, 0, ADJUDICATED_WIN);
    if (s.game_length >= c.draw_after && g.level >= c.draw_plies) return end_game(g, c, out, 1, ADJUDICATED_DRAW);
    end_game(g, c, out, 1, TOO_LONG);
}

/// Restarts the search of a game after its player's network has changed.
HD void restart_game_search(Game &g, const Config &c) {
    if (g.running != 1) return;
    clear_table(g.search);
    begin_search(g, c);
}

/// Runs a game for a number of steps, about one node each.
HD void play_steps_of(Game &g, const Config &c, const Output &out, int steps) {
    if (g.running == 0) next_game(g, c, out);
    Next next = g.running == 1 ? MOVE_ON : IDLE;
    Cursor cursor = load_cursor(g.search);
    ROLLED for (int n = 0; n < steps; n++) {
        next = step(g.search, cursor, c.players[player_to_move(g, c)], next);
        if (next == OVER) {
            store_cursor(g.search, cursor);
            finish_search(g, c, out);
            next = g.running == 1 ? MOVE_ON : IDLE;
            cursor = load_cursor(g.search);
        }
    }
    store_cursor(g.search, cursor);
}

/// Records to search again with more nodes.
struct Labels {
    Record *records;
    u64 count;
    Totals *totals;
};

/// Restores the position of a record, without en passant and history, which a record does not store.
HD_NOINLINE void position_of(const Record &r, Position &p) {
    p.plane[0] = p.plane[1] = p.plane[2] = p.own = 0;
    int i = 0;
    ROLLED for (u64 squares = r.occupied; squares; i++) {
        int square = take_lowest(squares), piece = r.pieces[i / 2] >> i % 2 * 4 & 15;
        p.put((piece & 7) + 1, bit(square), piece < 8);
    }
    p.castling = r.flags >> CASTLING_SHIFT;
    p.en_passant = p.halfmove_clock = 0;
    p.black = r.flags & BLACK_TO_MOVE;
    p.key = full_key(p);
}

/// Starts to search the next record.
HD_NOINLINE void next_label(Game &g, const Config &c, const Labels &labels) {
    g.serial = fetch_add(&labels.totals->started, 1);
    g.running = g.serial < labels.count ? 1 : 2;
    if (g.running == 2) return;
    clear_table(g.search);
    clear_history(g.search);
    g.search.game_length = 0;
    position_of(labels.records[g.serial], g.position);
    begin_search(g, c);
}

/// Searches records for a number of steps.
HD void label_steps_of(Game &g, const Config &c, const Labels &labels, int steps) {
    if (g.running == 0) next_label(g, c, labels);
    Next next = g.running == 1 ? MOVE_ON : IDLE;
    Cursor cursor = load_cursor(g.search);
    ROLLED for (int n = 0; n < steps; n++) {
        next = step(g.search, cursor, c.players[0], next);
        if (next == OVER) {
            store_cursor(g.search, cursor);
            Record &r = labels.records[g.serial];
            r.score = g.search.score;
            r.best_move = g.search.best_move;
            r.flags = (u8)((r.flags & ~NOISY_BEST_MOVE) | !is_quiet(g.position, r.best_move) * NOISY_BEST_MOVE);
            fetch_add(&labels.totals->searches, 1);
            fetch_add(&labels.totals->nodes, g.search.nodes);
            next_label(g, c, labels);
            next = g.running == 1 ? MOVE_ON : IDLE;
            cursor = load_cursor(g.search);
        }
    }
    store_cursor(g.search, cursor);
}
