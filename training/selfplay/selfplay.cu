// The library that Python calls. nvcc builds it for the GPU, g++ for the CPU:
//
//     nvcc -O3 -arch=sm_90 -std=c++17 -shared -Xcompiler -fPIC -o libselfplay.so selfplay.cu
//     g++ -O3 -march=native -std=c++17 -shared -fPIC -pthread -x c++ -o libselfplay-cpu.so selfplay.cu
//
// Pointers to records and samples are GPU memory in the GPU build and CPU memory in the CPU build.
#include "activations.h"
#include "fen.h"
#include "game.h"
#include "output_layer.h"
#include "unpack.h"

#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

struct Pool {
    Game *games;
    Network *networks[2];
    Totals *totals;
    int size;
};

#ifdef __CUDACC__

static void check(cudaError_t error, const char *what) {
    if (error == cudaSuccess) return;
    fprintf(stderr, "selfplay: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}
static void *allocate(size_t bytes) {
    void *p;
    check(cudaMalloc(&p, bytes), "allocating GPU memory");
    check(cudaMemset(p, 0, bytes), "clearing GPU memory");
    return p;
}
static void release(void *p) { check(cudaFree(p), "freeing GPU memory"); }
static void copy(void *to, const void *from, size_t bytes) { check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "copying"); }

#ifndef BLOCK
#define BLOCK 128
#endif
#ifndef BLOCKS_PER_SM
#define BLOCKS_PER_SM (WIDTH < 256 ? 4 : 5)
#endif
/// Steps per launch.
#ifndef BURST
#define BURST 8
#endif

__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM) play_kernel(Game *games, int size, Config config, Output out, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;
    play_steps_of(games[i], config, out, steps);
}
static void play_steps(Pool &pool, const Config &config, const Output &out, int steps) {
    // Each launch brings the threads of a warp back together. Longer launches are about as fast.
    for (int done = 0; done < steps; done += BURST)
        play_kernel<<<(pool.size + BLOCK - 1) / BLOCK, BLOCK>>>(pool.games, pool.size, config, out, BURST);
    check(cudaGetLastError(), "starting the kernel");
    check(cudaDeviceSynchronize(), "playing");
}

__global__ void restart_kernel(Game *games, int size, Config config) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) restart_game_search(games[i], config);
}
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM) label_kernel(Game *games, int size, Config config, Labels labels, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) label_steps_of(games[i], config, labels, steps);
}
static void label_steps(Pool &pool, const Config &config, const Labels &labels, int steps) {
    for (int done = 0; done < steps; done += BURST)
        label_kernel<<<(pool.size + BLOCK - 1) / BLOCK, BLOCK>>>(pool.games, pool.size, config, labels, BURST);
    check(cudaGetLastError(), "starting the kernel");
    check(cudaDeviceSynchronize(), "searching");
}
static void restart(Pool &pool, const Config &config) {
    restart_kernel<<<(pool.size + BLOCK - 1) / BLOCK, BLOCK>>>(pool.games, pool.size, config);
    check(cudaDeviceSynchronize(), "restarting searches");
}

__global__ void unpack_kernel(const Record *records, const i32 *indices, int n, View view, One *own, One *other,
                              i64 *outputs) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unpack_record(records[indices[i]], view, i, own, other, outputs);
}
static void unpack_all(const Record *records, const i32 *indices, int n, const View &view, One *own, One *other,
                       i64 *outputs, void *stream) {
    unpack_kernel<<<(n + 127) / 128, 128, 0, (cudaStream_t)stream>>>(records, indices, n, view, own, other, outputs);
}

#else

static void *allocate(size_t bytes) {
    void *p = nullptr;
    if (posix_memalign(&p, 64, bytes)) exit(1);
    memset(p, 0, bytes);
    return p;
}
static void release(void *p) { free(p); }
static void copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }

