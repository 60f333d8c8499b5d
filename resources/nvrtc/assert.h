// SPDX-License-Identifier: Apache-2.0
#pragma once
// assert is known to NVRTC.
