// SPDX-License-Identifier: Apache-2.0
#pragma once
// NVRTC knows by itself all that kernels use of this header.
