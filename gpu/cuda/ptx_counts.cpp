// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/ptx_counts.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "core/base/text.h"
#include "core/measure/metrics.h"

namespace kernelgen {

namespace {

using Counts = std::map<std::string, double>;

constexpr std::string_view ptx_arithmetic[] = {"add", "sub", "mul", "fma", "div", "min",  "max", "sqrt", "rsqrt",
                                               "rcp", "ex2", "lg2", "sin", "cos", "tanh", "neg", "abs"};

/// "ld.global.v4.f32" of "@%p1 ld.global.v4.f32 {…}, [%rd1];" in its parts.
std::vector<std::string> parts_of(std::string_view line) {
    line = trim(line);
    if (line.starts_with('@')) line = trim(line.substr(std::min(line.find(' '), line.size())));
    return split(line.substr(0, line.find_first_of(" \t;")), '.');
}

bool has(const std::vector<std::string>& parts, std::string_view part) { return std::ranges::contains(parts, part); }

/// Bytes of "f32", "b16", "s64", "f16x2"; 0 for what is no type.
int bytes_of_type(std::string_view type) {
    if (type == "f16x2" || type == "bf16x2") return 4;
    if (type == "bf16") return 2;
    long long bits = 0;
    const bool is_type =
        type.size() >= 2 && std::string_view("fbsu").contains(type[0]) && parse_integer(type.substr(1), bits);
    return is_type ? static_cast<int>(bits / 8) : 0;
}

int bytes_loaded(const std::vector<std::string>& parts) {
    const int vector = has(parts, "v8") ? 8 : has(parts, "v4") ? 4 : has(parts, "v2") ? 2 : 1;
    return vector * bytes_of_type(parts.back());
}

/// Whether it is cp.async from global to shared memory: the destination is named first.
bool copies_to_shared(const std::vector<std::string>& parts) {
    const auto shared = std::ranges::find_if(parts, [](const std::string& each) { return each.starts_with("shared"); });
    return parts.front() == "cp" && has(parts, "async") && std::find(shared, parts.end(), "global") != parts.end();
}

/// Bytes that a thread copies to shared memory at once: 16 of "cp.async.cg.shared.global [%r1], [%rd2], 16;", and
/// multiples of 16 of the bulk copies.
int bytes_copied(const std::vector<std::string>& parts, std::string_view line) {
    if (has(parts, "bulk")) return 16;
    long long bytes = 0;
    for (const std::string& each : split(line, ',')) {
        if (parse_integer(trim(each.substr(0, each.find(';'))), bytes)) return static_cast<int>(bytes);
    }
    return 0;
}

bool is_integer(const std::string& type) { return type.starts_with('s') || type.starts_with('u'); }

struct Loop {
    std::size_t first, last;  ///< lines
};

/// By backward branches.
std::vector<Loop> loops_of(const std::vector<std::string>& lines) {
    std::map<std::string, std::size_t, std::less<>> labels;
    std::vector<Loop> loops;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view line = trim(lines[i]);
        if (line.ends_with(':')) labels[std::string(line.substr(0, line.size() - 1))] = i;
        const std::size_t branch = line.find("bra");
        if (branch == std::string_view::npos || !line.ends_with(';')) continue;
        const std::size_t name = line.find_last_of(" \t");
        const auto target = labels.find(line.substr(name + 1, line.size() - name - 2));
        if (target != labels.end()) loops.push_back({target->second, i});
    }
    return loops;
}

/// Whether a line is of work that the threads of a block share: barriers, tensor cores, copies to shared memory.
bool is_shared_work(const std::string& line) {
    return line.contains("bar.") || line.contains("barrier") || line.contains("mma") || line.contains("cp.async");
}

/// Whether an iteration of a loop is a tile: it has a loop within it, and the threads of a block compute it together.
bool is_of_tiles(const Loop& loop, const std::vector<Loop>& loops, const std::vector<std::string>& lines) {
    const bool has_inner = std::ranges::any_of(loops, [&](const Loop& each) {
        return each.first >= loop.first && each.last <= loop.last && each.last - each.first < loop.last - loop.first;
    });
    return has_inner && std::any_of(lines.begin() + static_cast<std::ptrdiff_t>(loop.first),
                                    lines.begin() + static_cast<std::ptrdiff_t>(loop.last), is_shared_work);
}

/// Which lines are in loops over elements. In a kernel without loops all lines count: there a thread does what an
/// iteration of a loop would.
std::vector<bool> lines_in_loops(const std::vector<std::string>& lines) {
    const std::vector<Loop> loops = loops_of(lines);
    std::vector<bool> inside(lines.size(), loops.empty());
    for (const Loop& loop : loops) {
        if (is_of_tiles(loop, loops, lines)) continue;
        std::fill(inside.begin() + static_cast<std::ptrdiff_t>(loop.first),
                  inside.begin() + static_cast<std::ptrdiff_t>(loop.last) + 1, true);
    }
    return inside;
}

void count_line(std::string_view line, bool in_loop, Counts& counts) {
    const std::vector<std::string> parts = parts_of(line);
    const std::string& name = parts.front();
    const std::string& type = parts.back();
    if (in_loop && (name == "div" || name == "rem") && is_integer(type)) counts[metrics::integer_divisions.name] += 1;
    if (std::ranges::contains(ptx_arithmetic, name) && !is_integer(type)) {
        if (type == "f64") counts[metrics::double_operations.name] += 1;
        else if (type.contains('f')) counts[metrics::single_operations.name] += 1;
    }
    if (name == "atom" || name == "red") counts[metrics::atomic_operations.name] += 1;
    if (name == "call") counts[metrics::library_calls.name] += 1;
    if ((name == "ld" || name == "st") && has(parts, "local")) counts[metrics::local_accesses.name] += 1;
    const bool is_copy = copies_to_shared(parts);
    if ((name == "ld" && has(parts, "global")) || is_copy) {
        const int bytes = is_copy ? bytes_copied(parts, line) : bytes_loaded(parts);
        counts[metrics::load_bytes.name] = std::max(counts[metrics::load_bytes.name], double(bytes));
    }
}

}  // namespace

std::map<std::string, double> ptx_counts(std::string_view ptx) {
    if (ptx.empty()) return {};
    Counts counts;
    for (const Metric& each : {metrics::double_operations, metrics::single_operations, metrics::integer_divisions,
                               metrics::atomic_operations, metrics::library_calls, metrics::local_accesses})
        counts[each.name] = 0;
    const std::vector<std::string> lines = split(ptx, '\n');
    const std::vector<bool> in_loops = lines_in_loops(lines);
    for (std::size_t i = 0; i < lines.size(); ++i) count_line(lines[i], in_loops[i], counts);
    return counts;
}

}  // namespace kernelgen
