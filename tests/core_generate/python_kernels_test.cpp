// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/backend/build_cache.h"
#include "core/base/file.h"
#include "core/base/process.h"
#include "core/files/sources.h"
#include "core/generate/generate.h"
#include "core/generate/python_interface.h"
#include "core/generate/torch_writer.h"
#include "core/lang/contraction.h"
#include "core/lang/free_symbols.h"
#include "core/python/inspection.h"
#include "core/python/interpreter.h"
#include "core/verify/eager_dtypes.h"
#include "tests/core_generate/samples.h"

namespace kernelgen::tests {

namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// An operator whose Triton kernel is held against PyTorch.
struct Body {
    std::string name, body;
    std::vector<std::string> inputs, outputs = {"out:P,D"};
    std::vector<Attribute> attributes = {};
    std::vector<std::optional<DType>> dtypes = {};  ///< of the inputs, where they have their own
    Configuration chosen = {};
    std::vector<DType> output_dtypes = {};
};

const std::vector<Body> bodies = {
    {"bias_add", "out = x + bias", {"x:P,D", "bias:D"}},
    {"softmax", "m = row_max(x); e = exp(x - m); out = e / row_sum(e)", {"x:P,D"}},
    {"layer_norm",
     "d = x - row_mean(x); v = row_var(x); out = d * rsqrt(v + eps) * gamma + beta",
     {"x:P,D", "gamma:D", "beta:D"},
     {"out:P,D"},
     {{"eps", 1e-5}}},
    {"rms_norm", "out = x * rsqrt(row_mean(x * x) + eps) * gamma", {"x:P,D", "gamma:D"}, {"out:P,D"}, {{"eps", 1e-6}}},
    {"gelu", "out = 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x ** 3)))", {"x:P,D"}},
    {"gelu_erf", "out = 0.5 * x * (1 + erf(x / sqrt(2)))", {"x:P,D"}},
    {"tanh", "out = tanh(x)", {"x:N"}, {"out:N"}},
    {"exp", "out = exp(x)", {"x:N"}, {"out:N"}},
    {"near_zero", "a = expm1(x); b = log1p(x); c = sin(x) * cos(x) + exp2(x)", {"x:N"}, {"a:N", "b:N", "c:N"}},
    {"rounding", "a = round(x); b = floor(x) - ceil(x); c = sign(x)", {"x:N"}, {"a:N", "b:N", "c:N"}},
    {"roots", "a = x ** 0.5; b = -x ** 2 ** -1; c = x ** -0.5", {"x:N"}, {"a:N", "b:N", "c:N"}},
    {"powers", "a = x ** 2.5 + x ** 2; b = x ** y; c = pow(2, x)", {"x:N", "y:N"}, {"a:N", "b:N", "c:N"}},
    {"choices", "out = x > 0.1 and not (y < 0.2 or isnan(x)) ? max(x, y, 0.3) : min(x, y)", {"x:P,D", "y:P,D"}},
    {"clamps", "out = clamp(x, -0.1, 0.7) + relu(y) + (x >= y) * 0.1 + where(x == y, 0.1, 0.7)", {"x:P,D", "y:P,1"}},
    {"scaled", "out = x * s + 0.1 * D - slope", {"x:P,D", "s:"}, {"out:P,D"}, {{"slope", 0.1}}},
    {"extremes", "a = row_max(x); b = row_min(x); out = x - a + b", {"x:P,D"}, {"a:P", "b:P", "out:P,D"}},
    {"total", "s = row_sum(x)", {"x:N"}, {"s:"}},
    {"broadcast", "out = bias", {"bias:D"}},
    {"attention_mask", "out = x * scale + mask", {"x:B,H,S,D", "mask:S,D"}, {"out:B,H,S,D"}, {{"scale", 0.3}}},
    {"rank_four", "m = row_mean(x * w); out = (x - m) * v", {"x:B,H,S,D", "w:H,1,D", "v:B,1,S,1"}, {"out:B,H,S,D"}},
    {"log_sum_exp", "m = row_max(x); out = m + log(row_sum(exp(x - m)))", {"x:P,D"}, {"out:P"}},
    {"column", "out = x * 2 + y", {"x:P,1", "y:P,1"}, {"out:P,1"}},
    {"outer", "out = x * y", {"x:P,1", "y:D"}},
    {"scalars", "out = x * 2 + y", {"x:", "y:"}, {"out:"}},
    {"fixed", "out = x + y", {"x:P,4", "y:4"}, {"out:P,4"}},
    {"log_softmax", "m = row_max(x); d = x - m; out = d - log(row_sum(exp(d)))", {"x:P,D"}},
    {"switched",
     "out = (causal ? x * shift : -x) + (shift > 2 ? x : 0) / (1 + flat)",
     {"x:P,D"},
     {"out:P,D"},
     {{"causal", 1, AttributeType::boolean},
      {"flat", 0, AttributeType::boolean},
      {"shift", 3, AttributeType::integer}}},
    {"variance", "v = row_var(x); out = (x - row_mean(x)) / sqrt(v + 0.1)", {"x:P,D"}, {"out:P,D", "v:P"}},
    {"dequantised", "out = q * s", {"q:P,D", "s:P,1"}, {"out:P,D"}, {}, {DType::i8, DType::f32}},
    {"product", "out = a @ b", {"a:P,K", "b:K,D"}},
    {"linear", "t = x @ transpose(w) + program; out = t * sigmoid(t)", {"x:P,K", "w:D,K", "program:D"}},
    {"batched_product", "out = transpose(a * s) @ b * t", {"a:B,K,P", "s:K,1", "b:K,D", "t:B,1,1"}, {"out:B,P,D"}},
    {"linear_of_bytes",
     "out = (x @ transpose(w)) * s * t + b",
     {"x:P,D", "w:K,D", "s:P,1", "t:K", "b:K"},
     {"out:P,K"},
     {},
     {DType::f8e4m3, DType::f8e5m2, DType::f32, DType::f32}},
    {"quantised",
     "s = max(row_max(abs(x)), 1e-12) / 448; q = clamp(x / s, -448, 448)",
     {"x:P,D"},
     {"q:P,D", "s:P"},
     {},
     {},
     {},
     {DType::f8e4m3, DType::f32}},
    {"split_product",
     "t = x @ transpose(w) + b; out = t * sigmoid(t)",
     {"x:B,P,D", "w:K,D", "b:K"},
     {"out:B,P,K"},
     {},
     {},
     {{"SPLIT_K", 4}, {"BLOCK_K", 16}}},
    {"residual_product", "out = a @ b + r", {"a:P,K", "b:K,D", "r:P,D"}},
    {"convolution",
     "out = relu(conv2d(x * s, w, padding=1) + bias)",
     {"x:B,C,P,D", "w:O,C,3,3", "s:C,1,1", "bias:O,1,1"},
     {"out:B,O,P,D"}},
    {"convolution_last",
     "out = conv2d_nhwc(x * s, w, stride=2, padding=1, dilation=2) + r",
     {"x:B,P,D,C", "w:O,3,2,C", "r:B,V,W,O", "s:C"},
     {"out:B,V,W,O"}},
    {"grouped_convolution", "out = conv2d(x, w, groups=3)", {"x:B,C,P,D", "w:O,2,R,1"}, {"out:B,O,V,W"}},
    {"grouped_last", "out = conv2d_nhwc(x, w * s, groups=2)", {"x:B,P,D,C", "w:O,1,2,2", "s:2,1"}, {"out:B,V,W,O"}},
    {"one_channel_last", "out = conv2d_nhwc(x, w, padding=1)", {"x:B,P,D,1", "w:O,3,3,1"}, {"out:B,P,D,O"}},
    {"scaled_taps_last",
     "out = conv2d_nhwc(x, w * s, padding=1)",
     {"x:B,P,D,C", "w:O,3,3,C", "s:3,1"},
     {"out:B,P,D,O"}},
    {"depthwise", "out = conv2d(x * D, w, padding=1, groups=C)", {"x:B,C,P,D", "w:C,1,3,3"}, {"out:B,C,P,D"}},
    {"attention", "out = attention(q, k, v)", {"q:B,4,P,D", "k:B,2,M,D", "v:B,2,M,D"}, {"out:B,4,P,D"}},
    {"attention_window",
     "out, lse = attention(q, k, v, 0.3, 1, window_left=4)",
     {"q:B,H,P,D", "k:B,H,P,D", "v:B,H,P,D"},
     {"out:B,H,P,D", "lse:B,H,P"}},
    {"attention_padded",
     "out = attention(q, k, v, lengths=lengths, mask=seen)",
     {"q:B,H,P,D", "k:B,1,M,D", "v:B,1,M,D", "lengths:B", "seen:P,M"},
     {"out:B,H,P,D"},
     {},
     {std::nullopt, std::nullopt, std::nullopt, DType::i32, DType::i8}},
    {"attention_paged",
     "out = attention(q, k, v, causal=1, block_table=table)",
     {"q:B,4,N,D", "k:P,2,S,D", "v:P,2,S,D", "table:B,T"},
     {"out:B,4,N,D"},
     {},
     {std::nullopt, std::nullopt, std::nullopt, DType::i32}},
    {"attention_dropout",
     "out, lse = attention(q, k, v, dropout=0.3, seed=12345678901)",
     {"q:B,4,P,D", "k:B,2,M,D", "v:B,2,M,D"},
     {"out:B,4,P,D", "lse:B,4,P"}},
    {"attention_biased",
     "out, i = attention(scores, T, seen, softcap=3, causal=1, bias=bias)",
     {"scores:B,H,P,D", "T:B,H,M,D", "seen:B,H,M,D", "bias:M"},
     {"out:B,H,P,D", "i:B,H,P"}},
    {"attention_of_bytes",
     "out = attention(q, k, v, causal=1, q_scale=s, k_scale=t, v_scale=0.5)",
     {"q:B,4,P,D", "k:B,2,M,D", "v:B,2,M,D", "s:B,4,V", "t:1"},
     {"out:B,4,P,D"},
     {},
     {DType::f8e4m3, DType::f8e4m3, DType::f8e4m3, DType::f32, DType::f32}},
    {"attention_gradients",
     "dq, dk, dv = attention_backward(q, k, v, out, lse, dout)",
     {"q:B,4,P,D", "k:B,2,M,D", "v:B,2,M,D", "out:B,4,P,D", "lse:B,4,P", "dout:B,4,P,D"},
     {"dq:B,4,P,D", "dk:B,2,M,D", "dv:B,2,M,D"}},
    {"window_gradients",
     "c, b, a = attention_backward(q, k, v, out, lse, dout, 0.3, 1, window_left=4)",
     {"q:B,H,P,D", "k:B,H,M,D", "v:B,H,M,D", "out:B,H,P,D", "lse:B,H,P,1", "dout:B,H,P,D"},
     {"a:B,H,M,D", "b:B,H,M,D", "c:B,H,P,D"}},
    {"padded_gradients",
     "dq, dk, dv = attention_backward(q, k, v, out, lse, dout, lengths=lengths, mask=seen)",
     {"q:B,H,P,D", "k:B,1,M,D", "v:B,1,M,D", "out:B,H,P,D", "lse:B,H,P", "dout:B,H,P,D", "lengths:B", "seen:P,M"},
     {"dq:B,H,P,D", "dk:B,1,M,D", "dv:B,1,M,D"},
     {},
     {std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt, DType::i32, DType::i8}},
    {"dropped_gradients",
     "dq, dk, dv = attention_backward(q, k, v, out, lse, dout, softcap=3, dropout=0.3, seed=12345678901, bias=bias)",
     {"q:B,4,P,D", "k:B,2,M,D", "v:B,2,M,D", "out:B,4,P,D", "lse:B,4,P", "dout:B,4,P,D", "bias:M"},
     {"dq:B,4,P,D", "dk:B,2,M,D", "dv:B,2,M,D"}},
    {"product_of_codes",
     "out = x @ transpose(q * s)",
     {"x:P,K", "q:D,K", "s:D,1"},
     {"out:P,D"},
     {},
     {DType::f32, DType::i8, DType::f32}},
};

Operator operator_of(const Body& each) {
    Operator definition = make_operator(each.name, each.body, each.inputs, each.outputs, each.attributes);
    for (std::size_t i = 0; i < each.dtypes.size(); ++i) definition.inputs[i].dtype = each.dtypes[i];
    for (std::size_t i = 0; i < each.output_dtypes.size(); ++i) definition.outputs[i].dtype = each.output_dtypes[i];
    if (std::ranges::contains(each.dtypes, DType::f8e4m3)) definition.accumulate = Accumulation::f22;
    return definition;
}

/// Rows and columns: 1, ragged, whole tiles, and a row that is longer than a tile.
json cases_of(const Operator& definition, std::size_t first_dtype) {
    static constexpr const char* dtypes[] = {"f32", "bf16", "f64", "f16"};
    json cases = json::array();
    for (const auto& [rows, columns] : {std::pair(5, 7), {1, 1}, {3, 129}, {2, 20000}, {9, 64}}) {
        if (columns > 1000 && definition.symbols.size() > 2) continue;
        Sizes sizes;
        for (const std::string& symbol : definition.symbols)
            sizes[symbol] = symbol == "D" || symbol == "N" ? columns : symbol == "P" ? rows : 2 + symbol[0] % 3;
        fit_sizes(definition, sizes);
        cases.push_back({{"dtype", dtypes[(first_dtype + cases.size()) % 4]}, {"sizes", sizes}});
    }
    return cases;
}

json manifest_of(const Operator& definition, std::size_t index) {
    json inputs = json::array();
    for (const Tensor& each : definition.inputs) {
        json shape = json::array();
        for (const std::string& dimension : each.shape) {
            if (std::ranges::contains(definition.symbols, dimension)) shape.push_back(dimension);
            else shape.push_back(std::stoi(dimension));
        }
        inputs.push_back({each.name, shape, each.dtype ? json(to_string(*each.dtype)) : json()});
    }
    const Tensor* told = output_with_told_dtype(definition);
    return {
        {"name", definition.name},
        {"inputs", inputs},
        {"free", free_symbols(definition)},
        {"told_dtype", told == nullptr ? json() : json(told->name + "_dtype")},
        // Zeros around an image, or of columns that are hidden, by an infinity are NaN, or left out: both are right.
        {"edges", !definition.body.contains("padding") && !definition.body.contains("attention")},
        {"cases", cases_of(definition, index)}};
}

/// Runs `python ARGUMENTS` without a GPU's Triton.
Finished run_python(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), python_interpreter()->program);
    return run_to_end({.arguments = std::move(arguments),
                       .environment = {{"CUDA_VISIBLE_DEVICES", ""}},
                       .folder = {},
                       .descriptors = {}},
                      {}, std::chrono::minutes(8))
        .value();
}

