// SPDX-License-Identifier: Apache-2.0
// Stages of shared memory that the copy engine fills and warps read, in turn, and how the two wait for one another.
#pragma once

namespace kg {

/// Of `stages` stages the one whose turn it is, and the parity of its phase.
template <int stages>
struct StageInTurn {
    unsigned number = 0, parity = 0;
    KG_DEVICE void advance() {
        if (++number < stages) return;
        number = 0;
        parity ^= 1;
    }
};

/// The barriers of stages that `warps` warps of each block of a cluster read. They lie in shared memory.
template <int stages, int warps, int cluster>
struct CopiedStages {
    CopyBarrier written[stages];  ///< its bytes are there
    CopyBarrier read[stages];     ///< all warps of the cluster have read it

    /// By one thread, before barrier_of_cluster.
    KG_DEVICE void make() {
        for (int stage = 0; stage < stages; ++stage) {
            make_barrier(written[stage], 1);
            make_barrier(read[stage], warps * cluster);
        }
        publish_barriers();
    }
    KG_DEVICE void wait_until_written(const StageInTurn<stages>& stage) { wait_for(written[stage.number], stage.parity); }
    /// The first time, each stage is free: it is as if the phase before the first one had ended.
    KG_DEVICE void wait_until_read(const StageInTurn<stages>& stage) { wait_for(read[stage.number], stage.parity ^ 1); }
    /// By all threads of a warp that has read the stage.
    KG_DEVICE void release(const StageInTurn<stages>& stage) {
        warp_barrier();
        const int lane = thread_index() % 32;
        if constexpr (cluster == 1) {
            if (lane == 0) arrive(read[stage.number]);
        } else {
            if (lane < cluster) arrive_in_block(read[stage.number], lane);
        }
    }
};

}  // namespace kg
