// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/backend/backend.h"

namespace kernelgen {

/// `kernelgen worker`: reads requests as JSON lines from `input` and answers on `output` until the end of `input`.
///
/// Builds run in parallel with everything else; a build with the tag of an earlier one supersedes it. Verification,
/// timing and ceilings of one device run one at a time, in order of arrival. Each request can be cancelled by its id.
/// Implementations that this worker has not verified are not timed. The protocol is in docs/WORKER_PROTOCOL.md.
int serve_worker(const Backends& backends, int input, int output);

}  // namespace kernelgen
