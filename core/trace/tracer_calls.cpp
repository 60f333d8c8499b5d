// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "core/trace/number.h"
#include "core/trace/tracer.h"

namespace kernelgen {

namespace {

using Kind = CodeNode::Kind;

constexpr int deepest_traced_calls = 8;

std::string_view last_part(std::string_view name) {
    const std::size_t colons = name.rfind("::");
    return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

bool is_named_like(std::string_view name, std::string_view word) { return name.contains(word); }

/// Whether a method belongs to a value in memory, such as `fetch_add` of std::atomic_ref.
bool is_method(const CodeNode& call) { return call.has_value; }

}  // namespace

std::vector<TracedValue> Tracer::arguments_of(const CodeNode& call) {
    std::vector<TracedValue> values;
    for (std::size_t i = is_method(call) ? 1 : 0; i < call.parts.size(); ++i) {
        const CodeNode& argument = *call.parts[i];
        if (argument.kind == Kind::lambda) miss(argument, call.text);
        values.push_back(argument.kind == Kind::lambda ? TracedValue{} : value(argument));
    }
    return values;
}

TracedValue Tracer::call(const CodeNode& node) {
    if (is_method(node)) {
        const CodeNode& object = *node.parts[0];
        const CodeNode& owner = object.kind == Kind::member ? *object.parts[0] : object;
        // A method of an atomic reference: the reference's argument is what it changes.
        if (owner.kind == Kind::call && is_named_like(owner.text, "atomic") && !owner.parts.empty())
            access(node, AccessKind::atomic, target(*owner.parts[0]).place);
        else value(owner);
        arguments_of(node);
        return {};
    }
    const std::string_view name = last_part(node.text);
    if (is_named_like(name, "atomic") && !node.parts.empty()) {
        access(node, AccessKind::atomic, indexed(value(*node.parts[0]), number_or_unknown(0)));
        for (std::size_t i = 1; i < node.parts.size(); ++i) value(*node.parts[i]);
        return {};
    }
    const std::vector<TracedValue> arguments = arguments_of(node);
    if (const auto known = call_known(node, arguments)) return *known;
    const CodeFunction* function = file_.find(node.text);
    if (function != nullptr && calls_ < deepest_traced_calls) return call_function(*function, arguments);
    for (const TracedValue& each : arguments) {
        // A function that is given a tensor may read it in ways that are not seen here.
        if (each.kind == TracedValue::Kind::place) miss(node, node.text);
    }
    return {};
}

TracedValue Tracer::call_function(const CodeFunction& function, std::vector<TracedValue> arguments) {
    // The function sees the globals and its parameters, none of its caller's names.
    std::deque<Scope> callers;
    for (std::size_t i = 1; i < scopes_.size(); ++i) callers.push_back(std::move(scopes_[i]));
    scopes_.resize(1);
    Scope& own = scopes_.emplace_back();
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
        own[function.parameters[i].name] = i < arguments.size() ? arguments[i] : TracedValue{};
    ++calls_;
    given_ = {};
    run(*function.body);
    --calls_;
    scopes_.resize(1);
    for (Scope& each : callers) scopes_.push_back(std::move(each));
    return std::exchange(given_, {});
}

/// Functions of CUDA, of the standard library and of kernelgen's headers, as far as they compute or access something.
std::optional<TracedValue> Tracer::call_known(const CodeNode& node, const std::vector<TracedValue>& arguments) {
    const std::string_view name = last_part(node.text);
    const std::size_t count = arguments.size();
    const auto at = [&](std::size_t pointer, std::size_t index) {
        return indexed(arguments[pointer], index < count ? arguments[index] : number_or_unknown(0));
    };
    const bool is_load =
        name == "__ldg" || name == "load_one" || name == "__ldcs" || name == "__ldcg" || name == "load";
    if (is_load && count >= 1) {
        access(node, AccessKind::load, at(0, name == "load" ? 1 : count));
        return TracedValue{};
    }
    if ((name == "__stcs" || name == "__stcg" || name == "__stwt") && count == 2) {
        access(node, AccessKind::store, at(0, count));
        return TracedValue{};
    }
    if (name == "store" && count >= 2) {
        access(node, AccessKind::store, at(0, 1));
        return TracedValue{};
    }
    if (count != 2 || !arguments[0].is_number() || !arguments[1].is_number()) return std::nullopt;
    const std::int64_t a = arguments[0].number, b = arguments[1].number;
    if (name == "min") return number_or_unknown(std::min(a, b));
    if (name == "max") return number_or_unknown(std::max(a, b));
    if (name == "cdiv" && b > 0)
        return combine("/", number_or_unknown(checked(checked(a, b, '+'), 1, '-')), arguments[1]);
    return std::nullopt;
}

}  // namespace kernelgen
