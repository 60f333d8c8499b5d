// SPDX-License-Identifier: Apache-2.0
#include "core/trace/tracer.h"

#include <algorithm>
#include <format>
#include <utility>

#include "core/base/text.h"
#include "core/trace/number.h"

namespace kernelgen {

namespace {

using Kind = CodeNode::Kind;

constexpr int most_steps = 8'000;        ///< of a thread
constexpr std::int64_t followed = 4;     ///< iterations of a loop
constexpr std::size_t most_visits = 64;  ///< of an access
constexpr std::int64_t most_unknown_trips = 1;

TracedValue number(std::int64_t value) { return {TracedValue::Kind::number, value, -1, 0, 0}; }

/// Thrown where a thread does more than can be followed.
struct TooLong {};

std::int64_t axis_of(const std::array<std::int64_t, 3>& all, const std::string& name) {
    return all[name == "y" ? 1 : name == "z" ? 2 : 0];
}

}  // namespace

double Trace::executions() const {
    double sum = 0;
    for (const auto& [key, site] : sites) {
        if (buffers[static_cast<std::size_t>(site.buffer)].space == TracedBuffer::Space::global) sum += site.executions;
    }
    return sum;
}

Tracer::Tracer(const CodeFile& file, const TraceRequest& request) : file_(file), request_(request) {
    Scope& globals = scopes_.emplace_back();
    for (const auto& [name, value] : request.constants) globals[name] = number(value);
}

Trace Tracer::follow(const CodeFunction& kernel) {
    try {
        for (const CodePointer& each : file_.constants()) run(*each);
        scopes_.emplace_back();
        bind_arguments(kernel);
        run(*kernel.body);
    } catch (const TooLong&) {
        trace_.gap = "a thread does more than is followed";
    }
    return std::move(trace_);
}

void Tracer::bind_arguments(const CodeFunction& kernel) {
    const std::size_t given = request_.arguments.size();
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const CodeParameter& parameter = kernel.parameters[i];
        TracedValue& bound = scopes_.back()[parameter.name];
        if (i >= given) {  // the place in the grid of a host kernel
            if (i - given < 3 && !request_.is_cuda) bound = number(request_.program[i - given]);
            continue;
        }
        const TracedArgument& argument = request_.arguments[i];
        if (argument.is_tensor) {
            const int buffer = add_buffer(argument.name, TracedBuffer::Space::global, {});
            CodeType element = parameter.type;
            element.pointers = 0;
            const int bytes = bytes_of(element, request_.dtype_bytes);
            bound = {TracedValue::Kind::place, 0, buffer, bytes > 0 ? bytes : argument.element_bytes, 0};
        } else if (argument.number) bound = number(*argument.number);
    }
}

int Tracer::add_buffer(const std::string& name, TracedBuffer::Space space, std::vector<std::int64_t> dimensions) {
    trace_.buffers.push_back({name, space});
    dimensions_.push_back(std::move(dimensions));
    return static_cast<int>(trace_.buffers.size()) - 1;
}

TracedValue* Tracer::find(const std::string& name) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (const auto found = scope->find(name); found != scope->end()) return &found->second;
    }
    return nullptr;
}

void Tracer::miss(const CodeNode& node, const std::string& called) {
    if (trace_.gap.empty()) trace_.gap = say("the accesses of `{}` in line {} are not followed", called, node.line);
}

Tracer::Flow Tracer::run(const CodeNode& statement) {
    if (++steps_ > most_steps) throw TooLong{};
    switch (statement.kind) {
        case Kind::block: return run_block(statement);
        case Kind::declare: declare(statement); return Flow::on;
        case Kind::expression: value(*statement.parts[0]); return Flow::on;
        case Kind::when: return run_when(statement);
        case Kind::loop:
        case Kind::do_loop: return run_loop(statement);
        case Kind::leave: return Flow::leave;
        case Kind::next: return Flow::next;
        case Kind::give:
            given_ = statement.parts.empty() ? TracedValue{} : value(*statement.parts[0]);
            return Flow::give;
        case Kind::empty: return Flow::on;
        default: value(statement); return Flow::on;
    }
}