std::optional<std::string> missing() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return "Python is not run under the sanitizers";
#endif
    if (!python_interpreter()) return python_interpreter().error().message;
    return python_interpreter()->lacks(Language::triton, "cpu");
}

void expect_agreement_with_pytorch(std::vector<std::string> options) {
    const auto folder = ScratchFolder::create(std::filesystem::temp_directory_path());
    ASSERT_TRUE(folder);
    json operators = json::array();
    for (const Body& each : bodies) {
        const Operator definition = operator_of(each);
        for (const auto& generated :
             {generate_triton_variant(definition, each.chosen), generate_torch_variant(definition)}) {
            ASSERT_TRUE(generated) << to_string(generated.error());
            ASSERT_TRUE(write_file_atomic(folder->path / generated->variant.source, generated->text));
        }
        operators.push_back(manifest_of(definition, operators.size()));
    }
    ASSERT_TRUE(write_file_atomic(folder->path / "operators.json", operators.dump()));
    options.insert(options.begin(), KERNELGEN_SOURCE_DIR "/tests/core_generate/compare_kernels.py");
    options.push_back(folder->path.string());
    const Finished finished = run_python(options);
    EXPECT_TRUE(finished.exit.success()) << finished.output;
}

TEST(Generated_Triton_kernels, agree_with_PyTorch_by_the_interpreter) {
    if (const auto reason = missing()) GTEST_SKIP() << *reason;
    expect_agreement_with_pytorch({"--sampled"});
}

