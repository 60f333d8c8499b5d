// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stop_token>

#include "core/verify/yardstick.h"

namespace kernelgen {

/// Family `callable`, of a case that is described (callable_case.h): its Python file makes the inputs and is the
/// reference, in a process of its own. All of the request must outlive it.
std::unique_ptr<Yardstick> callable_yardstick(const YardstickRequest& request, Backend& backend, std::stop_token stop);

}  // namespace kernelgen