Tracer::Flow Tracer::run_block(const CodeNode& block) {
    const bool is_scope = block.text != "declarations";
    if (is_scope) scopes_.emplace_back();
    Flow flow = Flow::on;
    for (const CodePointer& each : block.parts) {
        flow = run(*each);
        if (flow != Flow::on) break;
    }
    if (is_scope) scopes_.pop_back();
    return flow;
}

/// Runs an `if`. Where its condition is not known, both branches run, and a `return` or `break` in one of them does not
/// end the code around it.
Tracer::Flow Tracer::run_when(const CodeNode& when) {
    const TracedValue condition = value(*when.parts[0]);
    if (condition.is_number()) return run(*when.parts[condition.number != 0 ? 1 : 2]);
    run(*when.parts[1]);
    run(*when.parts[2]);
    return Flow::on;
}

/// Follows the first iterations; the last of them stands for all that are left.
Tracer::Flow Tracer::run_loop(const CodeNode& loop) {
    scopes_.emplace_back();
    const int outer = std::exchange(loop_, static_cast<int>(trace_.loops.size()));
    const std::int64_t outer_iteration = std::exchange(iteration_, 0);
    const double outer_weight = weight_;
    trace_.loops.push_back({loop.line, outer, 0, false});
    if (outer >= 0) trace_.loops[static_cast<std::size_t>(outer)].has_inner = true;
    const auto self = static_cast<std::size_t>(loop_);
    run(*loop.parts[0]);
    Flow flow = Flow::on;
    std::int64_t trips = 0;
    for (std::int64_t left = -1; left != 0;) {
        const TracedValue condition = loop.parts[1]->kind == Kind::empty ? number(1) : value(*loop.parts[1]);
        if (condition.is_number() && condition.number == 0 && (loop.kind == Kind::loop || trips > 0)) break;
        if (!condition.is_number() && trips >= most_unknown_trips) break;
        const std::deque<Scope> before = trips + 1 == followed ? scopes_ : std::deque<Scope>();
        flow = run(*loop.parts[3]);
        if (flow == Flow::leave || flow == Flow::give) break;
        run(*loop.parts[2]);
        ++trips;
        ++iteration_;
        if (trips == followed) {
            left = trips_left(*loop.parts[1], before);
            if (left > 1) {
                extrapolate(before, left - 1);
                weight_ = outer_weight * static_cast<double>(left);
                trips += left - 1;
                iteration_ += left - 1;
            }
        } else if (trips > followed) break;
    }
    trace_.loops[self].trips = static_cast<double>(trips);
    weight_ = outer_weight;
    loop_ = outer;
    iteration_ = outer_iteration;
    scopes_.pop_back();
    return flow == Flow::give ? flow : Flow::on;
}

/// How many more iterations a comparison of numbers allows that change as they did in the last one; 0 where it is no
/// such comparison.
std::int64_t Tracer::trips_left(const CodeNode& condition, const std::deque<Scope>& before) {
    if (condition.kind != Kind::binary || condition.parts.size() != 2) return 0;
    const auto distance = [&] {
        const TracedValue left = value(*condition.parts[0]), right = value(*condition.parts[1]);
        return left.kind == right.kind && left.kind != TracedValue::Kind::unknown
                   ? std::optional(right.number - left.number)
                   : std::nullopt;
    };
    const std::optional<std::int64_t> now = distance();
    std::deque<Scope> present = before;
    scopes_.swap(present);
    const std::optional<std::int64_t> then = distance();
    scopes_.swap(present);
    if (!now || !then || *now == *then) return 0;
    const std::int64_t step = *then - *now;  // by which an iteration shortens the distance
    const bool holds_at_zero = condition.text == "<=" || condition.text == ">=";
    if ((step > 0) != (*now > 0) && *now != 0) return 0;
    const std::int64_t rest = *now / step + (holds_at_zero ? 1 : (*now % step != 0 ? 1 : 0));
    return std::max<std::int64_t>(rest, 0);
}

/// Changes all numbers as the last iteration did, as often as iterations are left.
void Tracer::extrapolate(const std::deque<Scope>& before, std::int64_t iterations) {
    for (std::size_t i = 0; i < scopes_.size() && i < before.size(); ++i) {
        for (auto& [name, now] : scopes_[i]) {
            const auto then = before[i].find(name);
            if (then == before[i].end() || then->second.kind != now.kind || now.kind == TracedValue::Kind::unknown)
                continue;
            const auto moved =
                checked(now.number, checked(checked(now.number, then->second.number, '-'), iterations, '*'), '+');
            if (moved) now.number = *moved;
            else now = {};
        }
    }
}

