// SPDX-License-Identifier: Apache-2.0
// Which weights of attention are dropped: the same ones in every language, by a generator that counts (Philox4x32-10,
// Salmon, Moraes, Dror, Shaw 2011). For kernels of the host and of CUDA.
#pragma once

#if defined(KG_DEVICE)
#define KG_DROPOUT KG_DEVICE
#else
#include "kernelgen/types.h"
#define KG_DROPOUT KG_INLINE
#endif

namespace kg {

/// A share of the weights of a head, of which `threshold` / 2^32 are dropped, and the others multiplied by `factor`.
template <class T>
struct Dropout {
    uint64_t seed;
    uint32_t threshold, batch, head;
    T factor;

    /// The random words of columns 4 · group to 4 · group + 3 of a row.
    KG_DROPOUT void words(uint32_t row, uint32_t group, uint32_t (&word)[4]) const {
        uint32_t low_key = static_cast<uint32_t>(seed), high_key = static_cast<uint32_t>(seed >> 32);
        word[0] = group, word[1] = row, word[2] = head, word[3] = batch;
        for (int round = 0; round < 10; ++round) {
            const uint64_t first = 0xD2511F53ull * word[0], second = 0xCD9E8D57ull * word[2];
            word[0] = static_cast<uint32_t>(second >> 32) ^ word[1] ^ low_key;
            word[1] = static_cast<uint32_t>(second);
            word[2] = static_cast<uint32_t>(first >> 32) ^ word[3] ^ high_key;
            word[3] = static_cast<uint32_t>(first);
            low_key += 0x9E3779B9u;
            high_key += 0xBB67AE85u;
        }
    }

    /// The weight at row i and column j: 0 where it is dropped.
    KG_DROPOUT T keep(int64_t i, int64_t j, T weight) const {
        uint32_t word[4];
        words(static_cast<uint32_t>(i), static_cast<uint32_t>(j / 4), word);
        return word[j % 4] < threshold ? T(0) : weight * factor;
    }
    /// The same for `count` columns from j on, in memory.
    KG_DROPOUT void keep_all(int64_t i, int64_t j, int64_t count, T* weights) const {
        uint32_t word[4];
        for (int64_t n = 0; n < count; ++n) {
            if (n == 0 || (j + n) % 4 == 0) words(static_cast<uint32_t>(i), static_cast<uint32_t>((j + n) / 4), word);
            weights[n] = word[(j + n) % 4] < threshold ? T(0) : weights[n] * factor;
        }
    }
};

/// All weights are kept.
struct NoDropout {
    template <class T>
    KG_DROPOUT T keep(int64_t, int64_t, T weight) const {
        return weight;
    }
    template <class T>
    KG_DROPOUT void keep_all(int64_t, int64_t, int64_t, T*) const {}
};

}  // namespace kg
