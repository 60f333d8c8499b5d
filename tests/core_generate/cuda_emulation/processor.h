// SPDX-License-Identifier: Apache-2.0
// In place of kernelgen/cuda/processor.cuh: a GPU's threads as fibers of one CPU thread, so that generated kernels run
// where there is no GPU. The blocks of a cluster run together, clusters one after the other; fibers take turns in one
// order and then in the opposite one. What waits for ever, or reads from an address of the wrong alignment, aborts.
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <vector>

namespace kg_emulated {

[[noreturn]] inline void stop(const char* why) {
    fprintf(stderr, "emulated GPU: %s\n", why);
    abort();
}

struct Index {
    unsigned x = 0, y = 0, z = 0;
};

struct Block;

struct Copy {
    void* to;
    const void* from;
    std::size_t bytes;
};

struct Thread {
    Index index;
    std::deque<std::vector<Copy>> copies{1};  ///< begun, by group; the last group is open
    Block* block = nullptr;
    ucontext_t context = {};
    std::unique_ptr<char[]> stack;
    bool finished = false;
    long cluster_phase = 0;
    int exchanges = 0;
};

/// Threads that wait for one another; those that have finished are not waited for.
struct Barrier {
    int members = 0, arrived = 0;
    long generation = 0;

    void settle() {
        if (arrived < members || members == 0) return;
        arrived = 0;
        ++generation;
    }
    long arrive() {
        const long phase = generation;
        ++arrived;
        settle();
        return phase;
    }
    void leave() {
        --members;
        settle();
    }
};

struct Warp {
    Barrier barrier;
    double lanes[2][32] = {};
};

struct Cluster {
    Barrier barrier;
    std::vector<std::unique_ptr<Block>> blocks;
};

struct SharedObject {
    std::unique_ptr<char[]> memory;
    std::size_t bytes = 0;
};

struct Block {
    bool has_begun = false;
    unsigned index = 0;
    Cluster* cluster = nullptr;
    Barrier barrier;
    std::vector<Thread> threads;
    std::vector<Warp> warps;
    std::map<const void*, SharedObject> shared;  ///< by a key of the type
    std::map<int, Barrier> of_threads;           ///< by the count of threads
    std::map<int, Barrier> numbered;
    std::vector<char> launched;
};

inline Index block_size, grid_size;
inline Thread* current = nullptr;
inline ucontext_t scheduler;
inline long progress = 0;
inline const std::function<void()>* kernel = nullptr;

inline void yield() { swapcontext(&current->context, &scheduler); }

inline void wait(Barrier& barrier, long phase) {
    while (barrier.generation == phase) yield();
    ++progress;
}
inline void arrive_and_wait(Barrier& barrier) {
    ++progress;
    wait(barrier, barrier.arrive());
}

inline void run_thread() {
    current->block->has_begun = true;
    (*kernel)();
    Thread& thread = *current;
    thread.finished = true;
    ++progress;
    thread.block->warps[thread.index.x / 32].barrier.leave();
    thread.block->barrier.leave();
    thread.block->cluster->barrier.leave();
    yield();
}

inline void make_block(Block& block, unsigned index, Cluster& cluster, std::size_t shared_bytes) {
    constexpr std::size_t stack_bytes = 256 << 10;
    block.index = index;
    block.cluster = &cluster;
    block.barrier.members = static_cast<int>(block_size.x);
    cluster.barrier.members += static_cast<int>(block_size.x);
    // At the same distance from a multiple of 1,024 in all blocks, and at none.
    block.launched.assign(shared_bytes + 2048, static_cast<char>(0xcd));
    block.threads.resize(block_size.x);
    block.warps.resize((block_size.x + 31) / 32);
    for (unsigned i = 0; i < block_size.x; ++i) {
        Thread& thread = block.threads[i];
        thread.index.x = i;
        thread.block = &block;
        ++block.warps[i / 32].barrier.members;
        thread.stack = std::make_unique_for_overwrite<char[]>(stack_bytes);
        getcontext(&thread.context);
        thread.context.uc_stack.ss_sp = thread.stack.get();
        thread.context.uc_stack.ss_size = stack_bytes;
        makecontext(&thread.context, run_thread, 0);
    }
}

inline void run_cluster(Cluster& cluster) {
    std::vector<Thread*> threads;
    for (const auto& block : cluster.blocks) {
        for (Thread& thread : block->threads) threads.push_back(&thread);
    }
    for (bool any = true, forwards = true; any; forwards = !forwards) {
        any = false;
        const long before = progress;
        for (std::size_t i = 0; i < threads.size(); ++i) {
            current = threads[forwards ? i : threads.size() - 1 - i];
            if (current->finished) continue;
            any = true;
            swapcontext(&scheduler, &current->context);
        }
        if (any && progress == before) stop("threads wait for one another for ever");
    }
}

/// Runs `call`, a kernel with its arguments, in every thread of the grid from its block `begin` on.
inline void launch(unsigned begin, unsigned grid, unsigned threads, unsigned cluster_size, std::size_t shared_bytes,
                   const std::function<void()>& call) {
    if (grid % cluster_size != 0) stop("the grid is no multiple of the cluster");
    grid_size = {grid, 1, 1};
    block_size = {threads, 1, 1};
    kernel = &call;
    for (unsigned first = begin; first < grid; first += cluster_size) {
        Cluster cluster;
        for (unsigned rank = 0; rank < cluster_size; ++rank) {
            cluster.blocks.push_back(std::make_unique<Block>());
            make_block(*cluster.blocks.back(), first + rank, cluster, shared_bytes);
        }
        run_cluster(cluster);
    }
}

template <class T>
inline const char key_of = 0;

inline char* shared_object(Block& block, const void* key, std::size_t bytes) {
    SharedObject& object = block.shared[key];
    if (!object.memory) {
        object = {std::make_unique<char[]>(bytes), bytes};
        memset(object.memory.get(), 0xcd, bytes);
    }
    return object.memory.get();
}

}  // namespace kg_emulated

