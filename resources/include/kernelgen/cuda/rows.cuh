// SPDX-License-Identifier: Apache-2.0
// Whole rows, for bodies with reductions. A row is divided among warps of a block; a long row among the blocks of a
// cluster, each of which has a part of the columns. Rows that fit are read once and held; longer rows are read again in
// every pass.
#pragma once

namespace kg {

/// A block has `stages` rows in flight. In registers: the present row and the next one. In shared memory (where `hold`,
/// the bytes for each column there, is at least an element's size): the rows after the present one.
template <class T, int block_m, int block_n, int warps, int stages, int cluster, int hold, bool persistent, int vec,
          int load_cache, int store_cache>
class Rows {
    static constexpr int pack = pack_size<vec>;
    static constexpr int row_warps = warps / block_m;
    static constexpr int row_threads = 32 * row_warps;
    static constexpr int packs = ceiling(block_n, row_threads* pack);
    static constexpr int step = row_threads * pack;  // columns between packs of a thread
    static_assert(warps % block_m == 0, "BLOCK_M must divide num_warps");

    /// How a row is read. `held`: once, into registers or shared memory, in complete packs. `whole`: as `held`, and the
    /// row fills all the space for held columns. `passing`: by every pass; for rows that are too long to hold, or whose
    /// length is not a multiple of the pack.
    enum Reading { passing, held, whole };
    template <Reading reading>
    static constexpr int packs_in = reading == passing ? smaller_of(packs, 2) : packs;
    template <Reading reading>
    static constexpr int chunk_columns = reading == passing ? packs_in<reading>* step : block_n;

    /// Partial results of the warps of a cluster; two sets, so that one barrier for each reduction is enough.
    template <class Value>
    struct Partials {
        Value of[2][block_m][cluster * row_warps];
    };

    /// A thread's part of the columns that are read at a time.
    template <Reading reading>
    struct Chunk {
        int64_t first;  // column
        int left;       // columns from there

        /// The number of elements of pack p that are in the row.
        KG_DEVICE int valid(int p) const {
            if constexpr (reading == whole && block_n == packs * step) return pack;
            else if constexpr (reading != passing) return left > p * step ? pack : 0;
            else return smaller_of(left - p * step, pack);
        }
    };

    template <class S, int cache, Reading reading>
    static KG_DEVICE Pack<S, pack> loaded(const S* row, bool aligned, const Chunk<reading>& chunk, int p) {
        Pack<S, pack> result;
        const S* const from = row + chunk.first + p * step;
        const int valid = chunk.valid(p);
        if (valid == pack && (aligned || reading != passing)) result.template load<cache>(from);
        else result.load_some(from, reading == passing ? valid : 0);
        return result;
    }

    template <class S, int count>
    struct InRegisters {
        Pack<S, pack> part[count];

        template <int cache, class C>
        KG_DEVICE void load(const S* row, bool aligned, const C& chunk) {
            KG_UNROLL
            for (int p = 0; p < count; ++p) part[p] = loaded<S, cache>(row, aligned, chunk, p);
        }
        KG_DEVICE const Pack<S, pack>& at(int p) const { return part[p]; }
        template <class C>
        KG_DEVICE const InRegisters& of(const C&) const {
            return *this;
        }
    };

    /// Each thread uses only its own packs in the block's shared memory, so no barrier is needed.
    template <class S>
    struct InSharedMemory {
        Pack<S, pack>* own;