TEST(NightlyTritonKernels, AgreeWithPyTorchOnAllKindsOfValues) {
    if (const auto reason = missing()) GTEST_SKIP() << *reason;
    expect_agreement_with_pytorch({});
}

class Four_files : public testing::Test {
protected:
    void SetUp() override {
        if (const auto reason = missing()) GTEST_SKIP() << *reason;
        Project project = make_project(make_operator("shifted", "out = x * 2 + shift", {"x:P,D", "shift:D"})).value();
        project.folder = folder_.path / "shifted";
        project.cases = {{"P=5,D=100,dtype=f32", DType::f32, {{"P", 5}, {"D", 100}}},
                         {"P=3,D=10,dtype=f64", DType::f64, {{"P", 3}, {"D", 10}}}};
        ASSERT_TRUE(create_project(project));
    }
    std::string path(const std::string& file) const { return (folder_.path / "shifted" / file).string(); }
    void replace(const std::string& file, const std::string& from, const std::string& to) {
        std::string text = read_file(path(file)).value();
        const auto at = text.find(from);
        ASSERT_NE(at, std::string::npos) << text;
        ASSERT_TRUE(write_file_atomic(path(file), text.replace(at, from.size(), to)));
    }

    ScratchFolder folder_ = ScratchFolder::create(std::filesystem::temp_directory_path()).value();
};

