// SPDX-License-Identifier: Apache-2.0
// What rows are reduced by, and how among the lanes of a warp and the warps of a block.
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

/// The largest of some values, and the sum of exp(value − the largest), 0 as long as all are −∞.
template <class T>
struct Exponentials {
    T largest = -infinity<T>, sum = 0;
};
/// Its sum where `largest`, at least its own, is the largest (Milakov & Gimelshein 2018).
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

/// Among neighbouring lanes, `count` a power of two; every one of them gets the same bits.
template <class Operation, class T>
KG_DEVICE T over_lanes(T value, int count) {
    KG_UNROLL
    for (int mask = count / 2; mask > 0; mask /= 2) value = Operation::combine(value, from_lane_xor(value, mask));
    return value;
}

/// The largest comes first, so that every sum is scaled once.
template <class Operation, class T>
KG_DEVICE Exponentials<T> over_lanes(const Exponentials<T>& value, int count) {
    const T largest = over_lanes<Largest>(value.largest, count);
    return {largest, over_lanes<Sum>(scaled_sum(value, largest), count)};
}

/// `value` of all threads of a block, of which there are whole warps; every thread gets it.
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
