// SPDX-License-Identifier: Apache-2.0
// Bodies, dtypes and shapes that users try: the generated host kernel, as it ships, against the plain loop.
#include <format>
#include <iostream>

#include "core/base/text.h"
#include "core/files/sources.h"
#include "core/generate/generate.h"
#include "tests/bench/bench.h"

namespace kernelgen::benchmark {

namespace {

struct Subject {
    std::string name, body;
    std::vector<std::string> inputs, outputs;  ///< "x:P,D", "q:P,D:i8"
    std::vector<std::string> cases;
};

const std::vector<std::string> short_rows = {"P=100003,D=1,dtype=f32", "P=100003,D=3,dtype=f32",
                                             "P=100003,D=7,dtype=f32", "P=100003,D=33,dtype=f32"};
const std::vector<std::string> square = {"P=4096,D=4096,dtype=f32"}, bytes = {"P=4096,D=4096,dtype=i8"};

const Subject subjects[] = {
    {"fma", "out = a * b + c", {"a:P,D", "b:P,D", "c:P,D"}, {"out:P,D"}, {bytes[0], "P=2048,D=2048,dtype=i32"}},
    {"bounds", "out = min(max(a, b), c)", {"a:P,D", "b:P,D", "c:P,D"}, {"out:P,D"}, bytes},
    {"relu_of", "out = max(x, 0)", {"x:P,D"}, {"out:P,D"}, bytes},
    {"quantise", "out = clamp(round(x / 0.05), -128, 127)", {"x:P,D"}, {"out:P,D:i8"}, square},
    {"quantise_rows", "out = round(x * s)", {"x:P,D", "s:P,1:f32"}, {"out:P,D:i8"}, {"P=4096,D=4096,dtype=bf16"}},
    {"dequantise", "out = q * s", {"q:P,D:i8", "s:P,1"}, {"out:P,D"}, square},
    {"dequantise_columns",
     "out = (q - z) * s",
     {"q:P,D:i8", "z:D:i8", "s:D:f32"},
     {"out:P,D"},
     {"P=4096,D=4096,dtype=bf16"}},
    {"compare", "out = x > y", {"x:P,D", "y:P,D"}, {"out:P,D:i8"}, square},
    {"choose", "out = (x > 0) and (y < 1) ? x : y * 0.5", {"x:P,D", "y:P,D"}, {"out:P,D"}, square},
    {"fraction", "out = x - floor(x)", {"x:P,D"}, {"out:P,D"}, square},
    {"power", "out = abs(x) ** 1.7", {"x:P,D"}, {"out:P,D"}, {"P=1024,D=2048,dtype=f32", "P=512,D=2048,dtype=f64"}},
    {"two", "s = x + y; d = x - y", {"x:P,D", "y:P,D"}, {"s:P,D", "d:P,D"}, square},
    {"add", "out = x + y", {"x:P,D", "y:P,D"}, {"out:P,D"}, short_rows},
    {"add_bytes", "out = x + y", {"x:P,D", "y:P,D"}, {"out:P,D"}, {"P=4096,D=4096,dtype=f8e4m3"}},
    {"bias", "out = x + b", {"x:P,D", "b:D"}, {"out:P,D"}, short_rows},
    {"scale_rows", "out = x * s", {"x:P,D", "s:P,1"}, {"out:P,D"}, short_rows},
    {"sum", "out = row_sum(x)", {"x:P,D"}, {"out:P"}, short_rows},
    {"largest", "out = row_max(x)", {"x:P,D"}, {"out:P"}, {"P=100003,D=1,dtype=i8", "P=8192,D=1000,dtype=i8"}},
    {"variance", "out = row_var(x)", {"x:P,D"}, {"out:P"}, short_rows},
    {"softmax_of", "m = row_max(x); e = exp(x - m); out = e / row_sum(e)", {"x:P,D"}, {"out:P,D"}, short_rows},
    {"log_softmax", "m = row_max(x); out = x - m - log(row_sum(exp(x - m)))", {"x:P,D"}, {"out:P,D"}, short_rows},
    {"long_row", "out = row_sum(x)", {"x:P,D"}, {"out:P"}, {"P=1,D=1000000,dtype=f32", "P=7,D=1000000,dtype=f32"}},
};

Tensor tensor_of(const std::string& text) {
    const std::vector<std::string> parts = split(text, ':');
    return {.name = parts[0],
            .shape = split(parts[1], ','),
            .dtype = parts.size() > 2 ? parse_dtype(parts[2]) : std::nullopt};
}

Operator definition_of(const Subject& subject) {
    Operator definition;
    definition.name = subject.name;
    definition.body = subject.body;
    definition.symbols = {"P", "D"};
    for (const std::string& each : subject.inputs) definition.inputs.push_back(tensor_of(each));
    for (const std::string& each : subject.outputs) definition.outputs.push_back(tensor_of(each));
    return definition;
}

/// Writes the project that `kernelgen new` would write.
bool write_project(const Setting& setting, const Subject& subject) {
    Validated<Project> project = make_project(definition_of(subject));
    if (project) project->folder = setting.projects / subject.name;
    const Result<void> written = project ? create_project(*project) : fail(to_string(project.error()));
    if (!written) std::cerr << subject.name << ": " << written.error().message << "\n";
    return written.has_value();
}

}  // namespace

void print_bodies(const Setting& setting) {
    Setting own = setting;
    own.projects = setting.scratch / "bodies";
    own.budget_seconds = 1;
    const auto worker = start_worker(own);
    std::cout << "\n| body | case | over the plain loop | status |\n| --- | --- | --- | --- |\n";
    for (const Subject& subject : subjects) {
        if (!write_project(own, subject)) continue;
        RunOptions options;
        options.variant = "host";
        options.baseline = "naive";
        options.cases = subject.cases;
        const Round round = time_project(own, *worker, subject.name, options).round;
        for (const RoundCase& each : round.cases)
            std::cout << std::format("| `{}` | {} | {:.2f} [{:.2f}, {:.2f}] | {} |\n", subject.body, each.binding.name,
                                     each.speedup, each.speedup_lower, each.speedup_upper, to_string(round.status))
                      << std::flush;
    }
}

}  // namespace kernelgen::benchmark
