// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "core/whatif/forecast.h"
#include "gpu/cuda/device_model.h"

namespace kernelgen {

/// The installed model of the device on which a round was made, by its hardware's name. Nothing where there is none.
std::optional<DeviceModel> model_of(const Environment& environment);

/// How many blocks of a round's kernel a multiprocessor holds now, and with these factors. Errors, each with what to
/// do: the round has nothing of its build, no installed model is the round's device, or a block needs more than the
/// other device has.
Result<Residency> residency_with(const RoundDetail& round, DType dtype, const Factors& factors);

/// How the whole device is made to hold as few blocks of a round's kernel as the other one does: each block gets so
/// much more dynamic shared memory.
struct HeldBack {
    std::int64_t more_shared_bytes = 0;  ///< 0: as many blocks fit as before
    Residency warps;                     ///< `then`: with this memory
};
/// Errors: those of `residency_with`, and where even the most memory that a block can have leaves too many blocks.
Result<HeldBack> held_back(const RoundDetail& round, DType dtype, const Factors& factors);

}  // namespace kernelgen