void Tracer::declare(const CodeNode& declaration) {
    const std::size_t first = declaration.has_value ? 1 : 0;
    if (declaration.parts.size() == first) {
        TracedValue initial = declaration.has_value ? value(*declaration.parts[0]) : TracedValue{};
        scopes_.back()[declaration.text] = initial;
        return;
    }
    std::vector<std::int64_t> dimensions;
    for (std::size_t i = first; i < declaration.parts.size(); ++i) {
        const TracedValue extent = value(*declaration.parts[i]);
        dimensions.push_back(extent.is_number() ? extent.number : 0);
    }
    const auto space = declaration.type.is_shared ? TracedBuffer::Space::shared : TracedBuffer::Space::local;
    const int bytes = bytes_of(declaration.type, request_.dtype_bytes);
    const int buffer = add_buffer(declaration.text, space, std::move(dimensions));
    scopes_.back()[declaration.text] = {TracedValue::Kind::place, 0, buffer, bytes > 0 ? bytes : 4, 0};
}

TracedValue Tracer::value(const CodeNode& node) {
    if (++steps_ > most_steps) throw TooLong{};
    switch (node.kind) {
        case Kind::number: return number_of_literal(node.text);
        case Kind::name: return value_of_name(node);
        case Kind::unary: return unary(node);
        case Kind::postfix: return step(node, false);
        case Kind::binary: return binary(node);
        case Kind::assign: return assign(node);
        case Kind::conditional: return conditional(node);
        case Kind::call: return call(node);
        case Kind::index: return load(node, target(node));
        case Kind::member: return member(node);
        case Kind::cast: return cast(node);
        case Kind::list: {
            TracedValue last;
            for (const CodePointer& each : node.parts) last = value(*each);
            return node.parts.size() == 1 ? last : TracedValue{};
        }
        default: return {};
    }
}

TracedValue Tracer::value_of_name(const CodeNode& node) {
    if (node.text == "true") return number(1);
    if (node.text == "false") return number(0);
    const TracedValue* found = find(node.text);
    return found == nullptr ? TracedValue{} : *found;
}

TracedValue Tracer::member(const CodeNode& node) {
    const CodeNode& object = *node.parts[0];
    if (object.kind == Kind::name && request_.is_cuda) {
        if (object.text == "threadIdx") return number(axis_of(request_.thread, node.text));
        if (object.text == "blockIdx") return number(axis_of(request_.program, node.text));
        if (object.text == "blockDim") return number(axis_of(request_.block, node.text));
        if (object.text == "gridDim") return number(axis_of(request_.grid, node.text));
    }
    value(object);
    return {};
}

TracedValue Tracer::unary(const CodeNode& node) {
    const CodeNode& operand = *node.parts[0];
    if (node.text == "++" || node.text == "--") return step(node, true);
    if (node.text == "*") return load(node, target(node));
    if (node.text == "&") return target(operand).place;
    const TracedValue inner = value(operand);
    if (!inner.is_number()) return {};
    if (node.text == "-") return number_or_unknown(checked(0, inner.number, '-'));
    if (node.text == "!") return number(inner.number == 0);
    return number(node.text == "~" ? ~inner.number : inner.number);
}

/// `i++` and `++i`, also of pointers.
TracedValue Tracer::step(const CodeNode& node, bool is_prefix) {
    const TracedTarget place = target(*node.parts[0]);
    const TracedValue before = load(node, place);
    const std::int64_t size = before.kind == TracedValue::Kind::place ? std::max(before.element_bytes, 1) : 1;
    TracedValue after = before;
    if (const auto moved = checked(before.number, node.text == "++" ? size : -size, '+')) after.number = *moved;
    if (place.variable != nullptr) *place.variable = after;
    else access(node, AccessKind::store, place.place);
    return is_prefix ? after : before;
}

TracedValue Tracer::binary(const CodeNode& node) {
    const TracedValue left = value(*node.parts[0]);
    if (node.text == "&&" && left.is_number() && left.number == 0) return number(0);
    if (node.text == "||" && left.is_number() && left.number != 0) return number(1);
    const TracedValue right = value(*node.parts[1]);
    if (node.text == ",") return right;
    return combine(node.text, left, right);
}

