// The differences between GPU and CPU. All other code is the same for both.
#pragma once
#include <cstdint>
#include <cstring>

#ifdef __CUDACC__
#define HD __host__ __device__ __forceinline__
#define HD_NOINLINE __host__ __device__ __noinline__
/// Keeps a loop from being unrolled: the code of a step must fit into the instruction cache.
#define ROLLED _Pragma("unroll 1")
#define UNROLLED _Pragma("unroll 4")
#else
#define HD inline
#define HD_NOINLINE inline
#define ROLLED
#define UNROLLED
#endif

using u8 = uint8_t;
using i8 = int8_t;
using u16 = uint16_t;
using i16 = int16_t;
using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

HD u64 bit(int square) { return 1ull << square; }

HD int count(u64 b) {
#ifdef __CUDA_ARCH__
    return __popcll(b);
#else
    return __builtin_popcountll(b);
#endif
}

/// The lowest square of a non-empty set.
HD int lowest(u64 b) {
#ifdef __CUDA_ARCH__
    return __ffsll(b) - 1;
#else
    return __builtin_ctzll(b);
#endif
}

HD int take_lowest(u64 &b) {
    int square = lowest(b);
    b &= b - 1;
    return square;
}

/// Flips the board vertically: rank 1 becomes rank 8.
HD u64 flip_ranks(u64 b) {
#ifdef __CUDA_ARCH__
    u32 low = __byte_perm((u32)b, 0, 0x0123), high = __byte_perm((u32)(b >> 32), 0, 0x0123);
    return (u64)low << 32 | high;
#else
    return __builtin_bswap64(b);
#endif
}

/// Rotates the board by 180 degrees: a1 becomes h8.
HD u64 reverse(u64 b) {
#ifdef __CUDA_ARCH__
    return __brevll(b);
#else
    b = (b >> 1 & 0x5555555555555555ull) | (b & 0x5555555555555555ull) << 1;
    b = (b >> 2 & 0x3333333333333333ull) | (b & 0x3333333333333333ull) << 2;
    b = (b >> 4 & 0x0f0f0f0f0f0f0f0full) | (b & 0x0f0f0f0f0f0f0f0full) << 4;
    return __builtin_bswap64(b);
#endif
}

/// Hashes a number with the finaliser of SplitMix64. Replaces tables of random keys.
HD u64 mix(u64 n) {
    n *= 0x9e3779b97f4a7c15ull;
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9ull;
    n = (n ^ n >> 27) * 0x94d049bb133111ebull;
    return n ^ n >> 31;
}

HD int min_of(int a, int b) { return a < b ? a : b; }
HD int max_of(int a, int b) { return a > b ? a : b; }

/// Adds to a counter shared by all games and returns its previous value.
HD u64 fetch_add(u64 *counter, u64 n) {
#ifdef __CUDA_ARCH__
    return atomicAdd((unsigned long long *)counter, (unsigned long long)n);
#else
    return __atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
#endif
}

/// Waits for the other threads of the warp, so that they run the following code together.
HD void synchronise_warp() {
#ifdef __CUDA_ARCH__
    __syncwarp();
#endif
}