TEST_F(Four_files, run_by_hand_and_print_json_for_programs) {
    const Finished kernel = run_python({path("shifted_triton.py"), "--json"});
    EXPECT_TRUE(kernel.exit.success()) << kernel.output;
    EXPECT_EQ(json::parse(kernel.output).at("outputs").at(0).at("shape"), json({7, 100}));
    const Finished accuracy = run_python({path("shifted_accuracy.py"), "--json"});
    EXPECT_TRUE(accuracy.exit.success()) << accuracy.output;
    EXPECT_EQ(json::parse(accuracy.output).at("status"), "ok");
}

TEST_F(Four_files, decline_to_tell_a_speed_without_a_gpu) {
    const Finished finished = run_python({path("shifted_performance.py"), "--json"});
    EXPECT_EQ(finished.exit.status, 2) << finished.output;
    EXPECT_EQ(json::parse(finished.output).at("status"), "unavailable");
}

TEST_F(Four_files, tell_the_first_element_that_differs) {
    replace("shifted_triton.py", "x * 2.0 + shift", "x * 2.0 - shift");
    const Finished finished = run_python({path("shifted_accuracy.py")});
    EXPECT_EQ(finished.exit.status, 1);
    EXPECT_THAT(finished.output, HasSubstr("500 of 500 differ, first at [0, 0]"));
}

