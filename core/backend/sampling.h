// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelgen {

/// A range of bytes of an input that has two contents. All patches of one `unit` change together.
struct Patch {
    static constexpr int units = 64;  ///< as many as a state has bits

    int unit = 0;
    int input = 0;
    std::size_t offset = 0, bytes = 0;  ///< within the input
    std::size_t contents = 0;           ///< position of the first content in the arena; the second content follows it
};

/// Selects one timed call, of `side` on buffer set `set` in turn `turn`, whose outputs are copied to the arena.
struct Capture {
    int side = 0, set = 0;
    std::size_t turn = 0;
};

/// A batch of turns. In a turn each of the listed sides is sampled once, in the listed order. A sample is one call on
/// each set of buffers, one after another. In an idle turn the side is `nobody`: it is sampled like the others, but no
/// kernel is called.
struct SampleRequest {
    static constexpr std::string_view op = "sample";
    static constexpr int nobody = -1;

    std::vector<std::vector<int>> turns;
    /// For each position in each turn, and in it for each set: a bit mask, in which bit u means that the patches of
    /// unit u have their second content. So the sides of a turn see different inputs. Empty: all have the first
    /// content.
    std::vector<std::uint64_t> states;
    bool flush = true;        ///< whether the buffers are flushed from the caches before each sample
    std::uint8_t poison = 0;  ///< the byte with which outputs are filled before each sample
    std::uint64_t key = 0;    ///< key of the outputs' checksums (core/backend/checksum.h); 0: no checksums
    std::optional<Capture> capture = {};
    /// Of a GPU: bytes that a neighbour fetches a second (1e9) while the samples run; 0: there is none.
    double neighbour_gbps = 0;
};

/// The measurements of a batch. Sides are numbered as in `prepare`.
struct Samples {
    std::vector<std::vector<double>> seconds;  ///< for each side: seconds of one call, one number for each of its turns
    std::vector<std::vector<std::uint64_t>> checksums;  ///< for each side: one for each call, in order
    double outside_seconds = 0;                         ///< time outside the samples: poisoning, flushing, checksums
    double idle_seconds = 0;       ///< on a CPU, in idle turns: time of touching all buffers as a call does
    std::int64_t grown_bytes = 0;  ///< memory of the executor (accelerator: of the device), after minus before
    int discarded = 0;             ///< turns that were repeated because the device's clock had fallen
    std::map<std::string, double> conditions;  ///< of an accelerator, as in BenchResult
};

}  // namespace kernelgen