        template <class C>
        KG_DEVICE void begin_to_load(const S* row, const C& chunk) const {
            constexpr int at_once = Pack<S, pack>::alignment;
            KG_UNROLL
            for (int p = 0; p < packs; ++p) {
                if (chunk.valid(p) <= 0) continue;
                const char* const from = reinterpret_cast<const char*>(row + chunk.first + p * step);
                KG_UNROLL
                for (int i = 0; i < Pack<S, pack>::bytes; i += at_once)
                    copy_to_shared<at_once>(reinterpret_cast<char*>(slot(p)) + i, from + i);
            }
        }
        KG_DEVICE Pack<S, pack>* slot(int p) const { return own + p * block_m * row_threads; }
        KG_DEVICE InRegisters<S, packs> in_registers() const {
            InRegisters<S, packs> copy;
            KG_UNROLL
            for (int p = 0; p < packs; ++p) copy.part[p] = at(p);
            return copy;
        }
        KG_DEVICE const Pack<S, pack>& at(int p) const { return *slot(p); }
        template <class C>
        KG_DEVICE const InSharedMemory& of(const C&) const {
            return *this;
        }
    };
    template <class S>
    static constexpr bool fits_in_shared = sizeof(S) <= hold&& Pack<S, pack>::bytes >= 4 && block_n == packs* step;

    /// An input's row that is too long to hold: each pass reads it chunk by chunk.
    template <class S>
    struct Passing {
        const S* row;
        bool aligned;

        template <class C>
        KG_DEVICE auto of(const C& chunk) const {
            InRegisters<S, packs_in<passing>> part;
            part.template load<load_cache>(row, aligned, chunk);
            return part;
        }
    };

    /// An input's row that all rows share: it stays in near caches and is read where it is used.
    template <class S>
    struct Shared {
        const S* row;
        bool aligned;

        template <class C>
        struct OfChunk {
            const S* row;
            bool aligned;
            C chunk;
            KG_DEVICE Pack<S, pack> at(int p) const { return loaded<S, cache_default>(row, aligned, chunk, p); }
        };
        template <class C>
        KG_DEVICE OfChunk<C> of(const C& chunk) const {
            return {row, aligned, chunk};
        }
    };

    struct KeptPack {
        T values[pack];
        template <class>
        KG_DEVICE T value(int e) const {
            return values[e];
        }
    };
    struct Kept {
        KeptPack part[packs];

        KG_DEVICE const KeptPack& at(int p) const { return part[p]; }
        template <class C>
        KG_DEVICE const Kept& of(const C&) const {
            return *this;
        }
    };

    /// Values that every pass computes again.
    template <class F, class... Inputs>
    struct Recomputed {
        F f;
        List<Inputs...> inputs;

        template <class Packs>
        struct AtPack {
            const F& f;
            Packs packs_of_inputs;
            template <class>
            KG_DEVICE T value(int e) const {
                return packs_of_inputs.apply([&](const auto&... each) { return f(each.template value<T>(e)...); });
            }
        };
        template <class Chunks>
        struct OfChunk {
            const F& f;
            Chunks chunks;
            KG_DEVICE auto at(int p) const {
                return chunks.apply([&](const auto&... each) {
                    using Packs = decltype(list(each.at(p)...));
                    return AtPack<Packs>{f, list(each.at(p)...)};
                });
            }
        };
        template <class C>
        KG_DEVICE auto of(const C& chunk) const {
            return inputs.apply([&](const auto&... each) {
                using Chunks = decltype(list(each.of(chunk)...));
                return OfChunk<Chunks>{f, list(each.of(chunk)...)};
            });
        }
    };

    /// The block's share of the work: its rank among the blocks that share rows, which selects its rows and its part of
    /// their columns.
    struct Share {
        int rank, ranks, ranks_log;  // among the blocks that share rows, of which there are 2^ranks_log
    };

public:
    /// The present row, with which the body of `for_each` computes.
    template <Reading reading>
    class Row {
    public:
        KG_DEVICE Row(int64_t rows, int64_t columns, bool aligned, const Share& share)
            : share_(share), rows_(rows), aligned_(aligned) {
            const int64_t packs_in_row = (columns + pack - 1) / pack;
            const int64_t part = ((packs_in_row + share.ranks - 1) >> share.ranks_log) * pack;
            first_ = part * share.rank;
            count_ = first_ >= columns ? 0 : part < columns - first_ ? part : columns - first_;
            constexpr int at_once = chunk_columns<reading>;
            chunks_ = reading != passing ? 1 : static_cast<int>((part + at_once - 1) / at_once);
        }

        KG_DEVICE int64_t index() const { return index_; }

