// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/rotation.h"

namespace kernelgen {

/// Share of the threads' time (of a GPU: of the blocks that run at once) that is lost when the programs of each launch
/// of a side do not divide evenly among them. 0 where the device's numbers are not known.
double tail_waste(const Side& side);

}  // namespace kernelgen
