// SPDX-License-Identifier: Apache-2.0
// What a CUDA kernel may use: storage types of every dtype, functions that keep NaN and Inf right, and two ways to walk
// over an operator's rows and columns: tiles where nothing is reduced, whole rows where something is. C++20, for NVRTC
// and nvcc, sm_75 or later. Everything that is the processor's own is in processor.cuh, in whose place KG_PROCESSOR may
// name another file.
#pragma once

#if defined(KG_PROCESSOR)
#include KG_PROCESSOR
#else
#include "kernelgen/cuda/processor.cuh"
#endif

#include "kernelgen/cuda/types.cuh"

#include "kernelgen/cuda/functions.cuh"
#include "kernelgen/cuda/memory.cuh"
#include "kernelgen/cuda/reductions.cuh"
#include "kernelgen/cuda/rows.cuh"
#include "kernelgen/cuda/tiles.cuh"
