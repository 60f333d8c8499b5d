// SPDX-License-Identifier: Apache-2.0
// The functions and types for host kernels: storage types of every dtype, vectors as wide as the processor's, exact
// loads and stores at a row's end, vector functions that keep NaN and Inf right, and row reductions. C++20, GCC 13 or
// later.
#pragma once

#include "kernelgen/attention.h"
#include "kernelgen/attention_backward.h"
#include "kernelgen/contraction.h"
#include "kernelgen/functions.h"
#include "kernelgen/logarithms.h"
#include "kernelgen/memory.h"
#include "kernelgen/pages.h"
#include "kernelgen/patches.h"
#include "kernelgen/power.h"
#include "kernelgen/rows.h"
#include "kernelgen/selection.h"
#include "kernelgen/shifted_planes.h"
#include "kernelgen/trigonometry.h"
#include "kernelgen/types.h"
#include "kernelgen/window_products.h"