TEST_F(Four_files, take_no_NaN_for_an_infinity) {
    replace("shifted_triton.py", "x * 2.0 + shift", "(x - x) + (x * 2.0 + shift)");
    const Finished finished = run_python({path("shifted_accuracy.py")});
    EXPECT_EQ(finished.exit.status, 1);
    EXPECT_THAT(finished.output, HasSubstr("nan, expected"));
}

TEST_F(Four_files, see_float64_computed_in_float32) {
    replace("shifted_triton.py", "x * 2.0 + shift", "(x.to(tl.float32) * 2.0 + shift.to(tl.float32)).to(x.dtype)");
    const Finished finished = run_python({path("shifted_accuracy.py")});
    EXPECT_EQ(finished.exit.status, 1) << finished.output;
}

TEST(Generated_Triton_kernels, keep_NaN_of_a_maximum_only_where_it_would_be_lost) {
    const auto softmax = generate_triton_variant(operator_of(bodies[1]));
    EXPECT_THAT(softmax->text, HasSubstr("m = tl.max("));
    const auto extreme = generate_triton_variant(make_operator("top", "out = row_max(x)", {"x:P,D"}, {"out:P"}));
    EXPECT_THAT(extreme->text, HasSubstr("nan_row_max("));
}

TEST(Generated_Triton_kernels, have_the_chosen_values_as_literals) {
    const auto generated = generate_triton_variant(operator_of(bodies[0]), {{"BLOCK_N", 512}, {"num_warps", 8}});
    EXPECT_THAT(generated->text, HasSubstr("    BLOCK_N = 512\n"));
    EXPECT_THAT(generated->text, HasSubstr("num_warps=8, "));
    EXPECT_EQ(configuration_of(generated->variant).at("BLOCK_N"), 512);
}

