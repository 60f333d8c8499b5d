// SPDX-License-Identifier: Apache-2.0
// The functions and types for CUDA kernels: storage types of every dtype, functions that keep NaN and Inf right, and
// two ways to loop over an operator's rows and columns: tiles for bodies without reductions, whole rows for bodies with
// reductions. C++20, for NVRTC and nvcc, sm_75 or later. All instructions of the GPU are in processor.cuh and the files
// that it includes; KG_PROCESSOR may name another file instead.
#pragma once

#if defined(KG_PROCESSOR)
#include KG_PROCESSOR
#else
#include "kernelgen/cuda/processor.cuh"
#endif

#include "kernelgen/cuda/types.cuh"
#include "kernelgen/pages.h"
#include "kernelgen/window.h"

#include "kernelgen/cuda/functions.cuh"
#include "kernelgen/cuda/memory.cuh"
#include "kernelgen/cuda/operands.cuh"
#include "kernelgen/cuda/patches.cuh"
#include "kernelgen/cuda/window_strips.cuh"
#include "kernelgen/cuda/sliding_windows.cuh"
#include "kernelgen/cuda/plain_products.cuh"
#include "kernelgen/cuda/reductions.cuh"
#include "kernelgen/cuda/rows.cuh"
#include "kernelgen/cuda/tiles.cuh"

#include "kernelgen/cuda/few_row_forms.cuh"
#include "kernelgen/cuda/few_rows.cuh"
#include "kernelgen/cuda/fragments.cuh"
#include "kernelgen/cuda/copied_stages.cuh"
#include "kernelgen/cuda/split_depth.cuh"
#include "kernelgen/cuda/tensor_products.cuh"

#include "kernelgen/cuda/products.cuh"
#include "kernelgen/cuda/attention_tiles.cuh"
#include "kernelgen/cuda/attention.cuh"
#include "kernelgen/cuda/attention_backward.cuh"
#include "kernelgen/cuda/online_softmax.cuh"
#include "kernelgen/cuda/attention_head.cuh"
#include "kernelgen/cuda/value_tiles.cuh"
#include "kernelgen/cuda/attention_stages.cuh"
#include "kernelgen/cuda/tensor_attention.cuh"
#include "kernelgen/cuda/byte_attention.cuh"
#include "kernelgen/cuda/decode_stages.cuh"
#include "kernelgen/cuda/decode_work.cuh"
#include "kernelgen/cuda/decode_attention.cuh"
#include "kernelgen/cuda/chosen_attention.cuh"
#include "kernelgen/cuda/gradient_head.cuh"
#include "kernelgen/cuda/gradient_stages.cuh"
#include "kernelgen/cuda/tensor_gradients.cuh"
#include "kernelgen/cuda/gradient_rows.cuh"
