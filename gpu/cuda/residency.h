// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace kernelgen
