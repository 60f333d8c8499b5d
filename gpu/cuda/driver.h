// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "core/base/result.h"

namespace kernelgen::cuda {

// The part of the CUDA driver's interface that is used, declared as in its documentation; the library is found at run
// time.
using Code = int;
using Device = int;
using Pointer = unsigned long long;
using Context = struct ContextTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using Stream = struct StreamTag*;
using Event = struct EventTag*;
using Graph = struct GraphTag*;
using GraphExec = struct GraphExecTag*;

inline constexpr Code success = 0, invalid_value = 1, out_of_memory = 2, device_unavailable = 46, no_device = 100,
                      invalid_image = 200, no_binary_for_device = 209, unsupported_ptx = 222, not_found = 500,
                      launch_out_of_resources = 701, invalid_cluster_size = 912;

enum class DeviceAttribute {
    max_threads_per_block = 1,
    max_block_x = 2,
    max_grid_x = 5,
    max_registers_per_block = 12,
    clock_khz = 13,
    multiprocessors = 16,
    compute_mode = 20,
    l2_bytes = 38,
    threads_per_multiprocessor = 39,
    capability_major = 75,
    capability_minor = 76,
    shared_per_multiprocessor = 81,
    registers_per_multiprocessor = 82,
    shared_per_block = 97,
    blocks_per_multiprocessor = 106,
    reserved_shared_per_block = 111,
};

enum class FunctionAttribute { max_threads_per_block = 0, static_shared_bytes = 1, max_dynamic_shared_bytes = 8 };

inline constexpr unsigned capture_thread_local = 1, host_memory_mapped = 2, blocking_stream = 0,
                          independent_stream = 1;  ///< does not wait for the default stream

/// The driver's functions.
struct Driver {
    Code (*init)(unsigned);
    Code (*driver_version)(int*);
    Code (*error_name)(Code, const char**);
    Code (*error_string)(Code, const char**);
    Code (*device_count)(int*);
    Code (*device_get)(Device*, int);
    Code (*device_name)(char*, int, Device);
    Code (*device_attribute)(int*, DeviceAttribute, Device);
    Code (*device_memory)(std::size_t*, Device);
    Code (*pci_bus_id)(char*, int, Device);
    Code (*retain_context)(Context*, Device);
    Code (*set_context)(Context);
    Code (*synchronize)();
    Code (*load_module)(Module*, const void*);
    Code (*unload_module)(Module);
    Code (*get_function)(Function*, Module, const char*);
    Code (*get_variable)(Pointer*, std::size_t*, Module, const char*);
    Code (*function_attribute)(int*, FunctionAttribute, Function);
    Code (*set_function_attribute)(Function, FunctionAttribute, int);
    Code (*launch)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream, void**,
                   void**);
    /// The map, type, axes, address, extents, strides, box, element strides, interleave, swizzle, L2 promotion, fill.
    Code (*encode_tensor_map)(void*, int, std::uint32_t, void*, const std::uint64_t*, const std::uint64_t*,
                              const std::uint32_t*, const std::uint32_t*, int, int, int, int);
    Code (*memory_info)(std::size_t*, std::size_t*);
    Code (*allocate)(Pointer*, std::size_t);
    Code (*release)(Pointer);
    Code (*allocate_host)(void**, std::size_t, unsigned);
    Code (*host_pointer)(Pointer*, void*, unsigned);
    Code (*release_host)(void*);
    Code (*copy_to_device)(Pointer, const void*, std::size_t);
    Code (*copy_to_host)(void*, Pointer, std::size_t);
    Code (*copy_on_device)(Pointer, Pointer, std::size_t, Stream);
    Code (*set_bytes)(Pointer, unsigned char, std::size_t, Stream);
    Code (*create_stream)(Stream*, unsigned);
    Code (*synchronize_stream)(Stream);
    Code (*create_event)(Event*, unsigned);
    Code (*record_event)(Event, Stream);
    Code (*record_context_event)(Context, Event);  ///< null before CUDA 12.5
    Code (*wait_event)(Stream, Event, unsigned);
    Code (*elapsed_ms)(float*, Event, Event);
    Code (*begin_capture)(Stream, unsigned);
    Code (*end_capture)(Stream, Graph*);
    Code (*instantiate)(GraphExec*, Graph, unsigned long long);
    Code (*launch_graph)(GraphExec, Stream);
    Code (*destroy_graph)(Graph);
    Code (*destroy_graph_exec)(GraphExec);
};

/// The driver, which is initialised once for a process. Errors, with what to do: no driver is installed, it is too old,
/// it does not start. Thread safe.
const Result<Driver>& driver();

/// The driver's text for an error: "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)".
Said error_text(Code status);

/// The driver's CUDA version, such as "13.0".
std::string driver_version_text(const Driver& driver);

}  // namespace kernelgen::cuda
