// The output layer for training, forward and backward. It needs two passes over the sums where PyTorch would need ten.
//
// The sums of the first layer are scaled as in the network file: 255 is 1.0. The backward pass overwrites them with their
// gradients.
#pragma once
#include "evaluate.h"

#include <cmath>

#ifdef __CUDACC__
#include <cuda_fp16.h>
using Value = __half;
HD float to_float(Value v) { return __half2float(v); }
HD Value to_value(float v) { return __float2half(v); }
#else
using Value = float;
HD float to_float(Value v) { return v; }
HD Value to_value(float v) { return v; }
#endif

/// The buffers of a batch. The view of the side to move comes first.
struct OutputLayer {
    i32 positions, width;
    float gradient_scale;
    Value *sums;                                     // [2][positions][width], replaced by their gradients
    const i64 *outputs;                              // the output of each position
    const float *targets;                            // between 0 and 1
    const float *first_bias;                         // [width], 255 is 1.0
    const float *weights, *biases;                   // [OUTPUTS][2 * width], [OUTPUTS]
    float *errors;                                   // [positions], squared
    float *slopes;                                   // [positions], d error / d output
    float *first_bias_gradients;                     // [width]; these three accumulate
    float *weight_gradients, *bias_gradients;        // [OUTPUTS][2 * width], [OUTPUTS]
};

HD float activation(float sum) {
    float active = sum * (1.0f / QA);
    return active < 0 ? 0 : active > 1 ? 1 : active;
}

HD float sigmoid(float output) { return 1 / (1 + expf(-output)); }

/// The error of a position's output, and its slope.
HD void compute_error(const OutputLayer &l, int i, float output) {
    float expected = sigmoid(output), difference = expected - l.targets[i];
    l.errors[i] = difference * difference;
    l.slopes[i] = 2 * difference * expected * (1 - expected) * l.gradient_scale;
}

/// The gradient of a sum with the given activation: zero where it is clipped.
HD float gradient(float active, float weight, float slope) {
    return active > 0 && active < 1 ? 2 * active * weight * slope : 0;
}

#ifdef __CUDACC__

/// One warp per position.
__global__ void forward_kernel(OutputLayer l) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= l.positions) return;
    int output = (int)l.outputs[i];
    float total = 0;
    for (int view = 0; view < 2; view++) {
        const __half2 *sums = (const __half2 *)(l.sums + ((u64)view * l.positions + i) * l.width);
        const float2 *weights = (const float2 *)(l.weights + (2 * output + view) * l.width);
        const float2 *bias = (const float2 *)l.first_bias;
#pragma unroll 4
        for (int k = lane; k < l.width / 2; k += 32) {
            float2 sum = __half22float2(sums[k]), b = bias[k], w = weights[k];
            float first = activation(sum.x + b.x), second = activation(sum.y + b.y);
            total += w.x * first * first + w.y * second * second;
        }
    }
    for (int distance = 16; distance; distance /= 2) total += __shfl_xor_sync(~0u, total, distance);
    if (lane == 0) compute_error(l, i, total + l.biases[output]);
}

const int COLUMN_PAIRS = 128, POSITIONS_A_BLOCK = 128, AT_ONCE = 8;

