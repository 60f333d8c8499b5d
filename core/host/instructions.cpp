// SPDX-License-Identifier: Apache-2.0
#include "core/host/instructions.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "core/base/process.h"
#include "core/base/text.h"
#include "core/measure/metrics.h"

namespace kernelgen {

namespace {

using namespace std::chrono_literals;
using Counts = std::map<std::string, double>;

struct Instruction {
    std::uint64_t address = 0;
    std::string name, operands;
};

/// The instructions of one function.
using FunctionCode = std::vector<Instruction>;

std::optional<std::uint64_t> hexadecimal(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return error == std::errc() && end != text.data() ? std::optional(value) : std::nullopt;
}

/// "  40:	vaddss (%rax),%xmm0,%xmm0"; a prefix such as `lock` is kept with the name.
std::optional<Instruction> instruction_of(std::string_view line) {
    const std::size_t colon = line.find(":\t");
    if (colon == std::string_view::npos) return std::nullopt;
    const auto address = hexadecimal(trim(line.substr(0, colon)));
    if (!address) return std::nullopt;
    std::string_view rest = trim(line.substr(colon + 2));
    std::string prefix;
    for (const std::string_view each : {"lock ", "bnd ", "notrack "}) {
        if (!rest.starts_with(each)) continue;
        if (each == "lock ") prefix = each;
        rest = trim(rest.substr(each.size()));
    }
    const std::size_t end = std::min(rest.find(' '), rest.size());
    return Instruction{*address, prefix + std::string(rest.substr(0, end)), std::string(trim(rest.substr(end)))};
}

std::vector<FunctionCode> functions_of(std::string_view disassembly) {
    std::vector<FunctionCode> functions;
    for (const std::string& line : split(disassembly, '\n')) {
        if (line.ends_with(">:")) functions.emplace_back();
        else if (auto read = instruction_of(line); read && !functions.empty())
            functions.back().push_back(std::move(*read));
    }
    return functions;
}

/// A range of instructions that a backward jump repeats.
struct CodeLoop {
    std::size_t first = 0, last = 0;
    bool is_innermost = true;
};

std::vector<CodeLoop> loops_of(const FunctionCode& code) {
    std::vector<CodeLoop> loops;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (!code[i].name.starts_with('j')) continue;
        const auto target = hexadecimal(code[i].operands);
        if (!target || *target > code[i].address || *target < code.front().address) continue;
        const auto first = std::ranges::lower_bound(code, *target, {}, &Instruction::address);
        loops.push_back({static_cast<std::size_t>(first - code.begin()), i});
    }
    for (CodeLoop& outer : loops) {
        outer.is_innermost = std::ranges::none_of(loops, [&](const CodeLoop& each) {
            return each.first >= outer.first && each.last <= outer.last &&
                   each.last - each.first < outer.last - outer.first;
        });
    }
    return loops;
}

/// "add", "mul", "fmadd231" … of a name without its `v` and its suffix.
bool is_arithmetic(std::string_view stem) {
    constexpr std::string_view names[] = {"add", "sub", "mul", "div", "max", "min", "sqrt"};
    return std::ranges::contains(names, stem) || stem.starts_with("fm") || stem.starts_with("fnm");
}

/// A floating-point instruction: "ps", "pd" are of vectors, "ss", "sd" of one number.
struct FloatInstruction {
    bool is_arithmetic = false, is_vector = false, is_double = false;
};

std::optional<FloatInstruction> float_of(const Instruction& each) {
    std::string_view name = each.name;
    if (name.size() < 4) return std::nullopt;
    const std::string_view suffix = name.substr(name.size() - 2);
    if (suffix != "ps" && suffix != "pd" && suffix != "ss" && suffix != "sd") return std::nullopt;
    name.remove_suffix(2);
    if (name.starts_with('v')) name.remove_prefix(1);
    const bool moves = name.starts_with("mov") && each.operands.contains('(');
    if (!is_arithmetic(name) && !moves) return std::nullopt;
    return FloatInstruction{!moves, suffix[0] == 'p', suffix[1] == 'd'};
}

bool moves_integers_of_vectors(const Instruction& each) {
    return each.name.contains("movdq") && each.operands.contains('(');
}

std::string last_operand(const std::string& operands) {
    return operands.substr(std::min(operands.size(), operands.rfind(',') + 1));
}

/// Whether an instruction adds to its target: "vaddss x,%xmm0,%xmm0", "vfmadd231ss x,y,%xmm0", "addss x,%xmm0".
bool accumulates(const Instruction& each) {
    const std::string target = last_operand(each.operands);
    if (each.name.contains("231")) return true;
    if (!each.name.starts_with('v')) return true;
    const std::string sources = each.operands.substr(0, each.operands.size() - target.size());
    return sources.ends_with(target + ",");
}

/// Whether the scalar arithmetic of a loop waits for itself: most of it adds to registers that nothing else in the loop
/// sets.
bool is_chained(const FunctionCode& code, const CodeLoop& loop) {
    std::map<std::string, int> added;
    std::set<std::string> set_otherwise;
    int arithmetic = 0;
    for (std::size_t i = loop.first; i <= loop.last; ++i) {
        const auto floats = float_of(code[i]);
        const std::string target = last_operand(code[i].operands);
        const bool scalar = floats && floats->is_arithmetic && !floats->is_vector;
        arithmetic += scalar ? 1 : 0;
        if (scalar && accumulates(code[i])) ++added[target];
        else if (target.starts_with("%xmm")) set_otherwise.insert(target);
    }
    int carried = 0, chains = 0;
    for (const auto& [target, count] : added) {
        if (set_otherwise.contains(target)) continue;
        carried += count;
        ++chains;
    }
    constexpr int independent_chains = 4;  // as many as hide the latency of an addition
    return chains > 0 && chains < independent_chains && 2 * carried >= arithmetic;
}

void count_innermost(const FunctionCode& code, const CodeLoop& loop, Counts& counts) {
    int vectors = 0, scalars = 0;
    for (std::size_t i = loop.first; i <= loop.last; ++i) {
        const auto floats = float_of(code[i]);
        if (moves_integers_of_vectors(code[i]) || (floats && floats->is_vector)) ++vectors;
        else if (floats) ++scalars;
    }
    if (vectors + scalars == 0) return;
    counts[vectors > scalars ? metrics::vector_loops.name : metrics::scalar_loops.name] += 1;
    if (scalars >= vectors && is_chained(code, loop)) counts[metrics::chained_loops.name] += 1;
}

/// The functions of the disassembly. Programs call their kernel in a loop: a call of one of these is no library's.
using FunctionNames = std::set<std::string, std::less<>>;

FunctionNames names_of_functions(std::string_view disassembly) {
    FunctionNames names;
    for (const std::string& line : split(disassembly, '\n')) {
        if (line.ends_with(">:")) names.insert(line.substr(line.find('<') + 1, line.size() - line.find('<') - 3));
    }
    return names;
}

/// "slow" of "1030 <slow@plt>"; empty where the target has no name.
std::string_view name_of_target(std::string_view target) {
    const std::size_t begin = target.find('<');
    if (begin == std::string_view::npos) return {};
    target.remove_prefix(begin + 1);
    return target.substr(0, target.find_first_of("@+>"));
}

/// Functions that find or make a thread's buffer: they are called for a buffer, not for an element.
constexpr std::string_view functions_of_buffers[] = {"__tls_get_addr", "__cxa_thread_atexit", "aligned_alloc", "free",
                                                     "abort"};

bool is_integer_division(std::string_view name) {
    return name.starts_with("idiv") || name == "div" || name == "divq" || name == "divl";
}

void count_operation(const Instruction& each, const FunctionNames& own, Counts& counts) {
    if (const auto floats = float_of(each); floats && floats->is_arithmetic)
        counts[floats->is_double ? metrics::double_operations.name : metrics::single_operations.name] += 1;
    if (!each.name.starts_with("call")) return;
    const std::string_view target = name_of_target(each.operands);
    if (!own.contains(target) && !std::ranges::contains(functions_of_buffers, target))
        counts[metrics::library_calls.name] += 1;
}

void count_function(const FunctionCode& code, const FunctionNames& own, Counts& counts) {
    std::set<std::size_t> in_loops, in_innermost;
    for (const CodeLoop& loop : loops_of(code)) {
        for (std::size_t i = loop.first; i <= loop.last; ++i) {
            in_loops.insert(i);
            if (loop.is_innermost) in_innermost.insert(i);
        }
        if (loop.is_innermost) count_innermost(code, loop, counts);
    }
    for (const std::size_t i : in_loops) count_operation(code[i], own, counts);
    // A division in an outer loop is one for each row or tile, whose inner loop takes longer.
    counts[metrics::integer_divisions.name] += static_cast<double>(
        std::ranges::count_if(in_innermost, [&](std::size_t i) { return is_integer_division(code[i].name); }));
    counts[metrics::atomic_operations.name] +=
        static_cast<double>(std::ranges::count_if(code, [](const Instruction& each) {
            return each.name.starts_with("lock ") || (each.name == "xchg" && each.operands.contains('('));
        }));
}

}  // namespace

std::map<std::string, double> instruction_counts(std::string_view disassembly) {
    if (!disassembly.contains("file format elf64-x86-64")) return {};
    Counts counts;
    for (const Metric& each :
         {metrics::vector_loops, metrics::scalar_loops, metrics::chained_loops, metrics::double_operations,
          metrics::single_operations, metrics::integer_divisions, metrics::library_calls, metrics::atomic_operations})
        counts[each.name] = 0;
    const FunctionNames own = names_of_functions(disassembly);
    for (const FunctionCode& each : functions_of(disassembly)) count_function(each, own, counts);
    return counts;
}

std::map<std::string, double> instruction_counts_of(const std::filesystem::path& object) {
    constexpr std::size_t most_bytes = 8 << 20;
    const Command command{.arguments = {"objdump", "-d", "--no-show-raw-insn", "-j", ".text", object.string()},
                          .environment = {{"LC_ALL", "C"}},
                          .folder = {},
                          .descriptors = {}};
    const Result<Finished> finished = run_to_end(command, {}, 10s, most_bytes);
    if (!finished || !finished->exit.success()) return {};
    return instruction_counts(finished->output);
}

}  // namespace kernelgen
