// SPDX-License-Identifier: Apache-2.0
// In place of kernelgen/cuda/bulk_copies.cuh. A copy is done when it begins: what is overwritten too early is seen
// since products are computed when they are waited for.
#pragma once

/// As the test makes it: a tensor, innermost axis first, and the box.
struct CUtensorMap {
    const char* data = nullptr;
    int64_t element = 0, axes = 0, extents[5] = {}, box[5] = {};
};

#define __grid_constant__

namespace kg {

inline constexpr bool has_bulk_copies = true;

inline bool is_given(const CUtensorMap& map) { return map.data != nullptr; }

struct CopyBarrier {
    uint16_t arrivals, missing;
    uint16_t ended;  ///< phases
    uint16_t unused;
    int32_t bytes;  ///< less than 0 where copies of other blocks came before they were expected

    void settle() {
        if (missing > 0 || bytes != 0) return;
        missing = arrivals;
        ++ended;
        ++kg_emulated::progress;
    }
};

inline void make_barrier(CopyBarrier& barrier, int arrivals) {
    barrier = {static_cast<uint16_t>(arrivals), static_cast<uint16_t>(arrivals), 0, 0, 0};
}
inline void publish_barriers() {}
inline void arrive(CopyBarrier& barrier) {
    if (barrier.missing == 0) kg_emulated::stop("more arrivals than a barrier expects");
    --barrier.missing;
    barrier.settle();
}
inline void arrive_and_expect(CopyBarrier& barrier, int bytes) {
    barrier.bytes += bytes;
    arrive(barrier);
}
inline void wait_for(CopyBarrier& barrier, unsigned parity) {
    // The phase of the parity has ended while the one after it is at work.
    while (barrier.ended % 2 == static_cast<int>(parity)) kg_emulated::yield();
    ++kg_emulated::progress;
}

inline void arrive_in_block(CopyBarrier& barrier, int rank) {
    arrive(*reinterpret_cast<CopyBarrier*>(launched_in_block(&barrier, rank)));
}

template <int axes>
inline void copy_own_box(void* to, const CUtensorMap& map, CopyBarrier& barrier, int column, int row, int matrix) {
    check_alignment(to, 1024);
    if (map.axes != axes) kg_emulated::stop("a copy of other axes than the map has");
    const int64_t begin[3] = {column, row, matrix};
    const int64_t bytes = map.box[0] * map.element, rows = map.box[1];
    if (axes == 3 && map.box[2] != 1) kg_emulated::stop("a box of several matrices");
    for (int64_t r = 0; r < rows; ++r) {
        for (int64_t c = 0; c < map.box[0]; ++c) {
            const int64_t at[3] = {begin[0] + c, begin[1] + r, begin[2]};
            int64_t place = 0;
            bool exists = true;
            for (int axis = axes - 1; axis >= 0; --axis) {
                exists = exists && at[axis] >= 0 && at[axis] < map.extents[axis];
                place = place * map.extents[axis] + at[axis];
            }
            const auto offset = static_cast<int>(r * bytes + c * map.element);
            char* const target = static_cast<char*>(to) + (offset ^ ((offset >> 3) & 0x70));
            if (exists) memcpy(target, map.data + place * map.element, static_cast<size_t>(map.element));
            else memset(target, 0, static_cast<size_t>(map.element));
        }
    }
    barrier.bytes -= static_cast<int32_t>(rows * bytes);
    barrier.settle();
}

template <int axes, int blocks>
inline void copy_box(void* to, const CUtensorMap& map, CopyBarrier& barrier, int column, int row, int matrix) {
    if constexpr (blocks == 1) return copy_own_box<axes>(to, map, barrier, column, row, matrix);
    for (int rank = 0; rank < blocks; ++rank)
        copy_own_box<axes>(launched_in_block(to, rank), map,
                           *reinterpret_cast<CopyBarrier*>(launched_in_block(&barrier, rank)), column, row, matrix);
}

struct BoxPlace {
    int first, second, third, fourth;
};
inline void copy_own_box_of_four(void* to, const CUtensorMap& map, CopyBarrier& barrier, const BoxPlace& place) {
    check_alignment(to, 1024);
    if (map.axes != 4) kg_emulated::stop("a copy of other axes than the map has");
    const int64_t begin[4] = {place.first, place.second, place.third, place.fourth};
    int64_t offset = 0;
    for (int64_t element = 0; element < map.box[0] * map.box[1] * map.box[2] * map.box[3]; ++element) {
        int64_t rest = element, from = 0, stride = 1;
        bool exists = true;
        for (int axis = 0; axis < 4; ++axis) {
            const int64_t at = begin[axis] + rest % map.box[axis];
            rest /= map.box[axis];
            exists = exists && at >= 0 && at < map.extents[axis];
            from += at * stride;
            stride *= map.extents[axis];
        }
        char* const target = static_cast<char*>(to) + (offset ^ ((offset >> 3) & 0x70));
        if (exists) memcpy(target, map.data + from * map.element, static_cast<size_t>(map.element));
        else memset(target, 0, static_cast<size_t>(map.element));
        offset += map.element;
    }
    barrier.bytes -= static_cast<int32_t>(offset);
    barrier.settle();
}
template <int blocks>
inline void copy_box_of_four(void* to, const CUtensorMap& map, CopyBarrier& barrier, const BoxPlace& place) {
    if constexpr (blocks == 1) return copy_own_box_of_four(to, map, barrier, place);
    for (int rank = 0; rank < blocks; ++rank)
        copy_own_box_of_four(launched_in_block(to, rank), map,
                             *reinterpret_cast<CopyBarrier*>(launched_in_block(&barrier, rank)), place);
}

inline void copy_bytes(void* to, const void* from, CopyBarrier& barrier, int bytes) {
    check_alignment(to, 16);
    check_alignment(from, 16);
    if (bytes % 16 != 0) kg_emulated::stop("a copy of bytes that are no multiple of 16");
    memcpy(to, from, static_cast<size_t>(bytes));
    barrier.bytes -= bytes;
    barrier.settle();
}

}  // namespace kg