        /// An element of the row.
        template <class S>
        KG_DEVICE T load_value(const S* place) const {
            return exists_ ? load_one<T>(place) : T(0);
        }

        /// f of the inputs' elements in every column, for use in several passes. It is held, unless it is cheap to
        /// compute.
        template <class F, class... Inputs>
        KG_DEVICE auto keep(const F& f, const Inputs&... inputs) const {
            if constexpr (reading == passing || is_brief) return Recomputed<F, Inputs...>{f, list(inputs...)};
            else return kept(f, inputs.of(chunk(0))...);
        }

        /// Reduces f of the inputs' elements over all columns.
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

        /// As `max`, for a later `sum_of_exp`: also computes the sum of exp(f − maximum). Both come from one pass and
        /// one reduction. In the pass a thread rescales its sum whenever a larger value comes.
        template <class F, class... Inputs>
        KG_DEVICE T max_before_exp(const F& f, const Inputs&... inputs) {
            Exponentials<T> own;
            for (int c = 0; c < chunks_; ++c) add_exponentials(own, chunk(c), f, inputs.of(chunk(c))...);
            own = over_row<SumOfExponentials>(own);
            sum_of_exp_ = own.largest == -infinity<T> ? not_a_number<T> : own.sum;
            return own.largest;
        }
        KG_DEVICE T sum_of_exp() const { return sum_of_exp_; }

        /// Stores f of the inputs' elements to a row of an output.
        template <class S, class F, class... Inputs>
        KG_DEVICE void store(S* row, const F& f, const Inputs&... inputs) const {
            for (int c = 0; c < chunks_; ++c) store_chunk(row, aligned_, chunk(c), f, inputs.of(chunk(c))...);
        }
        template <class S>
        KG_DEVICE void store_value(S* place, T value) const {
            const bool first = share_.rank == 0 && thread_index() % row_threads == 0;
            if (first && exists_) *place = to_storage<S>(value);
        }

    private:
        friend Rows;

        /// A group is BLOCK_M rows.
        static KG_DEVICE int64_t row_of(int64_t group) { return group * block_m + thread_index() / row_threads; }
        KG_DEVICE void move_to(int64_t group) {
            index_ = row_of(group);
            exists_ = index_ < rows_;
        }
        KG_DEVICE Chunk<reading> chunk(int number) const { return chunk(number, exists_); }
        KG_DEVICE Chunk<reading> chunk(int number, bool exists) const {
            constexpr int at_once = chunk_columns<reading>;
            const int64_t offset = int64_t(number) * at_once, left = exists ? count_ - offset : 0;
            const int own = thread_index() % row_threads * pack;
            return {first_ + offset + own, (left < at_once ? static_cast<int>(left) : at_once) - own};
        }

        template <class F, class... Chunks>
        static KG_DEVICE Kept kept(const F& f, const Chunks&... chunks) {
            Kept result;
            KG_UNROLL
            for (int p = 0; p < packs; ++p) values_of(result.part[p].values, f, chunks.at(p)...);
            return result;
        }
        template <class F, class... Packs>
        static KG_DEVICE void values_of(T* values, const F& f, const Packs&... each) {
            KG_UNROLL
            for (int e = 0; e < pack; ++e) values[e] = f(each.template value<T>(e)...);
        }

        template <class S, class F, class... Chunks>
        static KG_DEVICE void store_chunk(S* row, bool aligned, const Chunk<reading>& chunk, const F& f,
                                          const Chunks&... chunks) {
            KG_UNROLL
            for (int p = 0; p < packs_in<reading>; ++p) {
                const int valid = chunk.valid(p);
                if (valid <= 0) continue;
                T values[pack];
                values_of(values, f, chunks.at(p)...);
                Pack<S, pack> packed;
                packed.set(values);
                S* const to = row + chunk.first + p * step;
                if (valid == pack && (aligned || reading != passing)) packed.template store<store_cache>(to);
                else if (reading == passing) packed.store_some(to, valid);
            }
        }

