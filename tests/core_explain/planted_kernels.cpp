// SPDX-License-Identifier: Apache-2.0
#include "planted_kernels.h"

#define DTYPE float
#define BLOCK_M 4
#define BLOCK_N 16

#define bias_add planted_bias_alone
#include "planted/bias_alone.cpp"
#undef bias_add

#define bias_add planted_transposed
#include "planted/transposed.cpp"
#undef bias_add

#define bias_add planted_bias_shifted
#include "planted/bias_shifted.cpp"
#undef bias_add

#define bias_add planted_bias_by_row
#include "planted/bias_by_row.cpp"
#undef bias_add

#define bias_add planted_stored_shifted
#include "planted/stored_shifted.cpp"
#undef bias_add

#define bias_add planted_lane_wrong
#include "planted/lane_wrong.cpp"
#undef bias_add

#define bias_add planted_tile_border
#include "planted/tile_border.cpp"
#undef bias_add

#define bias_add planted_adds_to_output
#include "planted/adds_to_output.cpp"
#undef bias_add

#define bias_add planted_writes_input
#include "planted/writes_input.cpp"
#undef bias_add

#define bias_add planted_one_tile
#include "planted/one_tile.cpp"
#undef bias_add

#define bias_add planted_differs_from_run_to_run
#include "planted/differs_from_run_to_run.cpp"
#undef bias_add

#define bias_add planted_tail_columns_left_out
#include "planted/tail_columns_left_out.cpp"
#undef bias_add

#define bias_add planted_tail_rows_left_out
#include "planted/tail_rows_left_out.cpp"
#undef bias_add

#define bias_add planted_no_mask
#include "planted/no_mask.cpp"
#undef bias_add

#define softmax planted_sum_without_tail
#include "planted/sum_without_tail.cpp"
#undef softmax

#define softmax planted_without_maximum
#include "planted/without_maximum.cpp"
#undef softmax

#define softmax planted_in_half_precision
#include "planted/in_half_precision.cpp"
#undef softmax

#define rms_norm planted_without_eps
#include "planted/without_eps.cpp"
#undef rms_norm

#define layer_norm planted_unbiased_variance
#include "planted/unbiased_variance.cpp"
#undef layer_norm

#define relu planted_loses_nan
#include "planted/loses_nan.cpp"
#undef relu

namespace kernelgen::testing {

namespace {

using OneInput = void (*)(const float*, float*, int64_t, int64_t, int64_t, int64_t, int64_t);
using TwoInputs = void (*)(const float*, const float*, float*, int64_t, int64_t, int64_t, int64_t, int64_t);

PlantedProgram of(OneInput kernel) {
    return [kernel](const std::vector<float*>& inputs, float* out, std::int64_t P, std::int64_t D, std::int64_t pid0,
                    std::int64_t pid1) { kernel(inputs[0], out, P, D, pid0, pid1, 0); };
}

PlantedProgram of(TwoInputs kernel) {
    return [kernel](const std::vector<float*>& inputs, float* out, std::int64_t P, std::int64_t D, std::int64_t pid0,
                    std::int64_t pid1) { kernel(inputs[0], inputs[1], out, P, D, pid0, pid1, 0); };
}

}  // namespace

const std::map<std::string, PlantedProgram>& planted_programs() {
    static const std::map<std::string, PlantedProgram> programs = {
        {"bias_alone", of(planted_bias_alone)},
        {"transposed", of(planted_transposed)},
        {"bias_shifted", of(planted_bias_shifted)},
        {"bias_by_row", of(planted_bias_by_row)},
        {"stored_shifted", of(planted_stored_shifted)},
        {"lane_wrong", of(planted_lane_wrong)},
        {"tile_border", of(planted_tile_border)},
        {"adds_to_output", of(planted_adds_to_output)},
        {"writes_input", of(planted_writes_input)},
        {"one_tile", of(planted_one_tile)},
        {"differs_from_run_to_run", of(planted_differs_from_run_to_run)},
        {"tail_columns_left_out", of(planted_tail_columns_left_out)},
        {"tail_rows_left_out", of(planted_tail_rows_left_out)},
        {"no_mask", of(planted_no_mask)},
        {"sum_without_tail", of(planted_sum_without_tail)},
        {"without_maximum", of(planted_without_maximum)},
        {"in_half_precision", of(planted_in_half_precision)},
        {"without_eps", of(planted_without_eps)},
        {"unbiased_variance", of(planted_unbiased_variance)},
        {"loses_nan", of(planted_loses_nan)}};
    return programs;
}

}  // namespace kernelgen::testing