/// Runs `work` for every game of a pool, on all cores.
template <class Work> static void for_all(Pool &pool, Work work) {
    int workers = (int)std::thread::hardware_concurrency();
    std::vector<std::thread> threads;
    for (int w = 0; w < workers; w++)
        threads.emplace_back([&, w] {
            for (int i = w; i < pool.size; i += workers) work(pool.games[i]);
        });
    for (auto &t : threads) t.join();
}
static void play_steps(Pool &pool, const Config &config, const Output &out, int steps) {
    for_all(pool, [&](Game &g) { play_steps_of(g, config, out, steps); });
}
static void label_steps(Pool &pool, const Config &config, const Labels &labels, int steps) {
    for_all(pool, [&](Game &g) { label_steps_of(g, config, labels, steps); });
}
static void restart(Pool &pool, const Config &config) {
    for (int i = 0; i < pool.size; i++) restart_game_search(pool.games[i], config);
}
static void unpack_all(const Record *records, const i32 *indices, int n, const View &view, One *own, One *other,
                       i64 *outputs, void *) {
    for (int i = 0; i < n; i++) unpack_record(records[indices[i]], view, i, own, other, outputs);
}

#endif

static const u64 NETWORK_WEIGHTS = FEATURES * WIDTH + WIDTH + OUTPUTS * 2 * WIDTH + OUTPUTS;

/// Reads the weights of a network file, in the file's order.
static void read_weights(Network &network, const i16 *weights) {
    memset(&network, 0, sizeof network);
    auto take = [&](Eight *to, int count) {
        for (int i = 0; i < count; i += 2, weights += 2) to[i / 8].pair[i / 2 % 4] = make_pair(weights[0], weights[1]);
    };
    take(network.rows[0], FEATURES * WIDTH);
    take(network.bias, WIDTH);
    take(network.output[0], OUTPUTS * 2 * WIDTH);
    memcpy(network.output_bias, weights, sizeof network.output_bias);
}

extern "C" {

/// Allocates a pool of games that are played concurrently.
Pool *pool_new(int size) {
    Pool *pool = new Pool;
    pool->size = size;
    pool->games = (Game *)allocate(sizeof(Game) * size);
    for (auto &network : pool->networks) network = (Network *)allocate(sizeof(Network));
    pool->totals = (Totals *)allocate(sizeof(Totals));
    return pool;
}

void pool_free(Pool *pool) {
    release(pool->games);
    for (auto &network : pool->networks) release(network);
    release(pool->totals);
    delete pool;
}

/// Starts a generation: the games continue with the players' current networks, and the totals restart at zero.
void pool_next_generation(Pool *pool, const Config *config) {
    restart(*pool, *config);
    Totals totals = {}, before;
    copy(&before, pool->totals, sizeof(Totals));
    totals.started = before.started;
    copy(pool->totals, &totals, sizeof(Totals));
}

/// Sets a player's network, or evaluation by material if `weights` is null. Returns 1 if the number of weights is wrong.
int pool_set_network(Pool *pool, Config *config, int player, const i16 *weights, u64 count_of_weights) {
    config->players[player].network = nullptr;
    if (!weights) return 0;
    if (count_of_weights != NETWORK_WEIGHTS) return 1;
    std::vector<Network> network(1);
    read_weights(network[0], weights);
    copy(pool->networks[player], &network[0], sizeof(Network));
    config->players[player].network = pool->networks[player];
    return 0;
}

/// Runs every game for a number of steps and copies the totals to the caller.
void pool_play(Pool *pool, const Config *config, Record *records, u64 record_capacity, u8 *sample, u64 sample_capacity,
               int steps, Totals *totals) {
    Output out = {records, record_capacity, sample, sample_capacity, pool->totals};
    play_steps(*pool, *config, out, steps);
    copy(totals, pool->totals, sizeof(Totals));
}

/// Searches records again, replaces their scores and best moves, and returns how many are done. The pool must be new.
u64 pool_label(Pool *pool, const Config *config, Record *records, u64 count, int steps) {
    label_steps(*pool, *config, {records, count, pool->totals}, steps);
    Totals totals;
    copy(&totals, pool->totals, sizeof(Totals));
    return totals.searches;
}

/// Runs the output layer forward and, if requested, backward, on a CUDA stream.
void output_layer(const OutputLayer *layer, int run_backward, void *stream) {
    forward(*layer, stream);
    if (run_backward) backward(*layer, stream);
}

/// Computes the squared activations of the first layer, or the gradients of its sums, on a CUDA stream.
void activations(const Activations *layer, int run_backward, void *stream) {
    if (run_backward)
        activation_gradients(*layer, stream);
    else
        activate(*layer, stream);
}

/// Unpacks the records at `indices` into input rows, which must be zeroed, on a CUDA stream.
void unpack(const Record *records, const i32 *indices, int n, const View *view, One *own, One *other, i64 *outputs,
            void *stream) {
    unpack_all(records, indices, n, *view, own, other, outputs, stream);
}

int network_width() { return WIDTH; }
int network_is_mirrored() { return MIRRORED; }
int game_bytes() { return (int)sizeof(Game); }

/// Counts the leaf nodes of the tree of legal moves, on the GPU or the CPU as built.
u64 perft_fen(const char *fen, int depth);

/// Evaluates a position on the CPU, with sums computed from scratch.
int evaluate_fen(const char *fen, const i16 *weights) {
    std::vector<Network> network(1);
    read_weights(network[0], weights);
    Position p = read_fen(fen);
    Sums sums;
    compute_sums(network[0], p, sums);
    return network_output(network[0], p, sums);
}

/// Plays random games on the CPU and counts the positions where the incrementally updated sums, value or key differ from
/// those computed from scratch.
int count_wrong_updates(const i16 *weights, int positions) {
    std::vector<Network> network(1);
    read_weights(network[0], weights);
    Position p;
    Sums sums, updated, computed;
    int wrong = 0;
    bool fresh = true;
    for (int i = 0; i < positions; i++) {
        if (fresh) {
            set_start(p);
            compute_sums(network[0], p, sums);
        }
        u32 moves[MAX_MOVES];
        int n = generate(p, find_threats(p), false, moves);
        fresh = n == 0 || is_insufficient_material(p) || p.halfmove_clock >= 100;
        if (fresh) continue;
        Changes changes;
        play(p, (Move)moves[mix(i) % n], changes);
        int value = run_updates(make_update(&network[0], sums, updated, changes, p), true);
        compute_sums(network[0], p, computed);
        wrong += memcmp(&updated, &computed, sizeof(Sums)) != 0 || value != network_output(network[0], p, computed) ||
                 p.key != full_key(p);
        sums = updated;
    }
    return wrong;
}
}

