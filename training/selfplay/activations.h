// The activations of the first layer, for training networks with hidden layers: what PyTorch would compute in ten passes over
// the sums takes one, forward and backward.
//
// The sums are scaled as in the network file: 255 is 1.0. The backward pass overwrites them with their gradients.
#pragma once
#include "output_layer.h"

/// The buffers of a batch. The view of the side to move comes first.
struct Activations {
    i32 positions, width;
    Value *sums;            // [2][positions][width], replaced by their gradients
    const float *bias;      // [width], 255 is 1.0
    Value *squares;         // [positions][2 * width], squared activations: 1 is 1.0
    Value *bytes;           // the same, rounded down as the hidden layers see them: 127 is 1.0
    const Value *gradients; // of the squares
};

const int BYTE_SHIFT = 9; // 255 * 255 becomes 127

/// Number `n` of the sums: its place among the squares, and its bias.
HD u64 square_place(const Activations &a, u64 n, float &bias) {
    u64 view = n / ((u64)a.positions * a.width), rest = n % ((u64)a.positions * a.width);
    u64 column = rest % a.width;
    bias = a.bias[column];
    return (rest / a.width * 2 + view) * a.width + column;
}

HD void activate_one(const Activations &a, u64 n) {
    float bias;
    u64 place = square_place(a, n, bias);
    int active = max_of(0, min_of((int)(to_float(a.sums[n]) + bias), QA)); // sums and biases are integers
    float part = active * (1.0f / QA);
    a.squares[place] = to_value(part * part);
    a.bytes[place] = to_value((float)(active * active >> BYTE_SHIFT));
}

HD void activation_gradient_one(const Activations &a, u64 n) {
    float bias;
    u64 place = square_place(a, n, bias);
    a.sums[n] = to_value(gradient(activation(to_float(a.sums[n]) + bias), to_float(a.gradients[place]), 1));
}

#ifdef __CUDACC__

__global__ void activate_kernel(Activations a) {
    u64 n = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (n < 2ull * a.positions * a.width) activate_one(a, n);
}
__global__ void activation_gradient_kernel(Activations a) {
    u64 n = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    if (n < 2ull * a.positions * a.width) activation_gradient_one(a, n);
}

inline void activate(const Activations &a, void *stream) {
    u64 blocks = (2ull * a.positions * a.width + 255) / 256;
    activate_kernel<<<blocks, 256, 0, (cudaStream_t)stream>>>(a);
}
inline void activation_gradients(const Activations &a, void *stream) {
    u64 blocks = (2ull * a.positions * a.width + 255) / 256;
    activation_gradient_kernel<<<blocks, 256, 0, (cudaStream_t)stream>>>(a);
}

#else

inline void activate(const Activations &a, void *) {
    for (u64 n = 0; n < 2ull * a.positions * a.width; n++) activate_one(a, n);
}
inline void activation_gradients(const Activations &a, void *) {
    for (u64 n = 0; n < 2ull * a.positions * a.width; n++) activation_gradient_one(a, n);
}

#endif
