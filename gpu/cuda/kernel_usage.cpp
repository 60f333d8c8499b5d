// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernel_usage.h"

#include <algorithm>
#include <cctype>

#include "core/base/text.h"

namespace kernelgen {
namespace {

/// The text between two marks, or "" where they are not there.
std::string between(const std::string& line, std::string_view before, std::string_view after) {
    const std::size_t start = line.find(before);
    if (start == std::string::npos) return "";
    const std::size_t from = start + before.size();
    const std::size_t end = line.find(after, from);
    return line.substr(from, end == std::string::npos ? end : end - from);
}

/// The sum of the numbers that stand right before `unit`; "8+4 bytes smem" has two.
std::int64_t number_before(const std::string& line, std::string_view unit) {
    std::int64_t sum = 0;
    for (std::size_t end = line.find(unit); end != std::string::npos; end = line.find(unit, end + 1)) {
        std::size_t begin = end;
        while (begin > 0 && (std::isdigit(static_cast<unsigned char>(line[begin - 1])) || line[begin - 1] == '+'))
            --begin;
        for (const std::string& part : split(line.substr(begin, end - begin), '+')) {
            if (long long value = 0; parse_integer(part, value)) sum += value;
        }
    }
    return sum;
}

}  // namespace

std::int64_t launch_bound(std::string_view ptx, const std::string& entry) {
    const std::size_t start = ptx.find(".entry " + entry + "(");
    if (start == std::string_view::npos) return 0;
    const std::string head(ptx.substr(start, ptx.find('{', start) - start));
    const std::string extents = between(head, ".maxntid ", "\n");
    if (extents.empty()) return 0;
    std::int64_t threads = 1;
    for (const std::string& extent : split(extents, ',')) {
        if (long long value = 0; parse_integer(trim(extent), value)) threads *= value;
    }
    return threads;
}

std::vector<KernelUsage> parse_kernel_usage(std::string_view log) {
    std::vector<KernelUsage> kernels;
    for (const std::string& line : split(log, '\n')) {
        if (const std::string entry = between(line, "Compiling entry function '", "'"); !entry.empty()) {
            kernels.emplace_back().entry = entry;
        } else if (kernels.empty()) {
            continue;
        } else if (line.find(" bytes stack frame") != std::string::npos) {
            // The kernel's, or those of a function that it calls: these are printed for each kernel.
            kernels.back().stack_bytes =
                std::max(kernels.back().stack_bytes, number_before(line, " bytes stack frame"));
            kernels.back().spill_store_bytes += number_before(line, " bytes spill stores");
            kernels.back().spill_load_bytes += number_before(line, " bytes spill loads");
        } else if (line.find("Used ") != std::string::npos && line.find(" registers") != std::string::npos) {
            kernels.back().registers = static_cast<int>(number_before(line, " registers"));
            kernels.back().barriers = static_cast<int>(number_before(line, " barriers"));
            kernels.back().static_shared_bytes = number_before(line, " bytes smem");
            kernels.back().constant_bytes = number_before(line, " bytes cmem");
        }
    }
    return kernels;
}

}  // namespace kernelgen
