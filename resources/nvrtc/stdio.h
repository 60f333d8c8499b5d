// SPDX-License-Identifier: Apache-2.0
#pragma once
// printf is known to NVRTC.