        template <class Operation, class F, class... Inputs>
        KG_DEVICE T reduce(const F& f, const Inputs&... inputs) {
            T total = Operation::template neutral<T>();
            for (int c = 0; c < chunks_; ++c)
                total = Operation::combine(total, over_chunk<Operation>(chunk(c), f, inputs.of(chunk(c))...));
            return over_row<Operation>(total);
        }
        template <class Operation, class F, class... Chunks>
        static KG_DEVICE T over_chunk(const Chunk<reading>& chunk, const F& f, const Chunks&... chunks) {
            T total = Operation::template neutral<T>();
            KG_UNROLL
            for (int p = 0; p < packs_in<reading>; ++p) {
                const int valid = chunk.valid(p);
                if (valid <= 0) continue;
                T values[pack];
                values_of(values, f, chunks.at(p)...);
                total = Operation::combine(total, over_pack<Operation>(values, valid));
            }
            return total;
        }
        /// Reduces the first `valid` values in pairs, then pairs of pairs: fewer dependent steps and a smaller error.
        template <class Operation>
        static KG_DEVICE T over_pack(T* values, int valid) {
            if (reading == passing && valid < pack) {
                KG_UNROLL
                for (int e = 0; e < pack; ++e) values[e] = e < valid ? values[e] : Operation::template neutral<T>();
            }
            KG_UNROLL
            for (int width = pack / 2; width > 0; width /= 2) {
                KG_UNROLL
                for (int e = 0; e < width; ++e) values[e] = Operation::combine(values[e], values[e + width]);
            }
            return values[0];
        }

        template <class F, class... Chunks>
        static KG_DEVICE void add_exponentials(Exponentials<T>& own, const Chunk<reading>& chunk, const F& f,
                                               const Chunks&... chunks) {
            const T largest = maximum(own.largest, over_chunk<Largest>(chunk, f, chunks...));
            if (largest == -infinity<T>) return;
            const auto exponential = [&](auto... x) { return exp(f(x...) - largest); };
            own = {largest, own.sum * exp(own.largest - largest) + over_chunk<Sum>(chunk, exponential, chunks...)};
        }

        /// Combines the threads' partial results to the result of the whole row; every thread gets the same bits.
        template <class Operation, class Value>
        KG_DEVICE Value over_row(Value own) {
            own = over_lanes<Operation>(own, 32);
            const bool alone = cluster == 1 || share_.ranks == 1;
            if (row_warps == 1 && alone) return own;
            Value* const partials = in_shared_memory<Partials<Value>>().of[reductions_++ % 2][thread_index() / row_threads];
            const int lane = thread_index() % 32, warp = thread_index() % row_threads / 32;
            if (alone) {
                if (lane == 0) partials[warp] = own;
                block_barrier();
                return over_lanes<Operation>(partials[lane % row_warps], row_warps);
            }
            if (reductions_ == 1) cluster_wait();  // for all blocks to have begun
            const int first_rank = static_cast<int>(block_index() % cluster) - share_.rank;
            if (lane < share_.ranks) store_in_block(&partials[share_.rank * row_warps + warp], first_rank + lane, own);
            cluster_arrive();
            cluster_wait();
            return over_partials<Operation>(partials, share_.ranks * row_warps);
        }
        template <class Operation, class Value>
        static KG_DEVICE Value over_partials(const Value* partials, int count) {
            const int lane = thread_index() % 32;
            Value value = partials[lane % smaller_of(count, 32)];
            for (int i = 32; i < count; i += 32) value = Operation::combine(value, partials[lane + i]);
            return over_lanes<Operation>(value, smaller_of(count, 32));
        }

        Share share_;
        int64_t rows_, index_ = 0, first_, count_;  // of the space; the row; the block's first column and how many
        int chunks_, reductions_ = 0;
        bool exists_ = true, aligned_;
        T sum_of_exp_ = 0;
    };