TracedValue Tracer::assign(const CodeNode& node) {
    TracedValue right = value(*node.parts[1]);
    const TracedTarget place = target(*node.parts[0]);
    if (node.text != "=")
        right =
            combine(std::string_view(node.text).substr(0, node.text.size() - 1), load(*node.parts[0], place), right);
    if (place.variable != nullptr) *place.variable = right;
    else access(node, AccessKind::store, place.place);
    return right;
}

TracedValue Tracer::conditional(const CodeNode& node) {
    const TracedValue condition = value(*node.parts[0]);
    if (condition.is_number()) return value(*node.parts[condition.number != 0 ? 1 : 2]);
    const TracedValue first = value(*node.parts[1]), second = value(*node.parts[2]);
    return first == second ? first : TracedValue{};
}

/// A pointer that is cast points to elements of the new type; numbers stay, except those that become fractions.
TracedValue Tracer::cast(const CodeNode& node) {
    TracedValue inner = value(*node.parts[0]);
    if (inner.kind == TracedValue::Kind::place && node.type.pointers > 0) {
        CodeType element = node.type;
        --element.pointers;
        const int bytes = bytes_of(element, request_.dtype_bytes);
        if (bytes > 0) inner.element_bytes = bytes;
        inner.level = 1 << 8;  // an index reaches an element
    }
    return inner;
}

TracedTarget Tracer::target(const CodeNode& node) {
    if (node.kind == Kind::name) {
        if (TracedValue* found = find(node.text)) return {found, *found};
        return {};
    }
    if (node.kind == Kind::index) {
        const TracedValue base =
            node.parts[0]->kind == Kind::index ? target(*node.parts[0]).place : value(*node.parts[0]);
        return {nullptr, indexed(base, value(*node.parts[1]))};
    }
    if (node.kind == Kind::unary && node.text == "*") return {nullptr, indexed(value(*node.parts[0]), number(0))};
    if (node.kind == Kind::member) return {nullptr, target(*node.parts[0]).place};
    return {nullptr, value(node)};
}

/// The element or the part of an array at an index.
TracedValue Tracer::indexed(const TracedValue& base, const TracedValue& index) const {
    if (base.kind != TracedValue::Kind::place || !index.is_number()) {
        return {TracedValue::Kind::unknown, 0, base.buffer, base.element_bytes, base.level + 1};
    }
    std::int64_t stride = base.element_bytes;
    const std::vector<std::int64_t>& dimensions = dimensions_[static_cast<std::size_t>(base.buffer)];
    for (std::size_t i = static_cast<std::size_t>(base.level) + 1; i < dimensions.size(); ++i) stride *= dimensions[i];
    TracedValue result = base;
    ++result.level;
    const auto moved = checked(base.number, checked(index.number, stride, '*'), '+');
    if (moved) result.number = *moved;
    else result.kind = TracedValue::Kind::unknown;
    return result;
}

/// The value of a variable, or an access to memory; a part of an array is a place, not yet an access.
TracedValue Tracer::load(const CodeNode& node, const TracedTarget& from) {
    if (from.variable != nullptr) return *from.variable;
    const TracedValue& place = from.place;
    const bool is_part = place.buffer >= 0 && static_cast<std::size_t>(place.level) <
                                                  dimensions_[static_cast<std::size_t>(place.buffer)].size();
    if (is_part) return place;
    access(node, AccessKind::load, place);
    return {};
}

void Tracer::access(const CodeNode& node, AccessKind kind, const TracedValue& place) {
    if (place.buffer < 0) return;
    AccessSite& site = trace_.sites[{node.place, place.buffer}];
    if (site.line == 0) site = {node.line, place.buffer, kind, {}, 0};
    if (kind != AccessKind::load && site.kind == AccessKind::load) site.kind = kind;
    site.executions += weight_;
    if (place.kind != TracedValue::Kind::place || site.visits.size() >= most_visits) return;
    site.visits.push_back({place.number, place.element_bytes, weight_, loop_, iteration_});
}

Trace trace_thread(const CodeFile& file, const CodeFunction& kernel, const TraceRequest& request) {
    return Tracer(file, request).follow(kernel);
}

}  // namespace kernelgen
