// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <set>

#include "core/base/cause_sentences.h"
#include "core/base/mend_sentences.h"
#include "core/explain/finders.h"

namespace kernelgen {

namespace {

/// Whether an input's last axis is the reduced one.
bool has_reduced_axis(const Tensor& input, const Body& body) {
    return !input.shape.empty() && input.shape.back() == body.space.back();
}

/// The symbol of the last axis, where it is the length of rows only: otherwise fewer columns would change other things.
std::string reduced_symbol(const WrongOutput& evidence) {
    const std::vector<std::string>& space = evidence.body->space;
    const std::string& symbol = space.back();
    const bool is_symbol = std::ranges::contains(evidence.definition.symbols, symbol);
    const bool is_elsewhere = std::find(space.begin(), space.end() - 1, symbol) != space.end() - 1;
    return is_symbol && !is_elsewhere ? symbol : "";
}

/// The numbers of elements, of `columns`, after which a reduction may stop too early: whole tiles, whole vectors, one
/// less, one tile.
std::set<std::int64_t> possible_ends(const Subject& subject, std::int64_t columns) {
    std::set<std::int64_t> ends = {columns - 1, columns / 2};
    for (std::int64_t step = 2; step <= 256; step *= 2) ends.insert({columns / step * step, step});
    for (const Tile& tile : tiles_of(subject.evidence.candidate, subject.tensor()).columns)
        ends.insert({columns / tile.size * tile.size, tile.size, (columns - 1) / tile.size * tile.size});
    std::erase_if(ends, [&](std::int64_t end) { return end < 1 || end >= columns; });
    return ends;
}

/// `body` with means and variances over `part` of `whole` elements, divided by the whole number.
Body divided_by_whole(Body body, std::int64_t part, std::int64_t whole) {
    std::vector<Node> nodes;
    std::vector<int> at;  ///< where each old node is now
    const double factor = static_cast<double>(part) / static_cast<double>(whole);
    for (const Node& old : body.nodes) {
        Node node = old;
        for (int& operand : node.operands) operand = at[static_cast<std::size_t>(operand)];
        nodes.push_back(node);
        if (old.op == Op::row_mean || old.op == Op::row_var) {
            Node constant{.op = Op::constant, .operands = {}, .value = factor, .label = {}, .shape = {}};
            constant.shape.assign(node.shape.size(), "1");
            nodes.push_back(constant);
            const int here = static_cast<int>(nodes.size());
            Node product = node;
            product.op = Op::multiply;
            product.operands = {here - 2, here - 1};
            nodes.push_back(product);
        }
        at.push_back(static_cast<int>(nodes.size()) - 1);
    }
    for (int& output : body.outputs) output = at[static_cast<std::size_t>(output)];
    body.nodes = std::move(nodes);
    return body;
}

struct Lost {
    std::int64_t first = 0, count = 0;  ///< the elements of a row that are reduced
};

Match match_without(const Subject& subject, const Body& body, const std::string& symbol, const Lost& kept) {
    const std::int64_t columns = subject.replay.binding.sizes.at(symbol);
    Hypothesis hypothesis{.body = body, .sizes = subject.replay.binding.sizes};
    hypothesis.sizes[symbol] = kept.count;
    hypothesis.index = [&](std::size_t input, std::int64_t element, std::int64_t) -> std::optional<std::int64_t> {
        if (!has_reduced_axis(subject.evidence.definition.inputs[input], body)) return element;
        return element / kept.count * columns + kept.first + element % kept.count;
    };
    return test(subject, hypothesis);
}

void try_part(const Subject& subject, const std::string& symbol, const Lost& kept, Causes& causes) {
    const Body& body = *subject.evidence.body;
    const std::int64_t columns = subject.replay.binding.sizes.at(symbol);
    Match best = match_without(subject, body, symbol, kept);
    if (best.confidence() < 0.9) {
        const Match other = match_without(subject, divided_by_whole(body, kept.count, columns), symbol, kept);
        if (other.confidence() > best.confidence()) best = other;
    }
    if (best.confidence() == 0) return;
    const bool is_start = kept.first > 0;
    causes.push_back({.kind = CauseKind::reduction_tail,
                      .confidence = best.confidence(),
                      .text = is_start ? say(sentences::cause_reduction_starts, kept.first, columns)
                                       : say(sentences::cause_reduction_stops, kept.count, columns),
                      .evidence = {seen_match(best)},
                      .advice = sentences::mend_reduction,
                      .places = places_of(subject.evidence.candidate, CauseKind::reduction_tail, "")});
}

}  // namespace

void find_lost_reduction(const Subject& subject, Causes& causes) {
    if (subject.evidence.body == nullptr || !subject.evidence.body->has_reductions()) return;
    const std::string symbol = reduced_symbol(subject.evidence);
    if (symbol.empty()) return;
    const std::int64_t columns = subject.replay.binding.sizes.at(symbol);
    for (const std::int64_t end : possible_ends(subject, columns)) try_part(subject, symbol, {0, end}, causes);
    if (columns > 1) try_part(subject, symbol, {1, columns - 1}, causes);
}

}  // namespace kernelgen
