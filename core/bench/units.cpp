// SPDX-License-Identifier: Apache-2.0
#include "core/bench/units.h"

#include <algorithm>
#include <iterator>

#include "core/verify/stretch.h"

namespace kernelgen {
namespace {

constexpr std::int64_t most_judged = std::int64_t{4} << 20;  ///< elements of all units' rows together
constexpr std::size_t most_exchanged_bytes = 16 << 20;       ///< of inputs that are exchanged as a whole
constexpr std::int64_t apart = 16;          ///< elements between two units, so that no word of 8 bytes belongs to both
constexpr std::int64_t fewest_mixing = 16;  ///< with fewer, mixed calls would soon have the same inputs again

std::int64_t draw(std::int64_t count, std::mt19937_64& random) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
}

/// Random numbers below `count`, ascending, at least `distance` from each other.
std::vector<std::int64_t> places(std::int64_t count, std::int64_t distance, std::int64_t most,
                                 std::mt19937_64& random) {
    std::vector<std::int64_t> drawn;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(most, most_units); ++i) drawn.push_back(draw(count, random));
    std::ranges::sort(drawn);
    std::vector<std::int64_t> kept;
    for (const std::int64_t place : drawn) {
        if (kept.empty() || place - kept.back() >= distance) kept.push_back(place);
    }
    return kept;
}

/// How many elements a piece of an input has: one in half of all, so that none can be told by looking at some elements
/// only.
std::int64_t draw_length(std::mt19937_64& random) {
    return draw(2, random) == 0 ? 1 : 1 + draw(most_unit_columns, random);
}

/// How an input lies in the space, where it has a row of its own for each of the space's rows.
struct FullInput {
    int number = 0;
    RowMap map;
};

std::vector<FullInput> full_inputs(const Operator& definition, const Body& body, const Case& binding, Space space) {
    std::vector<FullInput> found;
    for (std::size_t i = 0; i < definition.inputs.size(); ++i) {
        const RowMap map = row_map(body, definition.inputs[i], binding.sizes);
        const bool has_columns = map.columns == space.columns;
        if (map.rows == space.rows && (has_columns || body.has_reductions()))
            found.push_back({static_cast<int>(i), map});
    }
    return found;
}

/// Whether elements of an input can have those of another seed in their place. For integers of a `callable` operator
/// this is not known: they may be a permutation, or offsets that ascend. An input that a call changes is restored as a
/// whole, and inputs that belong together are exchanged as a whole.
bool takes_places(const Operator& definition, std::size_t input, const Case& binding) {
    const Tensor& tensor = definition.inputs[input];
    return !has_file(definition.family) ||
           (!tensor.is_mutated && !tensor.is_linked && !is_integer(dtype_of(tensor, binding)));
}

std::size_t bytes_of_input(const Operator& definition, std::size_t input, const Case& binding) {
    const Tensor& tensor = definition.inputs[input];
    return static_cast<std::size_t>(element_count(tensor, binding.sizes).value_or(0)) *
           size_of(dtype_of(tensor, binding));
}

/// The inputs that belong together, whole, where they are small and no call changes one.
std::vector<InputSpan> linked_inputs(const Operator& definition, const Case& binding) {
    std::vector<InputSpan> spans;
    if (bytes_of_whole_inputs(definition, binding) == 0) return spans;
    for (std::size_t i = 0; i < definition.inputs.size(); ++i) {
        const Tensor& input = definition.inputs[i];
        if (!input.is_linked) continue;
        if (input.is_mutated) return {};
        spans.push_back({static_cast<int>(i), 0, element_count(input, binding.sizes).value_or(0)});
    }
    return spans;
}

/// The unit of a `callable` operator without floating-point inputs: the inputs as a whole, where they are small.
std::vector<Unit> whole_inputs(const Operator& definition, const Case& binding) {
    if (bytes_of_whole_inputs(definition, binding) == 0) return {};
    Unit unit;
    for (std::size_t i = 0; i < definition.inputs.size(); ++i) {
        if (definition.inputs[i].is_mutated) continue;
        unit.inputs.push_back({static_cast<int>(i), 0, element_count(definition.inputs[i], binding.sizes).value_or(0)});
    }
    return {unit};
}

/// One unit of spans all over the inputs. `is_sparse`: one element of each input, so that a kernel which looks at a
/// part of the inputs hardly sees it; else many elements, since outputs may not depend on every element. Of a small
/// input it leaves enough elements for mixing_units, so that calls can be mixed in all phases of a timing or in none.
std::vector<Unit> one_unit(const Operator& definition, const Case& binding, bool is_sparse, std::mt19937_64& random) {
    Unit unit;
    for (std::size_t i = 0; i < definition.inputs.size(); ++i) {
        const std::int64_t elements = element_count(definition.inputs[i], binding.sizes).value_or(0);
        if (elements == 0 || !takes_places(definition, i, binding)) continue;
        std::int64_t room = elements > fewest_mixing ? elements - fewest_mixing : elements;
        for (const std::int64_t first : places(elements, most_unit_columns, is_sparse ? 1 : most_units, random)) {
            const std::int64_t length = is_sparse ? 1 : std::min({draw_length(random), elements - first, room});
            if (length == 0) break;
            unit.inputs.push_back({static_cast<int>(i), first, length});
            room -= length;
        }
    }
    if (unit.inputs.empty()) return whole_inputs(definition, binding);
    std::ranges::copy(linked_inputs(definition, binding), std::back_inserter(unit.inputs));
    return {unit};
}