/// Each thread handles two columns for all positions of its block.
__global__ void __launch_bounds__(COLUMN_PAIRS) backward_kernel(OutputLayer l) {
    __shared__ float2 weights[OUTPUTS][COLUMN_PAIRS], gradients[OUTPUTS][COLUMN_PAIRS];
    int t = threadIdx.x, pair = blockIdx.x * COLUMN_PAIRS + t;
    if (pair >= l.width) return; // safe: the block has no barriers
    int view = pair / (l.width / 2), column = pair % (l.width / 2);
    for (int k = 0; k < OUTPUTS; k++) {
        weights[k][t] = ((const float2 *)(l.weights + 2 * k * l.width))[pair];
        gradients[k][t] = {0, 0};
    }
    float2 bias = ((const float2 *)l.first_bias)[column], bias_gradient = {0, 0};
    __half2 *sums = (__half2 *)(l.sums + (u64)view * l.positions * l.width);
    int first = blockIdx.y * POSITIONS_A_BLOCK, last = min_of(first + POSITIONS_A_BLOCK, l.positions);
    for (int start = first; start < last; start += AT_ONCE) {
        // Reads everything before writing: one wait for memory.
        __half2 sum[AT_ONCE];
        int output[AT_ONCE];
        float slope[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            int i = min_of(start + k, last - 1);
            sum[k] = sums[(u64)i * (l.width / 2) + column];
            output[k] = (int)l.outputs[i];
            slope[k] = l.slopes[i];
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; k++) {
            if (start + k >= last) break;
            float2 s = __half22float2(sum[k]), w = weights[output[k]][t];
            float one = activation(s.x + bias.x), two = activation(s.y + bias.y);
            float2 g = {gradient(one, w.x, slope[k]), gradient(two, w.y, slope[k])};
            sums[(u64)(start + k) * (l.width / 2) + column] = __floats2half2_rn(g.x, g.y);
            bias_gradient.x += g.x;
            bias_gradient.y += g.y;
            gradients[output[k]][t].x += slope[k] * one * one;
            gradients[output[k]][t].y += slope[k] * two * two;
        }
    }
    atomicAdd(l.first_bias_gradients + 2 * column, bias_gradient.x);
    atomicAdd(l.first_bias_gradients + 2 * column + 1, bias_gradient.y);
    for (int k = 0; k < OUTPUTS; k++) {
        float *to = l.weight_gradients + 2 * k * l.width + 2 * pair;
        atomicAdd(to, gradients[k][t].x);
        atomicAdd(to + 1, gradients[k][t].y);
    }
    if (pair == 0)
        for (int i = first; i < last; i++) atomicAdd(l.bias_gradients + l.outputs[i], l.slopes[i]);
}

inline void forward(const OutputLayer &l, void *stream) {
    forward_kernel<<<(l.positions + 7) / 8, 256, 0, (cudaStream_t)stream>>>(l);
}
inline void backward(const OutputLayer &l, void *stream) {
    dim3 blocks((l.width + COLUMN_PAIRS - 1) / COLUMN_PAIRS, (l.positions + POSITIONS_A_BLOCK - 1) / POSITIONS_A_BLOCK);
    backward_kernel<<<blocks, COLUMN_PAIRS, 0, (cudaStream_t)stream>>>(l);
}

#else

inline void forward(const OutputLayer &l, void *) {
    for (int i = 0; i < l.positions; i++) {
        float total = l.biases[l.outputs[i]];
        for (int view = 0; view < 2; view++) {
            const Value *sums = l.sums + ((u64)view * l.positions + i) * l.width;
            const float *weights = l.weights + (2 * l.outputs[i] + view) * l.width;
            for (int k = 0; k < l.width; k++) {
                float active = activation(to_float(sums[k]) + l.first_bias[k]);
                total += weights[k] * active * active;
            }
        }
        compute_error(l, i, total);
    }
}
inline void backward(const OutputLayer &l, void *) {
    for (int i = 0; i < l.positions; i++) {
        float slope = l.slopes[i];
        l.bias_gradients[l.outputs[i]] += slope;
        for (int view = 0; view < 2; view++) {
            Value *sums = l.sums + ((u64)view * l.positions + i) * l.width;
            u64 row = (2 * l.outputs[i] + view) * l.width;
            for (int k = 0; k < l.width; k++) {
                float active = activation(to_float(sums[k]) + l.first_bias[k]);
                float g = gradient(active, l.weights[row + k], slope);
                sums[k] = to_value(g);
                l.first_bias_gradients[k] += g;
                l.weight_gradients[row + k] += slope * active * active;
            }
        }
    }
}

#endif