TEST(Generated_Triton_kernels, state_rules_as_conditions_on_the_sizes) {
    const auto generated =
        generate_triton_variant(operator_of(bodies[0]), {},
                                {{"D > 8192 && dtype_bytes == 2", {{"BLOCK_N", 2048}, {"num_warps", 16}}},
                                 {"P / 2 < 4 * device.multiprocessors", {{"BLOCK_N", 256}, {"UNKNOWN", 1}}}});
    EXPECT_THAT(generated->text, HasSubstr("    if D > 8192 and x.dtype.itemsize == 2:\n        BLOCK_N = 2048\n"
                                           "        num_warps = 16\n"
                                           "    elif DEVICE == \"cuda\" and (P // 2 < 4 * torch.cuda."
                                           "get_device_properties(x.device).multi_processor_count):\n"
                                           "        BLOCK_N = 256\n"));
    EXPECT_THAT(generated->text, HasSubstr("num_warps=num_warps, num_stages=1,"));
    EXPECT_EQ(generated->variant.configurations[1].values, (Configuration{{"BLOCK_N", 256}}));
    const Configuration fixed = {{"BLOCK_N", 64}, {"num_warps", 1}};
    const auto set = with_tunables("t.py", generated->text, generated->variant.entry, fixed);
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_THAT(*set, AllOf(Not(HasSubstr("BLOCK_N = 2048")), Not(HasSubstr("BLOCK_N = 256"))));
    const auto defaults = in_configuration(generated->variant, generated->text, fixed);
    EXPECT_THAT(*defaults, AllOf(HasSubstr("BLOCK_N = 64"), HasSubstr("BLOCK_N = 2048"), HasSubstr("num_warps = 16")));
}

TEST(Generated_Triton_kernels, state_dispatch_rules_as_a_function_of_their_own) {
    const auto generated = generate_triton_variant(operator_of(bodies[1]), {}, {},
                                                   {{"D > 8192", "cudnn", "", ""},
                                                    {"P < 4 && dtype_bytes == 2", "torch", "rows_baseline", "rows"},
                                                    {"D < 16", "torch_compile", "rows_baseline", "rows", true},
                                                    {"D < 32", "triton", "", ""}});
    const std::string name = generated->variant.entry;
    const std::string text = generated->text.substr(generated->text.find("def " + name + "_by_size("));
    EXPECT_THAT(text, HasSubstr("    P = x.shape[0]\n    D = x.shape[1]\n    if D > 8192:  # variant cudnn\n"
                                "        return " +
                                name +
                                "(x)  # in its place: it is no Python function\n"
                                "    if P < 4 and x.dtype.itemsize == 2:  # variant torch\n"
                                "        from rows_baseline import rows as other\n        return other(x)\n"
                                "    if D < 16:  # variant torch_compile\n"
                                "        from rows_baseline import rows as other\n"
                                "        return torch.compile(other)(x)\n"
                                "    if D < 32:  # variant triton\n        return " +
                                name +
                                "(x)\n"
                                "    return " +
                                name + "(x)\n"));
    EXPECT_THAT(generate_triton_variant(operator_of(bodies[1]))->text, Not(HasSubstr("_by_size")));
}

