// SPDX-License-Identifier: Apache-2.0
#pragma once
// size_t, ptrdiff_t and nullptr_t are known to NVRTC.
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
#ifndef NULL
#define NULL 0
#endif
