// SPDX-License-Identifier: Apache-2.0
#pragma once
// What kernels use of it is known to NVRTC.