TEST(Generated_Triton_kernels, call_only_the_functions_that_the_body_needs) {
    const auto plain = generate_triton_variant(operator_of(bodies[0]));
    EXPECT_THAT(plain->text, Not(HasSubstr("def precise_exp")));
    const auto tanh = generate_triton_variant(make_operator("t", "out = tanh(x)", {"x:P,D"}));
    EXPECT_THAT(tanh->text, HasSubstr("def precise_exp"));
}

/// Without a GPU a kernel is also built for one, and then multiplies as it would there.
TEST(Generated_Triton_kernels, ask_whether_the_interpreter_runs_them) {
    const auto product = generate_triton_variant(make_operator("p", "out = a @ b", {"a:M,K", "b:K,N"}, {"out:M,N"}));
    EXPECT_THAT(product->text, HasSubstr("\nINTERPRETED = os.environ.get(\"TRITON_INTERPRET\") == \"1\"\n"));
    EXPECT_THAT(product->text, HasSubstr("ON_CPU=INTERPRETED"));
    EXPECT_THAT(generate_triton_variant(operator_of(bodies[0]))->text, Not(HasSubstr("INTERPRETED")));
}

TEST(Generated_Triton_kernels, take_only_what_their_lines_name) {
    const auto flat = generate_triton_variant(make_operator("t", "out = x + y", {"x:A,D", "y:A,D"}, {"out:A,D"}));
    EXPECT_THAT(flat->text, HasSubstr("def t_kernel(x_ptr, y_ptr, out_ptr, elements, T: tl.constexpr"));
}

TEST(Generated_Triton_kernels, check_that_sizes_of_convolutions_fit) {
    const auto text = [](const std::string& body, const std::vector<std::string>& inputs, const std::string& output) {
        return generate_triton_variant(make_operator("conv", body, inputs, {output}))->text;
    };
    const std::string grouped = text("out = conv2d(x, w, groups=2)", {"x:N,C,H,W", "w:O,D,3,3"}, "out:N,O,OH,OW");
    EXPECT_THAT(grouped,
                HasSubstr("    if C != 2 * D:\n        raise ValueError(f\"C must be 2 * D = {2 * D}; it is {C}"));
    EXPECT_THAT(grouped, HasSubstr("    if O != O // 2 * 2:\n"));
    EXPECT_THAT(grouped, HasSubstr("    OH = H - 2\n"));
    const std::string square = text("out = conv2d(x, w)", {"x:N,C,H,W", "w:O,C,3,3"}, "out:N,O,S,S");
    EXPECT_THAT(square, AllOf(HasSubstr("    S = H - 2\n"), HasSubstr("    if S != W - 2:\n")));
    const std::string same = text("out = conv2d(x, w, padding=1)", {"x:N,C,H,W", "w:O,C,3,3"}, "out:N,O,H,W");
    EXPECT_THAT(same, Not(HasSubstr("if H != ")));
    const std::string narrow = text("out = conv2d(x, w)", {"x:N,C,H,W", "w:O,C,3,3"}, "out:N,O,H,W");
    EXPECT_THAT(narrow, HasSubstr("    if H != H - 2:\n"));
}

TEST(Generated_PyTorch_file, calls_the_function_that_PyTorch_has) {
    const auto text = [](const Body& each) { return generate_torch_variant(operator_of(each))->text; };
    EXPECT_THAT(text(bodies[1]), HasSubstr("return torch.softmax(x, dim=-1)\n"));
    EXPECT_THAT(text(bodies[2]), HasSubstr("return torch.nn.functional.layer_norm(x, (D,), gamma, beta, eps)\n"));
    EXPECT_THAT(text(bodies[3]), HasSubstr("return torch.nn.functional.rms_norm(x, (D,), gamma, eps)\n"));
    EXPECT_THAT(text(bodies[4]), HasSubstr("gelu(x, approximate=\"tanh\")\n"));
}

