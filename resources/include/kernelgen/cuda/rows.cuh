// SPDX-License-Identifier: Apache-2.0
// Where something is reduced: whole rows. A row is shared out among warps of a block, and a long one among the blocks
// of a cluster, each of which has a part of its columns. What fits is read once and held; longer rows are read again in
// every pass.
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

/// Among neighbouring lanes, `count` a power of two; every one of them gets the same bits.
template <class Operation, int count, class T>
KG_DEVICE T over_lanes(T value) {
    KG_UNROLL
    for (int mask = count / 2; mask > 0; mask /= 2) value = Operation::combine(value, from_lane_xor(value, mask));
    return value;
}

/// `value` of all threads of a block, of which there are whole warps; every thread gets it.
template <class Operation, class T>
KG_DEVICE T over_block(T value) {
    struct Partials {
        T of[32];
    };
    Partials& partials = in_shared_memory<Partials>();
    const int lane = thread_index() % 32, warps = block_size() / 32;
    value = over_lanes<Operation, 32>(value);
    block_barrier();  // for whoever still reads an earlier result
    if (lane == 0) partials.of[thread_index() / 32] = value;
    block_barrier();
    return over_lanes<Operation, 32>(lane < warps ? partials.of[lane] : Operation::template neutral<T>());
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

template <class T, int block_m, int block_n, int warps, int cluster, int vec, int load_cache, int store_cache>
class Rows {
    static constexpr int pack = pack_size<vec>;
    static constexpr int row_warps = warps / block_m;
    static constexpr int row_threads = 32 * row_warps;
    static constexpr int packs = ceiling(block_n, row_threads* pack);
    static constexpr int step = row_threads * pack;  // columns between packs of a thread
    static_assert(warps % block_m == 0, "BLOCK_M must divide num_warps");

    /// Partial results of the warps of a cluster; two, so that one barrier a reduction is enough.
    struct Partials {
        T of[2][block_m][cluster * row_warps];
    };

    /// A thread's part of up to `step * packs` columns: from where, and how many are left from there.
    struct Chunk {
        int64_t first, left;
        bool aligned;
    };

    template <class S>
    struct HeldInput {
        Pack<S, pack> part[packs];

        KG_DEVICE void load(const S* row, const Chunk& chunk, bool aligned) {
            KG_UNROLL
            for (int p = 0; p < packs; ++p) {
                const S* const from = row + chunk.first + p * step;
                const int64_t left = chunk.left - p * step;
                if (aligned && left >= pack) part[p].template load<load_cache>(from);
                else part[p].load_some(from, static_cast<int>(clamp_to(left, 0, pack)));
            }
        }
        KG_DEVICE T value(int p, int e) const { return part[p].template value<T>(e); }
        KG_DEVICE const HeldInput& of(const Chunk&) const { return *this; }
    };

    /// Of a row that is too long to be held: read when a pass comes there.
    template <class S>
    struct PassingInput {
        const S* row;
        bool aligned;

        KG_DEVICE HeldInput<S> of(const Chunk& chunk) const {
            HeldInput<S> held;
            held.load(row, chunk, aligned);
            return held;
        }
    };

    struct HeldValues {
        T values[packs][pack];

        KG_DEVICE T value(int p, int e) const { return values[p][e]; }
        KG_DEVICE const HeldValues& of(const Chunk&) const { return *this; }
    };

    /// Values that are computed again in every pass.
    template <class F, class... Inputs>
    struct PassingValues {
        F f;
        List<Inputs...> inputs;

        template <class Held>
        struct OfChunk {
            const F& f;
            Held held;
            KG_DEVICE T value(int p, int e) const {
                return held.apply([&](const auto&... each) { return f(each.value(p, e)...); });
            }
        };
        KG_DEVICE auto of(const Chunk& chunk) const {
            return inputs.apply([&](const auto&... each) {
                using Held = decltype(list(each.of(chunk)...));
                return OfChunk<Held>{f, list(each.of(chunk)...)};
            });
        }
    };

    /// Where a block stands: which rows it has and which part of their columns.
    struct Share {
        int64_t group;    // rows group * block_m and on
        int rank, ranks;  // among the blocks that share these rows
    };

public:
    /// A row at work: what the body of `for_each` computes with.
    template <bool held>
    class Row {
    public:
        KG_DEVICE Row(int64_t rows, int64_t columns, const Share& share)
            : rank_(share.rank), ranks_(share.ranks), rows_(rows) {
            const int thread = thread_index() % row_threads;
            index_ = share.group * block_m + thread_index() / row_threads;
            const int64_t packs_in_row = (columns + pack - 1) / pack;
            const int64_t part = (packs_in_row + ranks_ - 1) / ranks_ * pack;
            const int64_t first = part * rank_, last = first + part < columns ? first + part : columns;
            first_ = first + thread * pack;
            chunks_ = held ? 1 : static_cast<int>((part + block_n - 1) / block_n);
            left_ = index_ < rows ? last - first_ : 0;
            aligned_ = columns % pack == 0;
        }

        KG_DEVICE int64_t index() const { return index_; }

        /// A row of an input, from its first element.
        template <class S>
        KG_DEVICE auto load(const S* row) const {
            const bool aligned = aligned_for<S>(row);
            if constexpr (held) {
                HeldInput<S> input;
                input.load(row, chunk(0), aligned);
                return input;
            } else {
                return PassingInput<S>{row, aligned};
            }
        }
        /// An element that belongs to the row.
        template <class S>
        KG_DEVICE T load_value(const S* place) const {
            return index_ < rows_ ? load_one<T>(place) : T(0);
        }

        /// f of the inputs' elements in every column, for several passes: held as well where the row is.
        template <class F, class... Inputs>
        KG_DEVICE auto keep(const F& f, const Inputs&... inputs) const {
            if constexpr (held) {
                HeldValues kept;
                KG_UNROLL
                for (int p = 0; p < packs; ++p) {
                    KG_UNROLL
                    for (int e = 0; e < pack; ++e) kept.values[p][e] = f(inputs.value(p, e)...);
                }
                return kept;
            } else {
                return PassingValues<F, Inputs...>{f, list(inputs...)};
            }
        }

        /// f of the inputs' elements, over all columns.
        template <class F, class... Inputs>
        KG_DEVICE T sum(const F& f, const Inputs&... inputs) {
            return reduce<Sum>(f, inputs...);
        }
        template <class F, class... Inputs>
        KG_DEVICE T max(const F& f, const Inputs&... inputs) {
            return reduce<Largest>(f, inputs...);
        }
        template <class F, class... Inputs>
        KG_DEVICE T min(const F& f, const Inputs&... inputs) {
            return reduce<Smallest>(f, inputs...);
        }

        /// f of the inputs' elements, to a row of an output.
        template <class S, class F, class... Inputs>
        KG_DEVICE void store(S* row, const F& f, const Inputs&... inputs) const {
            const bool aligned = aligned_for<S>(row);
            for (int c = 0; c < chunks_; ++c) store_chunk(row, chunk(c), aligned, f, inputs.of(chunk(c))...);
        }
        template <class S>
        KG_DEVICE void store_value(S* place, T value) const {
            const bool first = rank_ == 0 && thread_index() % row_threads == 0;
            if (first && index_ < rows_) *place = to_storage<S>(value);
        }

    private:
        template <class S>
        KG_DEVICE bool aligned_for(const S* row) const {
            return aligned_ && is_aligned(row, Pack<S, pack>::alignment);
        }
        KG_DEVICE Chunk chunk(int number) const {
            const int64_t offset = int64_t(number) * block_n;
            const int64_t left = left_ - offset, own = block_n - thread_index() % row_threads * pack;
            return {first_ + offset, left < own ? left : own, aligned_};
        }

        template <class S, class F, class... Held>
        static KG_DEVICE void store_chunk(S* row, const Chunk& chunk, bool aligned, const F& f,
                                          const Held&... held_inputs) {
            KG_UNROLL
            for (int p = 0; p < packs; ++p) {
                const int64_t left = chunk.left - p * step;
                if (left <= 0) continue;
                T values[pack];
                KG_UNROLL
                for (int e = 0; e < pack; ++e) values[e] = f(held_inputs.value(p, e)...);
                Pack<S, pack> packed;
                packed.set(values);
                S* const to = row + chunk.first + p * step;
                if (aligned && left >= pack) packed.template store<store_cache>(to);
                else packed.store_some(to, static_cast<int>(clamp_to(left, 0, pack)));
            }
        }

        template <class Operation, class F, class... Inputs>
        KG_DEVICE T reduce(const F& f, const Inputs&... inputs) {
            T total = Operation::template neutral<T>();
            for (int c = 0; c < chunks_; ++c) {
                const Chunk at = chunk(c);
                total = Operation::combine(total, reduce_chunk<Operation>(at, f, inputs.of(at)...));
            }
            return over_row<Operation>(total);
        }

        template <class Operation, class F, class... Held>
        static KG_DEVICE T reduce_chunk(const Chunk& chunk, const F& f, const Held&... held_inputs) {
            T total = Operation::template neutral<T>();
            KG_UNROLL
            for (int p = 0; p < packs; ++p) {
                const int64_t left = chunk.left - p * step;
                if (left <= 0) continue;
                T values[pack];
                if (left >= pack) {
                    KG_UNROLL
                    for (int e = 0; e < pack; ++e) values[e] = f(held_inputs.value(p, e)...);
                } else {
                    KG_UNROLL
                    for (int e = 0; e < pack; ++e)
                        values[e] = e < left ? f(held_inputs.value(p, e)...) : Operation::template neutral<T>();
                }
                // In pairs, then pairs of those: fewer steps that wait for one another, and a smaller error.
                KG_UNROLL
                for (int width = pack / 2; width > 0; width /= 2) {
                    KG_UNROLL
                    for (int e = 0; e < width; ++e) values[e] = Operation::combine(values[e], values[e + width]);
                }
                total = Operation::combine(total, values[0]);
            }
            return total;
        }

        /// From every thread's own part to the whole row's value, the same bits in every thread.
        template <class Operation>
        KG_DEVICE T over_row(T own) {
            own = over_lanes<Operation, 32>(own);
            if (row_warps == 1 && (cluster == 1 || ranks_ == 1)) return own;
            auto& partials = in_shared_memory<Partials>().of[reductions_++ % 2][thread_index() / row_threads];
            const int lane = thread_index() % 32, warp = thread_index() % row_threads / 32;
            if (cluster > 1 && ranks_ > 1) {
                if (reductions_ == 1) cluster_wait();  // for all blocks to have begun
                if (lane < ranks_) store_in_block(&partials[rank_ * row_warps + warp], own_rank_base() + lane, own);
                cluster_arrive();
                cluster_wait();
                return over_partials<Operation>(partials, ranks_ * row_warps);
            }
            if (lane == 0) partials[warp] = own;
            block_barrier();
            return over_lanes<Operation, row_warps>(partials[lane % row_warps]);
        }
        KG_DEVICE int own_rank_base() const { return static_cast<int>(block_index() % cluster) / ranks_ * ranks_; }

        template <class Operation>
        static KG_DEVICE T over_partials(const T* partials, int count) {
            const int lane = thread_index() % 32;
            if (count <= 32) {
                T value = partials[lane % count];
                for (int mask = count / 2; mask > 0; mask /= 2)
                    value = Operation::combine(value, from_lane_xor(value, mask));
                return value;
            }
            T value = partials[lane];
            for (int i = 32; i < count; i += 32) value = Operation::combine(value, partials[lane + i]);
            return over_lanes<Operation, 32>(value);
        }

        int rank_, ranks_, chunks_, reductions_ = 0;
        int64_t rows_, index_;
        int64_t first_, left_;  // of the thread's own columns
        bool aligned_;
    };

    /// Calls body(row) for BLOCK_M rows. The blocks of a cluster share a row as few as can hold it; where it is too
    /// long for all of them it is held nowhere.
    template <class Body>
    static KG_DEVICE void for_each(int64_t rows, int64_t columns, const Body& body) {
        int ranks = 1;
        while (ranks < cluster && int64_t(ranks) * block_n < columns) ranks *= 2;
        Share share = {int64_t(block_index() / static_cast<unsigned>(ranks)),
                       static_cast<int>(block_index() % static_cast<unsigned>(ranks)), ranks};
        const bool fits = int64_t(ranks) * block_n >= columns;
        if (cluster > 1 && !has_clusters && ranks > 1) {
            if (share.rank != 0) return;
            share.ranks = 1;
            return walk<false>(rows, columns, share, body);
        }
        if (cluster > 1 && ranks > 1) cluster_arrive();
        if (fits) walk<true>(rows, columns, share, body);
        else walk<false>(rows, columns, share, body);
    }

private:
    template <bool held, class Body>
    static KG_DEVICE void walk(int64_t rows, int64_t columns, const Share& share, const Body& body) {
        Row<held> row(rows, columns, share);
        body(row);
    }
};

}  // namespace kg