    /// Calls body(row, arrays of the inputs of reads(i)…, arrays of the inputs `same`…) for rows i of the space.
    /// `reads(i)` returns the rows of inputs that only row i needs, `same` are the inputs that all rows need, `outputs`
    /// are the outputs to which rows are written. A row is divided among the fewest blocks of a cluster that can hold
    /// it; a row that is too long for all of them is read in every pass. A block computes BLOCK_M rows, or, where
    /// `persistent`, loops over several groups of BLOCK_M rows.
    template <class Reads, class... Same, class... Outputs, class Body>
    static KG_DEVICE void for_each(int64_t rows, int64_t columns, const Reads& reads, const List<Same...>& same,
                                   const List<Outputs...>& outputs, const Body& body) {
        int ranks_log = 0;
        while ((1 << ranks_log) < cluster && (int64_t(block_n) << ranks_log) < columns) ++ranks_log;
        const int ranks = 1 << ranks_log;
        Share share = {static_cast<int>(block_index()) & (ranks - 1), ranks, ranks_log};
        const int64_t held_columns = int64_t(block_n) << ranks_log;
        const bool aligned = columns % pack == 0 && are_aligned(reads(0)) && are_aligned(same) && are_aligned(outputs);
        // All blocks of a cluster must reach the same number of barriers, so the first block's group decides for all.
        const unsigned leader = block_index() / cluster * cluster;
        const Walk walk = {rows,
                           columns,
                           aligned,
                           leader >> ranks_log,
                           (block_index() - leader) >> ranks_log,
                           block_count() >> ranks_log};
        if (!has_clusters && ranks > 1) {
            if (share.rank != 0) return;
            share = {0, 1, 0};
            return walk_over<passing>(walk, share, reads, same, body);
        }
        if (ranks > 1) cluster_arrive();
        if (columns > held_columns || !aligned) walk_over<passing>(walk, share, reads, same, body);
        else if (columns == held_columns && rows % (block_m * (cluster >> ranks_log)) == 0)
            walk_over<whole>(walk, share, reads, same, body);
        else walk_over<held>(walk, share, reads, same, body);
    }

private:
    /// The groups of rows that a block computes: leader + own, then every `step`-th group, while the leader's group is
    /// in the space.
    struct Walk {
        int64_t rows, columns;
        bool aligned;
        int64_t leader, own, step;

        KG_DEVICE bool has(int64_t group) const { return group * block_m < rows; }
    };

    template <class... Pointers>
    static KG_DEVICE bool are_aligned(const List<Pointers...>& pointers) {
        return pointers.apply([](const auto&... each) {
            return (is_aligned(each, Pack<pointee<decltype(+each)>, pack>::alignment) && ... && true);
        });
    }

    /// The array of an input that is the same for all rows.
    template <Reading reading, class S>
    static KG_DEVICE auto shared_input(const S* data, const Row<reading>& row) {
        if constexpr (persistent && reading != passing) {
            InRegisters<S, packs> held_row;
            held_row.template load<cache_default>(data, true, row.chunk(0, true));
            return held_row;
        } else {
            return Shared<S>{data, row.aligned_};
        }
    }
    /// The array of an input's row in a group.
    template <Reading reading, class S>
    static KG_DEVICE auto row_input(const S* data, const Row<reading>& row, bool exists) {
        if constexpr (reading == passing) {
            return Passing<S>{data, row.aligned_};
        } else {
            InRegisters<S, packs> held_row;
            held_row.template load<load_cache>(data, true, row.chunk(0, exists));
            return held_row;
        }
    }
    template <Reading reading, class Reads>
    static KG_DEVICE auto row_inputs(const Reads& reads, const Row<reading>& row, int64_t group) {
        const int64_t i = Row<reading>::row_of(group);
        return reads(i).apply([&](const auto&... each) { return list(row_input(each, row, i < row.rows_)...); });
    }

    template <class Row, class Inputs, class Shared, class Body>
    static KG_DEVICE void work(Row& row, int64_t group, const Inputs& inputs, const Shared& shared, const Body& body) {
        row.move_to(group);
        inputs.apply(
            [&](const auto&... input) { shared.apply([&](const auto&... same) { body(row, input..., same...); }); });
    }

