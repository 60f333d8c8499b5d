// SPDX-License-Identifier: Apache-2.0
// The operations that reduce rows, and reductions over the lanes of a warp and the warps of a block.
#pragma once

namespace kg {

struct Sum {
    template <class T>
    static KG_DEVICE T neutral() {
        return T(0);
    }
    template <class T>
    static KG_DEVICE T combine(T a, T b) {
        return a + b;
    }
};
struct Largest {
    template <class T>
    static KG_DEVICE T neutral() {
        return -infinity<T>;
    }
    template <class T>
    static KG_DEVICE T combine(T a, T b) {
        return maximum(a, b);
    }
};
struct Smallest {
    template <class T>
    static KG_DEVICE T neutral() {
        return infinity<T>;
    }
    template <class T>
    static KG_DEVICE T combine(T a, T b) {
        return minimum(a, b);
    }
};

/// The maximum of some values, and the sum of exp(value − maximum), which is 0 while all values are −∞.
template <class T>
struct Exponentials {
    T largest = -infinity<T>, sum = 0;
};
/// The sum, rescaled to a maximum `largest` that is at least its own (Milakov & Gimelshein 2018).
template <class T>
KG_DEVICE T scaled_sum(const Exponentials<T>& each, T largest) {
    return each.largest == -infinity<T> ? T(0) : each.sum * exp(each.largest - largest);
}
struct SumOfExponentials {
    template <class E>
    static KG_DEVICE E neutral() {
        return {};
    }
    template <class T>
    static KG_DEVICE Exponentials<T> combine(const Exponentials<T>& a, const Exponentials<T>& b) {
        const T largest = maximum(a.largest, b.largest);
        return {largest, scaled_sum(a, largest) + scaled_sum(b, largest)};
    }
};
template <class T>
KG_DEVICE void store_in_block(Exponentials<T>* place, int rank, const Exponentials<T>& value) {
    store_in_block(&place->largest, rank, value.largest);
    store_in_block(&place->sum, rank, value.sum);
}

/// Reduces over `count` neighbouring lanes, a power of two; all of them get the same bits.
template <class Operation, class T>
KG_DEVICE T over_lanes(T value, int count) {
    KG_UNROLL
    for (int mask = count / 2; mask > 0; mask /= 2) value = Operation::combine(value, from_lane_xor(value, mask));
    return value;
}

/// First reduces the maximum, so that every sum is rescaled once.
template <class Operation, class T>
KG_DEVICE Exponentials<T> over_lanes(const Exponentials<T>& value, int count) {
    const T largest = over_lanes<Largest>(value.largest, count);
    return {largest, over_lanes<Sum>(scaled_sum(value, largest), count)};
}

/// Reduces `value` over all threads of a block of complete warps; every thread gets the result.
template <class Operation, class T>
KG_DEVICE T over_block(T value) {
    struct Partials {
        T of[32];
    };
    Partials& partials = in_shared_memory<Partials>();
    const int lane = thread_index() % 32, warps = block_size() / 32;
    value = over_lanes<Operation>(value, 32);
    block_barrier();  // for whoever still reads an earlier result
    if (lane == 0) partials.of[thread_index() / 32] = value;
    block_barrier();
    return over_lanes<Operation>(lane < warps ? partials.of[lane] : Operation::template neutral<T>(), 32);
}
template <class T>
KG_DEVICE T block_sum(T value) {
    return over_block<Sum>(value);
}
template <class T>
KG_DEVICE T block_max(T value) {
    return over_block<Largest>(value);
}
template <class T>
KG_DEVICE T block_min(T value) {
    return over_block<Smallest>(value);
}

}  // namespace kg
