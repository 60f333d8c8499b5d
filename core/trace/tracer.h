// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace kernelgen {

/// A value as far as it is known: an integer, or a place in a buffer. `level` counts the indices that a place in an
/// array of several dimensions already has.
struct TracedValue {
    enum class Kind { unknown, number, place };
    Kind kind = Kind::unknown;
    std::int64_t number = 0;  ///< or the place's bytes from the buffer's begin
    int buffer = -1;
    int element_bytes = 0;
    int level = 0;

    bool is_number() const { return kind == Kind::number; }
    bool operator==(const TracedValue&) const = default;
};

/// A place that an expression names: a variable, or memory.
struct TracedTarget {
    TracedValue* variable = nullptr;
    TracedValue place;  ///< of memory
};

/// Follows one thread. One object a thread.
class Tracer {
public:
    Tracer(const CodeFile& file, const TraceRequest& request);
    Trace follow(const CodeFunction& kernel);

private:
    enum class Flow { on, leave, next, give };
    using Scope = std::map<std::string, TracedValue>;

    void bind_arguments(const CodeFunction& kernel);
    int add_buffer(const std::string& name, TracedBuffer::Space space, std::vector<std::int64_t> dimensions);
    TracedValue* find(const std::string& name);
    void miss(const CodeNode& node, const std::string& called);

    Flow run(const CodeNode& statement);
    Flow run_block(const CodeNode& block);
    Flow run_when(const CodeNode& when);
    Flow run_loop(const CodeNode& loop);
    std::int64_t trips_left(const CodeNode& condition, const std::deque<Scope>& before);
    void extrapolate(const std::deque<Scope>& before, std::int64_t iterations);
    void declare(const CodeNode& declaration);

    TracedValue value(const CodeNode& node);
    TracedValue value_of_name(const CodeNode& node);
    TracedValue binary(const CodeNode& node);
    TracedValue unary(const CodeNode& node);
    TracedValue step(const CodeNode& node, bool is_prefix);
    TracedValue assign(const CodeNode& node);
    TracedValue conditional(const CodeNode& node);
    TracedValue cast(const CodeNode& node);
    TracedValue member(const CodeNode& node);
    TracedValue call(const CodeNode& node);
    TracedValue call_function(const CodeFunction& function, std::vector<TracedValue> arguments);
    std::optional<TracedValue> call_known(const CodeNode& node, const std::vector<TracedValue>& arguments);
    std::vector<TracedValue> arguments_of(const CodeNode& call);
    TracedTarget target(const CodeNode& node);
    TracedValue indexed(const TracedValue& base, const TracedValue& index) const;
    TracedValue load(const CodeNode& node, const TracedTarget& from);
    void access(const CodeNode& node, AccessKind kind, const TracedValue& place);

    const CodeFile& file_;
    const TraceRequest& request_;
    Trace trace_;
    std::deque<Scope> scopes_;
    std::vector<std::vector<std::int64_t>> dimensions_;  ///< of each buffer; empty: a pointer's
    TracedValue given_;                                  ///< of the last `return`
    double weight_ = 1;
    int loop_ = -1;
    std::int64_t iteration_ = 0;
    int calls_ = 0;
    int steps_ = 0;
};

}  // namespace kernelgen