#define __global__
#define __device__
#define __launch_bounds__(...)
#define KG_CLUSTER(blocks)
#define KG_DEVICE inline
#define KG_UNROLL
#define threadIdx (kg_emulated::current->index)
#define blockIdx (kg_emulated::Index{kg_emulated::current->block->index, 0, 0})
#define blockDim kg_emulated::block_size
#define gridDim kg_emulated::grid_size

namespace kg {

#if !defined(KG_EMULATED_CLUSTERS)
#define KG_EMULATED_CLUSTERS true
#endif
inline constexpr int architecture = 900;
inline constexpr bool has_clusters = KG_EMULATED_CLUSTERS;

inline void check_alignment(const void* address, int bytes) {
    if (reinterpret_cast<uintptr_t>(address) % static_cast<unsigned>(bytes) != 0)
        kg_emulated::stop("an access at an address that is no multiple of its size");
}
inline int thread_index() { return static_cast<int>(threadIdx.x); }
inline int block_size() { return static_cast<int>(kg_emulated::block_size.x); }
inline unsigned block_index() { return blockIdx.x; }
inline unsigned block_count() { return gridDim.x; }
inline void block_barrier() { kg_emulated::arrive_and_wait(kg_emulated::current->block->barrier); }
template <int count>
inline void barrier_of_threads() {
    kg_emulated::Barrier& barrier = kg_emulated::current->block->of_threads[count];
    barrier.members = count;
    kg_emulated::arrive_and_wait(barrier);
}

inline kg_emulated::Barrier& numbered_barrier(int number, int count) {
    kg_emulated::Barrier& barrier = kg_emulated::current->block->numbered[number];
    barrier.members = count;
    return barrier;
}
template <int count>
inline void wait_at_barrier(int number) {
    kg_emulated::arrive_and_wait(numbered_barrier(number, count));
}
template <int count>
inline void arrive_at_barrier(int number) {
    ++kg_emulated::progress;
    numbered_barrier(number, count).arrive();
}

/// The values of all lanes of the warp.
inline const double* of_all_lanes(double value) {
    using namespace kg_emulated;
    Thread& thread = *current;
    Warp& warp = thread.block->warps[thread.index.x / 32];
    // Two buffers: who is first at the next exchange must not overwrite what others still read.
    double* const lanes = warp.lanes[thread.exchanges++ % 2];
    lanes[thread.index.x % 32] = value;
    arrive_and_wait(warp.barrier);
    return lanes;
}
template <class T>
inline T from_lane_xor(T value, int mask) {
    return static_cast<T>(of_all_lanes(static_cast<double>(value))[thread_index() % 32 ^ mask]);
}

template <class T>
inline void add_atomically(T* place, T value) {
    *place += value;
}

inline void forget(int&) {}
inline void add_four_atomically(float* place, const float* values) {
    check_alignment(place, 16);
    for (int i = 0; i < 4; ++i) place[i] += values[i];
}
inline void publish_to_device() {}
inline uint32_t count(uint32_t* counter) {
    ++kg_emulated::progress;
    return (*counter)++;
}
inline void wait_until_counted(const uint32_t* counter, uint32_t number) {
    while (*static_cast<const volatile uint32_t*>(counter) < number) kg_emulated::yield();
    ++kg_emulated::progress;
}
inline uint32_t count_arrival(uint32_t* place) { return count(place); }
inline float read_shared_by_blocks(const float* place) { return *place; }

template <class T>
inline T& in_shared_memory() {
    using namespace kg_emulated;
    return *reinterpret_cast<T*>(shared_object(*current->block, &key_of<T>, sizeof(T)));
}
inline unsigned char* launched_shared_memory() {
    const auto begin = reinterpret_cast<uintptr_t>(kg_emulated::current->block->launched.data());
    return reinterpret_cast<unsigned char*>((begin + 1023) / 1024 * 1024 + 16);
}
/// What lies at `place` of the launch's shared memory in block `rank` of the cluster.
inline unsigned char* launched_in_block(const void* place, int rank) {
    using namespace kg_emulated;
    Thread* const own = current;
    const std::ptrdiff_t offset = static_cast<const unsigned char*>(place) - launched_shared_memory();
    Block& other = *own->block->cluster->blocks.at(static_cast<std::size_t>(rank));
    if (other.threads[0].finished) stop("reaches for the memory of a block that has finished");
    if (!other.has_begun) stop("reaches for the memory of a block that has not begun");
    current = &other.threads[0];
    unsigned char* const there = launched_shared_memory() + offset;
    current = own;
    return there;
}

/// Nothing is there before it is waited for.
template <int bytes>
inline void copy_to_shared(void* to, const void* from) {
    check_alignment(to, bytes);
    check_alignment(from, bytes);
    memset(to, 0xcd, bytes);
    kg_emulated::current->copies.back().push_back({to, from, bytes});
}
template <int bytes = 16>
inline void copy_or_clear_in_shared(void* to, const void* from, bool exists) {
    alignas(16) static const unsigned char zeros[16] = {};
    check_alignment(from, bytes);
    copy_to_shared<bytes>(to, exists ? from : zeros);
}
inline void end_of_group_of_copies() { kg_emulated::current->copies.emplace_back(); }
template <int groups>
inline void wait_for_copies() {
    auto& copies = kg_emulated::current->copies;
    while (copies.size() > groups + 1) {
        for (const kg_emulated::Copy& each : copies.front()) memcpy(each.to, each.from, each.bytes);
        copies.pop_front();
    }
}

inline void cluster_arrive() {
    using namespace kg_emulated;
    ++progress;
    current->cluster_phase = current->block->cluster->barrier.arrive();
}
inline void cluster_wait() {
    using namespace kg_emulated;
    wait(current->block->cluster->barrier, current->cluster_phase);
}
inline void barrier_of_cluster() { kg_emulated::arrive_and_wait(kg_emulated::current->block->cluster->barrier); }
template <class T>
inline void store_in_block(T* place, int rank, T value) {
    using namespace kg_emulated;
    Block& own = *current->block;
    Block& other = *own.cluster->blocks.at(static_cast<std::size_t>(rank));
    if (other.threads[0].finished) stop("writes into the memory of a block that has finished");
    const char* const address = reinterpret_cast<const char*>(place);
    const auto& launched = own.launched;
    const auto first = reinterpret_cast<uintptr_t>(launched.data()), at = reinterpret_cast<uintptr_t>(place);
    if (at >= first && at < first + launched.size()) {
        memcpy(launched_in_block(place, rank), &value, sizeof(T));
        return;
    }
    if (!other.has_begun) stop("writes into the memory of a block that has not begun");
    for (const auto& [key, object] : own.shared) {
        if (address < object.memory.get() || address >= object.memory.get() + object.bytes) continue;
        memcpy(shared_object(other, key, object.bytes) + (address - object.memory.get()), &value, sizeof(T));
        return;
    }
    stop("writes to what is not shared memory");
}

enum Cache { cache_default = 0, cache_streaming = 1, cache_evict_first = 2, cache_evict_last = 3 };
inline constexpr int cache_reading_ahead = 4;

template <int cache, int words>
inline void read_words(const void* address, uint32_t* to) {
    check_alignment(address, 4 * words);
    memcpy(to, address, 4 * words);
}
template <int cache, int words>
inline void write_words(void* address, const uint32_t* from) {
    check_alignment(address, 4 * words);
    memcpy(address, from, 4 * words);
}

inline float float_of_half(uint16_t code) { return static_cast<float>(__builtin_bit_cast(_Float16, code)); }
inline uint32_t halves(float low, float high) {
    const auto code = [](float x) { return __builtin_bit_cast(uint16_t, static_cast<_Float16>(x)); };
    return code(low) | static_cast<uint32_t>(code(high)) << 16;
}
inline uint32_t bfloats(float low, float high) {
    const auto code = [](float x) {
        const uint32_t bits = __builtin_bit_cast(uint32_t, x);
        return x != x ? 0x7fffu : (bits + 0x7fffu + ((bits >> 16) & 1)) >> 16;
    };
    return code(low) | code(high) << 16;
}

inline float approximate_exp2(float x) { return exp2f(x); }
inline int same_in_warp(int value) { return value; }
inline uint32_t bytes_of(uint32_t low, uint32_t high, uint32_t places) {
    const uint64_t both = low | static_cast<uint64_t>(high) << 32;
    uint32_t bytes = 0;
    for (int i = 0; i < 4; ++i) bytes |= static_cast<uint32_t>(both >> (places >> (4 * i) & 7) * 8 & 0xff) << (8 * i);
    return bytes;
}
inline float rounded_product(float a, float b) {
    const volatile float product = a * b;
    return product;
}
inline float approximate_reciprocal(float x) { return 1 / x; }
inline float approximate_rsqrt(float x) { return 1 / sqrtf(x); }
inline float smaller_or_nan(float a, float b) { return a != a || a < b ? a : b; }
inline float larger_or_nan(float a, float b) { return a != a || a > b ? a : b; }

}  // namespace kg

#include "bulk_copies.h"
#include "described_products.h"
#include "matrix_instructions.h"