#ifdef __CUDACC__
/// Each thread counts the leaves below one position. Iterative, because recursion is slow on a GPU.
__global__ void perft_kernel(const Position *positions, int n, int depth, u64 *leaves) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int DEEPEST = 4;
    Position line[DEEPEST + 1];
    u32 moves[DEEPEST + 1][MAX_MOVES];
    int left[DEEPEST + 1], ply = 0;
    u64 total = 0;
    line[0] = positions[i];
    left[0] = generate(line[0], find_threats(line[0]), false, moves[0]);
    while (ply >= 0) {
        if (ply == depth - 1 || left[ply] == 0) {
            total += left[ply--];
            continue;
        }
        Changes changes;
        line[ply + 1] = line[ply];
        play(line[ply + 1], (Move)moves[ply][--left[ply]], changes);
        ply++;
        left[ply] = generate(line[ply], find_threats(line[ply]), false, moves[ply]);
    }
    leaves[i] = total;
}

u64 perft_fen(const char *fen, int depth) {
    // The CPU expands two plies, to have enough positions for the threads.
    std::vector<Position> positions = {read_fen(fen)};
    for (int ply = 0; ply < 2 && depth > 1; ply++, depth--) {
        std::vector<Position> next;
        for (auto &p : positions) {
            u32 moves[MAX_MOVES];
            int n = generate(p, find_threats(p), false, moves);
            for (int i = 0; i < n; i++) {
                Position child = p;
                Changes changes;
                play(child, (Move)moves[i], changes);
                next.push_back(child);
            }
        }
        positions = next;
    }
    int n = (int)positions.size();
    Position *on_gpu = (Position *)allocate(sizeof(Position) * n);
    u64 *leaves = (u64 *)allocate(sizeof(u64) * n);
    copy(on_gpu, positions.data(), sizeof(Position) * n);
    perft_kernel<<<(n + 63) / 64, 64>>>(on_gpu, n, depth, leaves);
    check(cudaGetLastError(), "starting perft");
    std::vector<u64> each(n);
    copy(each.data(), leaves, sizeof(u64) * n);
    release(on_gpu);
    release(leaves);
    u64 total = 0;
    for (u64 one : each) total += one;
    return total;
}
#else
u64 perft_fen(const char *fen, int depth) { return perft(read_fen(fen), depth); }
#endif