Project project_of(const std::string& body, const std::vector<std::string>& inputs,
                   const std::vector<std::string>& outputs = {"out:P,D"}) {
    Project project = make_project(make_operator("op", body, inputs, outputs)).value();
    project.cases = {{"a", DType::bf16, {{"P", 512}, {"D", 1024}}}};
    return project;
}

std::string baseline_of(const Project& project) {
    return generate_torch_variant(project.definition, eager_dtypes(project))->text;
}

TEST(Generated_PyTorch_file, computes_in_the_cases_dtype_where_that_is_accurate_enough) {
    EXPECT_THAT(baseline_of(project_of("out = a * x + b", {"a:P,D", "x:P,D", "b:D"})),
                HasSubstr("    b = b.contiguous()\n\n    return a * x + b\n"));
    Project both = project_of("out = a * x + b", {"a:P,D", "x:P,D", "b:D"});
    both.cases.push_back({"b", DType::f16, both.cases[0].sizes});
    EXPECT_THAT(baseline_of(both),
                HasSubstr("    # In float32: in float16 the operations' roundings add up to more than"
                          " is allowed.\n    T = torch.float32 if dtype == torch.float16 else dtype\n"));
    const std::string gelu = baseline_of(project_of("out = x * sigmoid(1.702 * x) + r", {"x:P,D", "r:P,D"}));
    EXPECT_THAT(gelu, HasSubstr("x * torch.sigmoid(1.702 * x) + r"));
    EXPECT_THAT(gelu, Not(HasSubstr("T = torch.float64")));
    EXPECT_THAT(baseline_of(project_of("out = x > 0 ? 1 : 0.1", {"x:P,D"})), HasSubstr("    T = x.dtype\n"));
}

TEST(Generated_PyTorch_file, computes_in_float32_where_roundings_add_up_and_says_so) {
    const std::string cancels = baseline_of(project_of("out = (x + 100) - 100 + r", {"x:P,D", "r:P,D"}));
    EXPECT_THAT(cancels, HasSubstr("# In float32: in float16 and bfloat16 the operations' roundings add up"));
    EXPECT_THAT(cancels, HasSubstr("    x = x.to(T)\n"));
    Implementation baseline{{.name = "torch", .language = Language::torch}, cancels, {}};
    EXPECT_TRUE(converts_first(baseline, DType::f16));
    EXPECT_TRUE(converts_first(baseline, DType::bf16));
    EXPECT_FALSE(converts_first(baseline, DType::f32));
    baseline.variant.compile = true;
    EXPECT_FALSE(converts_first(baseline, DType::bf16));
    Project strict = project_of("out = a * x + b", {"a:P,D", "x:P,D", "b:D"});
    strict.accuracy.named[DType::bf16] = {1e-3, 1e-3};
    strict.cases[0].sizes = {{"P", 65536}, {"D", 1}};
    EXPECT_THAT(baseline_of(strict), HasSubstr("bfloat16 the operations' roundings add up"));
    Project mixed = project_of("out = q * s", {"q:P,D", "s:P,D"});
    mixed.definition.inputs[0].dtype = DType::i8;
    EXPECT_THAT(baseline_of(mixed), HasSubstr("# In float32, since the tensors have different dtypes."));
}

TEST(Generated_PyTorch_file, is_told_the_sizes_that_no_input_has) {
    const auto broadcast = generate_torch_variant(make_operator("broadcast", "out = bias", {"bias:D"}));
    EXPECT_THAT(broadcast->text, HasSubstr("def broadcast(bias: torch.Tensor, P: int) -> torch.Tensor:"));
}

}  // namespace

}  // namespace kernelgen::tests
