// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/edits.h"

#include <algorithm>
#include <format>
#include <functional>
#include <regex>

#include "core/base/text.h"
#include "core/lang/body.h"
#include "core/strategy/moves.h"
#include "core/strategy/source_view.h"

namespace kernelgen {

namespace {

/// The implementation that an edit changes, with its operator and cases.
struct Edited {
    const Operator& definition;
    const Implementation& implementation;
    std::span<const Case> cases;
    std::string code;  ///< the text without comments and quotes

    const std::string& text() const { return implementation.text; }
    const Variant& variant() const { return implementation.variant; }
};

struct Insertion {
    std::size_t place = 0, length = 0;  ///< so many bytes there are replaced
    std::string text;
};

std::string with_insertions(std::string text, std::vector<Insertion> insertions) {
    std::ranges::sort(insertions, std::ranges::greater(), &Insertion::place);
    for (const Insertion& each : insertions) text.replace(each.place, each.length, each.text);
    return text;
}

std::vector<std::smatch> all_matches(const std::string& code, const std::regex& pattern) {
    return {std::sregex_iterator(code.begin(), code.end(), pattern), std::sregex_iterator()};
}

std::size_t place_of(const std::smatch& match, std::size_t group = 0) {
    return static_cast<std::size_t>(match.position(group));
}

/// Adds launch bounds to a CUDA kernel: the launch's number of threads. It may name tunables, since these are macros.
std::string launch_bounds(const Edited& source) {
    const Variant& variant = source.variant();
    if (variant.launches.size() != 1 || variant.launches[0].block.empty()) return source.text();
    if (source.code.contains("__launch_bounds__")) return source.text();
    std::string threads;
    for (const std::string& each : variant.launches[0].block)
        threads += (threads.empty() ? "" : " * ") + ("(" + each + ")");
    if (variant.launches[0].block.size() == 1) threads = variant.launches[0].block[0];
    static const std::regex kernel(R"(__global__\s+void\s+)");
    std::vector<Insertion> insertions;
    for (const std::smatch& each : all_matches(source.code, kernel))
        insertions.push_back({place_of(each) + static_cast<std::size_t>(each.length()), 0,
                              std::format("__launch_bounds__({}) ", threads)});
    return insertions.size() == 1 ? with_insertions(source.text(), insertions) : source.text();
}

/// `__launch_bounds__(threads, blocks)` asks for room for that many blocks.
std::string looser_launch_bounds(const Edited& source) {
    static const std::regex bounds(R"(__launch_bounds__\s*\()");
    std::vector<Insertion> insertions;
    for (const std::smatch& each : all_matches(source.code, bounds)) {
        const std::size_t open = place_of(each) + static_cast<std::size_t>(each.length()) - 1;
        const std::size_t close = closing(source.code, open);
        if (close == std::string::npos) continue;
        int depth = 0;
        for (std::size_t i = open + 1; i < close; ++i) {
            if (source.code[i] == '(') ++depth;
            if (source.code[i] == ')') --depth;
            if (source.code[i] != ',' || depth > 0) continue;
            insertions.push_back({i, close - i, ""});
            break;
        }
    }
    return with_insertions(source.text(), insertions);
}

/// Turns double precision into single: constants get an `f`, and C's functions of double their names for float.
std::string single_precision(const Edited& source) {
    const bool is_double = source.definition.arithmetic == DType::f64 ||
                           std::ranges::any_of(source.cases, [](const Case& each) { return each.dtype == DType::f64; });
    if (is_double) return source.text();
    static const std::regex literal(R"((?:^|[^\w.])((?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)(?![\w.]))");
    static const std::regex function(R"((?:^|[^\w:.])(exp|log|tanh|erf|sqrt|pow|fabs|fmax|fmin|sin|cos|rsqrt)\s*\()");
    std::vector<Insertion> insertions;
    for (const std::smatch& each : all_matches(source.code, literal))
        insertions.push_back({place_of(each, 1) + static_cast<std::size_t>(each.length(1)), 0, "f"});
    for (const std::smatch& each : all_matches(source.code, function))
        insertions.push_back({place_of(each, 1) + static_cast<std::size_t>(each.length(1)), 0, "f"});
    static const std::regex type(R"(\bdouble\b)");
    for (const std::smatch& each : all_matches(source.code, type)) insertions.push_back({place_of(each), 6, "float"});
    return with_insertions(source.text(), insertions);
}

/// Replaces functions of float by CUDA's own approximations.
std::string fast_math_functions(const Edited& source) {
    if (source.variant().language != Language::cuda) return source.text();
    static const std::regex function(R"((?:^|[^\w:.])(expf|logf|powf|sinf|cosf)\s*\()");
    std::vector<Insertion> insertions;
    for (const std::smatch& each : all_matches(source.code, function))
        insertions.push_back({place_of(each, 1), 0, "__"});
    return with_insertions(source.text(), insertions);
}

/// The pointers of the variant's entry.
std::string restrict_pointers(const Edited& source) {
    static const std::regex pointer(R"(\*\s*(?=\w+\s*(,|$)))");
    const std::regex entry("\\b" + source.variant().entry + R"(\s*\()");
    const std::vector<std::smatch> found = all_matches(source.code, entry);
    if (source.variant().entry.empty() || found.empty()) return source.text();
    const std::size_t open = place_of(found.front()) + static_cast<std::size_t>(found.front().length()) - 1;
    const std::size_t close = closing(source.code, open);
    if (close == std::string::npos) return source.text();
    const std::string parameters = source.code.substr(open + 1, close - open - 1);
    if (parameters.contains("restrict")) return source.text();
    std::vector<Insertion> insertions;
    for (const std::smatch& each : all_matches(parameters, pointer))
        insertions.push_back({open + 1 + place_of(each), static_cast<std::size_t>(each.length()), "* __restrict__ "});
    return with_insertions(source.text(), insertions);
}

/// Whether all rows of the operator's outputs share an input.
bool is_shared(const Operator& definition, std::string_view input) {
    const auto found = std::ranges::find(definition.inputs, input, &Tensor::name);
    if (found == definition.inputs.end() || definition.outputs.empty()) return false;
    return found->shape.size() < definition.outputs.front().shape.size();
}

/// Adds an eviction policy to Triton's loads: what all rows share stays in the cache, other loads are evicted first.
std::string eviction_policy(const Edited& source) {
    if (source.code.contains("eviction_policy")) return source.text();
    static const std::regex load(R"(\btl\.load\s*\(\s*(\w+))");
    std::vector<Insertion> insertions;
    for (const std::smatch& each : all_matches(source.code, load)) {
        const std::size_t close = closing(source.code, source.code.find('(', place_of(each)));
        if (close == std::string::npos) continue;
        std::string name = each[1];
        if (name.ends_with("_ptr")) name.resize(name.size() - 4);
        const char* policy = is_shared(source.definition, name) ? "evict_last" : "evict_first";
        const std::size_t last = source.code.find_last_not_of(" \t\n", close - 1);
        const bool has_comma = source.code[last] == ',';
        insertions.push_back(
            {has_comma ? last + 1 : close, 0,
             std::format("{} eviction_policy='{}'{}", has_comma ? "" : ",", policy, has_comma ? "," : "")});
    }
    return with_insertions(source.text(), insertions);
}

std::string grid_2d(const Edited& source) {
    if (source.variant().language != Language::triton) return source.text();
    return with_grid_2d(source.text()).value_or(source.text());
}

/// A literal that decides what a tunable would, though project.json does not have it: `num_warps=8`.
struct Literal {
    std::string_view name;
    std::int64_t value = 0;
    std::size_t place = 0, length = 0;
};

/// Literals of Python sources whose role strategies know, each the only one of its name.
std::vector<Literal> literals_of(const Edited& source) {
    static const std::regex assignment(R"(\b([A-Za-z_]\w*)\s*=\s*(\d+)(?=\s*[,)\n]))");
    std::vector<Literal> literals;
    std::vector<std::string> seen;
    for (const std::smatch& each : all_matches(source.code, assignment)) {
        const std::string name = each[1];
        if (std::ranges::contains(seen, name))
            std::erase_if(literals, [&](const Literal& one) { return one.name == name; });
        const bool is_tunable = std::ranges::contains(source.variant().tunables, name, &Tunable::name);
        long long value = 0;
        if (!std::ranges::contains(seen, name) && !role_of_tunable(name).empty() && !is_tunable &&
            parse_integer(each[2].str(), value)) {
            const std::string_view text(source.code);
            literals.push_back({text.substr(place_of(each, 1), name.size()), value, place_of(each, 2),
                                static_cast<std::size_t>(each.length(2))});
        }
        seen.push_back(name);
    }
    return literals;
}

/// The moves of a strategy over the literals, as if they were tunables with powers of two (stages: 1 … 4).
std::vector<std::string> literal_moves(std::string_view strategy, const Edited& source) {
    Implementation as_tunables{.variant = {}, .text = {}, .configuration = {}};
    const std::vector<Literal> literals = literals_of(source);
    for (const Literal& each : literals) {
        Tunable tunable{.name = std::string(each.name), .values = {}, .value = each.value};
        const bool counts = role_of_tunable(each.name) == "stages";
        for (std::int64_t value = 1; value <= (counts ? 4 : 65536); value = counts ? value + 1 : value * 2)
            tunable.values.push_back(value);
        as_tunables.configuration[tunable.name] = each.value;
        as_tunables.variant.tunables.push_back(std::move(tunable));
    }
    std::vector<std::string> texts;
    for (const Configuration& values : moves_of(strategy, as_tunables, {})) {
        std::vector<Insertion> insertions;
        for (const Literal& each : literals) {
            const auto value = values.find(std::string(each.name));
            if (value != values.end()) insertions.push_back({each.place, each.length, std::to_string(value->second)});
        }
        texts.push_back(with_insertions(source.text(), insertions));
    }
    return texts;
}

/// The host's programs in another order: the last axis becomes the slowest.
std::optional<EditSource> grid_order(const Edited& source) {
    if (source.variant().language != Language::cpp || source.variant().launches.size() != 1) return std::nullopt;
    Launch launch = source.variant().launches[0];
    const std::size_t axes = launch.grid.size();
    if (axes < 2) return std::nullopt;
    if (!launch.order.empty()) {
        launch.order.clear();
    } else {
        for (std::size_t i = axes; i > 0; --i) launch.order.push_back(static_cast<int>(i) - 1);
    }
    return EditSource{.text = source.text(), .line = 1, .launches = {launch}};
}

struct TextEdit {
    std::string_view strategy;
    std::string (*edit)(const Edited& source);
    bool is_python;  ///< for Triton; otherwise for C++ and CUDA
};

constexpr TextEdit text_edits[] = {{"launch_bounds", launch_bounds, false},
                                   {"looser_launch_bounds", looser_launch_bounds, false},
                                   {"single_precision", single_precision, false},
                                   {"fast_math_functions", fast_math_functions, false},
                                   {"restrict_pointers", restrict_pointers, false},
                                   {"eviction_policy", eviction_policy, true},
                                   {"grid_2d", grid_2d, true}};

}  // namespace

std::vector<EditSource> edits_of(std::string_view strategy, const Operator& definition,
                                 const Implementation& implementation, std::span<const Case> cases) {
    const Language language = implementation.variant.language;
    if (language == Language::library || language == Language::torch) return {};
    const bool is_python = runs_in_python(language) && language != Language::extension;
    const Edited source{definition, implementation, cases, without_comments(implementation.text, is_python)};
    if (strategy == "grid_order") {
        const auto edit = grid_order(source);
        return edit ? std::vector{*edit} : std::vector<EditSource>();
    }
    std::vector<std::string> texts;
    for (const TextEdit& each : text_edits) {
        if (each.strategy == strategy && each.is_python == is_python) texts.push_back(each.edit(source));
    }
    if (is_python) std::ranges::move(literal_moves(strategy, source), std::back_inserter(texts));
    std::vector<EditSource> edits;
    for (std::string& text : texts) {
        const int line = first_difference(implementation.text, text);
        if (text != implementation.text) edits.push_back({.text = std::move(text), .line = line, .launches = {}});
    }
    return edits;
}

}  // namespace kernelgen
