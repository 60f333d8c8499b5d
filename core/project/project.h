// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lang/operator.h"
#include "core/project/variant.h"

namespace kernelgen {

/// An element passes where |out − ref| ≤ rtol·|ref| + atol·s (docs/ACCURACY.md).
struct Tolerance {
    double rtol = 0;
    double atol = 0;

    bool operator==(const Tolerance&) const = default;
};

/// A project's own tolerances. In JSON: {"rtol": …, "atol": …, "bf16": {"rtol": …, "atol": …}}.
struct Accuracy {
    std::optional<Tolerance> f32;  ///< the outer pair
    std::map<DType, Tolerance> named;

    bool operator==(const Accuracy&) const = default;
};

/// The project's settings of timing.
struct Performance {
    std::map<std::string, std::string> baseline;  ///< name of a variant by kind of device; the key "" is for all kinds
    double target_speedup = 1.0;
    int max_rounds = 5;
    double budget_seconds = 5;  ///< time for the samples of one case
    bool warm_caches = false;   ///< JSON "caches": "cold" (default) or "warm"

    bool operator==(const Performance&) const = default;
};

/// Another variant for the cases on which a condition holds, on the devices on which it runs. The condition may name
/// symbols, `dtype_bytes` and the numbers of the device.
struct DispatchRule {
    std::string when;
    std::string variant;

    bool operator==(const DispatchRule&) const = default;
};

/// The content of `project.json`.
struct Project {
    std::filesystem::path folder;
    Operator definition;
    std::vector<Case> cases;
    Accuracy accuracy;
    Performance performance;
    std::vector<Variant> variants;
    std::vector<DispatchRule> dispatch;  ///< the first that counts on a case chooses its variant
    std::string unread;                  ///< of a draft: the JSON of its file where parts of it could not be read

    const Variant* find_variant(std::string_view name) const;
    const Case* find_case(std::string_view name) const;

    bool operator==(const Project&) const = default;
};

/// The kinds of device that a project can name.
inline constexpr std::string_view device_kinds[] = {"cpu", "cuda"};

/// "cpu" of "cpu", "cuda" of "cuda:1".
std::string kind_of_device(std::string_view device);

/// Whether kernels run on this machine's processors, and so beside compilers, and take its memory.
inline bool runs_on_host(std::string_view device) { return kind_of_device(device) == "cpu"; }

/// Whether a file is CUDA C++ by its name, and whether a variant has such a source.
bool is_cuda_source(std::string_view file);
bool has_cuda_source(const Variant& variant);

/// Whether `variant` runs on this kind of device, by its language and its `devices`.
bool runs_on(const Variant& variant, std::string_view device);

/// The project's baseline for a device; null where the project names none that runs there.
const Variant* baseline_for(const Project& project, std::string_view device);

/// The first variant that runs on the device and is not its baseline; null where there is none.
const Variant* candidate_for(const Project& project, std::string_view device);

/// The text of a variant's source file, at most 4 MiB; empty for a library.
Result<std::string> source_text(const Project& project, const Variant& variant);

}  // namespace kernelgen
