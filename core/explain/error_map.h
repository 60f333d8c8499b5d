// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/explain/wrong_output.h"

namespace kernelgen {

/// An element that an error map keeps with its values.
struct KeptElement {
    std::int64_t row = 0, column = 0;
    double expected = 0, actual = 0;
    bool is_unwritten = false;  ///< `actual` is what the checker had put there
};

/// Where one output is wrong: a grid of bins over its rows and columns, small enough to be sent and recorded (at most
/// 64 KiB in JSON for all outputs of a check).
struct ErrorMap {
    std::string output;
    std::vector<std::int64_t> extents;
    Grid grid;                        ///< the output's rows and columns
    std::int64_t bin_rows = 1;        ///< elements that a bin covers
    std::int64_t bin_columns = 1;     //
    std::int64_t tile_rows = 0;       ///< 0: not known
    std::int64_t tile_columns = 0;    //
    std::vector<std::int64_t> wrong;  ///< of each bin, row by row: elements that are wrong or were not written
    std::vector<double> worst;        ///< of each bin: the largest absolute error of a wrong element; infinite
                                      ///< where a NaN or an infinity is wrong; 0 without one
    std::vector<KeptElement> kept;    ///< some wrong elements: at most 200, of every bin that has one if they fit
    std::int64_t unwritten = 0;

    Grid bins() const;  ///< how many bins
    std::int64_t wrong_elements() const;
};

/// The map of an output of a replay; `most_bins`: along each axis.
ErrorMap map_of(const OutputReplay& output, const Tiles& tiles, std::int64_t most_bins = 64);

nlohmann::json to_json(const ErrorMap& map);
/// Throws std::exception where `json` is something else, such as lists that do not fit the grid.
ErrorMap error_map_from_json(const nlohmann::json& json);

}  // namespace kernelgen
