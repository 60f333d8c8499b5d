// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace kernelgen {

/// The machine and software with which a number was measured.
struct Environment {
    std::string device;       ///< "cpu"
    std::string hardware;     ///< model name
    int threads = 0;          ///< of a CPU that kernels run on
    int multiprocessors = 0;  ///< of a GPU
    std::string caches;       ///< "L1d 48 KiB, L2 1 MiB, L3 32 MiB"
    double memory_gib = 0;
    std::string clocks;            ///< governor and frequency where they can be read, else "not readable"
    std::string instruction_set;   ///< "AVX-512, F16C, FMA"
    std::string operating_system;  ///< distribution and kernel release
    std::string compiler;          ///< path and version, or "none"
    std::string libraries;         ///< "oneDNN 3.7.1", or ""
    std::string driver;            ///< of an accelerator
    std::string kernelgen;         ///< version of this program
};

/// A hash of everything that influences measurements: all fields except `kernelgen` and the current frequency.
std::string fingerprint(const Environment& environment);

nlohmann::json to_json(const Environment& environment);
Environment environment_from_json(const nlohmann::json& json);

}  // namespace kernelgen
