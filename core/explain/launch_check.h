// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/explain/explain.h"

namespace kernelgen {

/// Judges what the launches of the failing check leave in workspace buffers that have the name of a value of the body
/// (launch_stages.h), each by itself. The first that holds this value after no launch becomes a cause; where all do,
/// a remark says after which launch. Only of a check that ended as a mismatch, or with elements that were not written.
void check_launches(const ExplainRequest& request, Backend& backend, const Progress& progress, std::stop_token stop,
                    Explanation& explanation);

}  // namespace kernelgen