/// The unit of columns [first, first + count) of a row; all columns of the outputs depend on it if `whole_row`.
Unit unit_at(std::int64_t row, std::int64_t first, std::int64_t count, bool whole_row,
             const std::vector<FullInput>& inputs, const std::vector<RowMap>& outputs, const Stretches& stretches) {
    Unit unit;
    for (const FullInput& input : inputs) {
        const bool one = input.map.columns == 1;
        unit.inputs.push_back({input.number, input.map(row) * input.map.columns + (one ? 0 : first), one ? 1 : count});
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const std::int64_t columns = outputs[i].columns, begin = outputs[i](row) * columns;
        const bool all = whole_row || columns == 1;
        unit.outputs.push_back({static_cast<int>(i), begin + (all ? 0 : first), all ? columns : count});
    }
    const std::int64_t before = row * stretches.per_row;
    if (whole_row) {
        for (std::int64_t i = 0; i < stretches.per_row; ++i) unit.stretches.push_back(before + i);
    } else {
        unit.stretches.push_back(before + first / Stretch::most_columns);
    }
    return unit;
}

bool is_in(const std::vector<InputSpan>& spans, int input, std::int64_t place) {
    return std::ranges::any_of(spans, [&](const InputSpan& span) {
        return span.input == input && place >= span.first && place < span.first + span.count;
    });
}

/// Elements of an input, drawn at random, that are in none of `spans`: most_units, or all where there are fewer.
std::vector<std::int64_t> places_outside(const std::vector<InputSpan>& spans, int input, std::int64_t elements,
                                         std::mt19937_64& random) {
    constexpr std::int64_t small = std::int64_t{2} * most_units * most_unit_columns;  // spans may hold half of it
    std::vector<std::int64_t> candidates, chosen;
    if (elements > small) {
        candidates = places(elements, 1, most_units, random);
    } else {
        for (std::int64_t place = 0; place < elements; ++place) candidates.push_back(place);
    }
    std::erase_if(candidates, [&](std::int64_t place) { return is_in(spans, input, place); });
    std::ranges::sample(candidates, std::back_inserter(chosen), most_units, random);
    return chosen;
}

}  // namespace

std::size_t bytes_of_whole_inputs(const Operator& definition, const Case& binding) {
    if (!has_file(definition.family)) return 0;
    std::size_t bytes = 0, linked = 0;
    bool is_any_in_places = false;
    for (std::size_t i = 0; i < definition.inputs.size(); ++i) {
        is_any_in_places |= takes_places(definition, i, binding);
        if (definition.inputs[i].is_mutated) continue;
        bytes += bytes_of_input(definition, i, binding);
        if (definition.inputs[i].is_linked) linked += bytes_of_input(definition, i, binding);
    }
    const std::size_t whole = is_any_in_places ? linked : bytes;
    return whole <= most_exchanged_bytes ? whole : 0;
}

std::vector<Unit> choose_units(const Operator& definition, const Body* body, const Case& binding, bool is_sparse,
                               std::mt19937_64& random) {
    if (body == nullptr || body->contraction || body->attention)
        return one_unit(definition, binding, is_sparse, random);
    const Stretches stretches(*space_of(*body, binding.sizes));
    const Space space = stretches.space;
    const std::vector<FullInput> inputs = full_inputs(definition, *body, binding, space);
    if (inputs.empty()) return one_unit(definition, binding, is_sparse, random);
    std::vector<RowMap> outputs;
    std::int64_t narrowest = space.columns;
    for (const Tensor& output : definition.outputs) {
        outputs.push_back(row_map(*body, output, binding.sizes));
        narrowest = std::min(narrowest, outputs.back().columns);
    }
    std::vector<Unit> units;
    if (body->has_reductions()) {
        const std::int64_t most = std::max<std::int64_t>(1, most_judged / space.columns);
        for (const std::int64_t row : places(space.rows, 1 + apart / narrowest, most, random)) {
            const std::int64_t first = draw(space.columns, random);
            const std::int64_t count = std::min(draw_length(random), space.columns - first);
            units.push_back(unit_at(row, first, count, true, inputs, outputs, stretches));
        }
        return units;
    }
    for (const std::int64_t place : places(space.rows * space.columns, most_unit_columns + apart, most_units, random)) {
        const std::int64_t row = place / space.columns, first = place % space.columns;
        const std::int64_t end = std::min(space.columns, (first / Stretch::most_columns + 1) * Stretch::most_columns);
        const std::int64_t count = std::min(draw_length(random), end - first);
        units.push_back(unit_at(row, first, count, false, inputs, outputs, stretches));
    }
    return units;
}

std::vector<Unit> mixing_units(const Operator& definition, const Case& binding, const std::vector<Unit>& units,
                               std::mt19937_64& random) {
    if (units.size() != 1 || !units[0].outputs.empty()) return {};
    std::vector<Unit> mixing;
    for (std::size_t i = 0; i < definition.inputs.size(); ++i) {
        const std::int64_t elements = element_count(definition.inputs[i], binding.sizes).value_or(0);
        if (elements == 0 || !takes_places(definition, i, binding)) continue;
        std::size_t unit = 0;
        for (const std::int64_t place : places_outside(units[0].inputs, static_cast<int>(i), elements, random)) {
            if (unit == mixing.size()) mixing.emplace_back();
            mixing[unit++].inputs.push_back({static_cast<int>(i), place, 1});
        }
    }
    return std::ssize(mixing) < fewest_mixing ? std::vector<Unit>() : mixing;
}

}  // namespace kernelgen