    template <Reading reading, class Reads, class... Same, class Body>
    static KG_DEVICE void walk_over(const Walk& walk, const Share& share, const Reads& reads, const List<Same...>& same,
                                    const Body& body) {
        Row<reading> row(walk.rows, walk.columns, walk.aligned, share);
        const auto shared = same.apply([&](const auto&... each) { return list(shared_input(each, row)...); });
        constexpr bool in_shared = reads_fit_in_shared<decltype(reads(0))>();
        int64_t leader = walk.leader;
        if constexpr (reading != passing && in_shared) {
            walk_through_shared_memory(row, walk, reads, shared, body);
        } else if constexpr (!persistent) {
            work(row, leader + walk.own, row_inputs(reads, row, leader + walk.own), shared, body);
        } else if constexpr (stages == 1 || reading == passing) {
            for (; walk.has(leader); leader += walk.step)
                work(row, leader + walk.own, row_inputs(reads, row, leader + walk.own), shared, body);
        } else {
            auto next = row_inputs(reads, row, leader + walk.own);
            for (; walk.has(leader); leader += walk.step) {
                const auto inputs = next;
                if (walk.has(leader + walk.step)) next = row_inputs(reads, row, leader + walk.step + walk.own);
                work(row, leader + walk.own, inputs, shared, body);
            }
        }
    }

    template <class Reads>
    struct SharedSlots;
    template <class... S>
    struct SharedSlots<List<const S*...>> {
        static constexpr bool fit = (fits_in_shared<S> && ... && true) && sizeof...(S) > 0;

        /// The slots of one stage.
        static KG_DEVICE List<InSharedMemory<S>...> of(int stage) {
            List<InSharedMemory<S>...> slots;
            unsigned char* place =
                launched_shared_memory() + stage * static_cast<int>(sizeof...(S)) * hold * block_m * block_n;
            slots.apply([&](auto&... slot) { (put(slot, place), ...); });
            return slots;
        }
        template <class Slot>
        static KG_DEVICE void put(Slot& slot, unsigned char*& place) {
            slot.own = reinterpret_cast<decltype(slot.own)>(place) + thread_index();
            place += hold * block_m * block_n;
        }
    };
    template <class Reads>
    static constexpr bool reads_fit_in_shared() {
        return SharedSlots<Reads>::fit;
    }

    template <Reading reading, class Reads>
    static KG_DEVICE void begin_to_load(const Row<reading>& row, const Walk& walk, const Reads& reads, int64_t leader,
                                        int stage) {
        const int64_t i = Row<reading>::row_of(leader + walk.own);
        if (walk.has(leader)) {
            const auto chunk = row.chunk(0, i < walk.rows);
            SharedSlots<decltype(reads(0))>::of(stage).apply([&](const auto&... slot) {
                reads(i).apply([&](const auto&... data) { (slot.begin_to_load(data, chunk), ...); });
            });
        }
        end_of_group_of_copies();
    }

    /// A block with one group reads the group from where it was copied. A persistent block moves its group into
    /// registers, so that the copies of the next `stages` groups are in flight while it computes.
    template <Reading reading, class Reads, class Shared, class Body>
    static KG_DEVICE void walk_through_shared_memory(Row<reading>& row, const Walk& walk, const Reads& reads,
                                                     const Shared& shared, const Body& body) {
        using Slots = SharedSlots<decltype(reads(0))>;
        int64_t leader = walk.leader;
        constexpr int ahead = persistent ? stages : 1;
        KG_UNROLL
        for (int s = 0; s < ahead; ++s) begin_to_load(row, walk, reads, leader + s * walk.step, s);
        if constexpr (!persistent) {
            wait_for_copies<0>();
            work(row, leader + walk.own, Slots::of(0), shared, body);
        }
        for (int stage = 0; persistent && walk.has(leader); leader += walk.step) {
            wait_for_copies<ahead - 1>();
            const auto inputs =
                Slots::of(stage).apply([](const auto&... slot) { return list(slot.in_registers()...); });
            begin_to_load(row, walk, reads, leader + ahead * walk.step, stage);
            work(row, leader + walk.own, inputs, shared, body);
            stage = stage + 1 == ahead ? 0 : stage + 1;
        }
    }
};

}  // namespace kg
