// SPDX-License-Identifier: Apache-2.0
// PyTorch's import takes seconds, so what needs one backend and many files is one test with a table.
#include <gmock/gmock.h>

#include <fstream>

#include "core/base/sentences.h"
#include "tests/core_python/variants.h"

namespace kernelgen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::torch_variant;
using testing::triton_variant;

struct Attempt {
    std::string name;
    Status status;
    std::string reason;  ///< a part of it
    Implementation candidate;
};

void expect_each_to_end_as_it_should(const std::vector<Attempt>& attempts) {
    Backend* const backend = testing::host_backend();
    for (const Attempt& attempt : attempts) {
        SCOPED_TRACE(attempt.name);
        VerifyRequest request = testing::verify_request(attempt.candidate);
        if (attempt.status == Status::timed_out) request.timeout_seconds = 2;
        const VerifyResult result = verify(request, *backend, testing::no_progress, {});
        EXPECT_EQ(to_string(result.status), to_string(attempt.status)) << result.reason;
        EXPECT_THAT(result.reason, HasSubstr(attempt.reason));
    }
}

/// By the format and the arguments that Python sends; the text alone would also do for a translation by its words.
TEST(TorchVariant, FailsWithASentenceThatKeepsItsArguments) {
    NEEDS(Language::torch);
    const VerifyRequest request = testing::verify_request(torch_variant("return (x + bias).double()"));
    const Said reason = verify(request, *testing::host_backend(), testing::no_progress, {}).reason;
    ASSERT_EQ(reason.format(), sentences::of_case) << reason;
    const Said of_inputs = reason.arguments()[1];
    ASSERT_EQ(of_inputs.format(), sentences::with_inputs) << reason;
    const Said said = of_inputs.arguments()[0];
    EXPECT_EQ(said.format(), "`{}` returns `{}` with {} {}; the operator's definition says {}") << reason;
    EXPECT_THAT(said.arguments(), ElementsAre("bias_add", "out", "dtype", "float64", "float32"));
}

TEST(TorchVariant, IsVerifiedWhereItIsRightAndHasTheRightStatusWhereItIsNot) {
    NEEDS(Language::torch);
    expect_each_to_end_as_it_should({
        {"right", Status::ok, "", torch_variant("return x + bias")},
        {"a result that is not contiguous", Status::ok, "", torch_variant("return (x + bias).T.contiguous().T")},
        {"prints on import and when called", Status::ok, "",
         torch_variant("print('y' * 9999); return x + bias", "print('{\"status\": \"ok\"}' * 999)")},
        {"begins with a byte order mark", Status::ok, "",
         testing::python_variant(Language::torch, "\xef\xbb\xbf" + torch_variant("return x + bias").text)},
        {"says what is no text", Status::launch_failed, "odd ?", torch_variant("raise ValueError('odd \\udcff')")},
        {"says what cannot be read", Status::launch_failed, "whose text cannot be read",
         torch_variant("raise type('E', (Exception,), {'__str__': lambda self: 1 / 0})()")},
        {"says megabytes", Status::launch_failed, "… (3000000 characters)",
         torch_variant("raise ValueError('y' * 3000000)")},
        {"removes its own file", Status::ok, "", torch_variant("return x + bias", "import os; os.remove(__file__)")},
        {"wrong", Status::mismatch, "seed", torch_variant("return x - bias")},
        {"another dtype", Status::launch_failed, "dtype float64", torch_variant("return (x + bias).double()")},
        {"another shape", Status::launch_failed, "shape", torch_variant("return (x + bias)[1:]")},
        {"too many results", Status::launch_failed, "2 values", torch_variant("return x + bias, x")},
        {"no tensor", Status::launch_failed, "NoneType", torch_variant("x + bias")},
        {"a tensor of a class of its own", Status::launch_failed, "could compute when it is copied",
         torch_variant("return (x + bias).as_subclass(Own)", "class Own(torch.Tensor): pass")},
        {"a parameter", Status::ok, "", torch_variant("return torch.nn.Parameter(x + bias)")},
        {"changes an input", Status::input_modified, "input", torch_variant("return x.add_(bias)")},
        {"another result from run to run", Status::nondeterministic, "run",
         torch_variant("return (x + bias) * (1 + 2**-23 * torch.randint(0, 2, ()))")},
        {"leaves what it allocated unwritten", Status::unwritten, "out",
         torch_variant("out = torch.empty_like(x); out[:-1] = (x + bias)[:-1]; return out")},
        {"writes past the end", Status::out_of_bounds, "out",
         torch_variant("out = torch.empty_like(x); import ctypes; out.copy_(x + bias); "
                       "ctypes.memset(out.data_ptr() + out.nbytes, 7, 4); return out")},
        {"asserts", Status::launch_failed, "bias_add_file.py:5", torch_variant("assert False, 'odd'")},
        {"another signature", Status::launch_failed, "TypeError",
         testing::python_variant(Language::torch, "def bias_add(x):\n    return x\n")},
        {"asks for too much memory", Status::over_limit, "memory", torch_variant("return torch.empty(1 << 50)")},
        {"ends the program when called", Status::launch_failed, "SystemExit", torch_variant("raise SystemExit(0)")},
    });
}

/// `bias_add` with a second output, `twice` = 2 x. Both have the shape of x.
VerifyRequest two_outputs(const std::string& body, const std::string& head = "") {
    VerifyRequest request = testing::verify_request(torch_variant(body, head));
    request.definition.outputs.push_back({"twice", {"P", "D"}, {}});
    request.definition.body = "out = x + bias; twice = x + x";
    request.cases = {{"square", DType::f32, {{"P", 65}, {"D", 65}}}};
    request.own_cases_only = true;
    return request;
}

TEST(TorchVariant, OfSeveralOutputsMayAllocateAndReturnThemInAnyWay) {
    NEEDS(Language::torch);
    Backend* const backend = testing::host_backend();
    const std::string filled = "first.copy_(x + bias); second.copy_(x + x); ";
    const std::string alike = "first = torch.empty_like(x); second = torch.empty_like(x); ";
    const std::vector<std::pair<Status, std::string>> bodies = {
        {Status::ok, alike + filled + "return first, second"},
        {Status::ok, "second = torch.empty_like(x); first = torch.empty_like(x); " + filled + "return first, second"},
        {Status::ok, "second = torch.empty_like(x); torch.add(x, x, out=second); return x + bias, second"},
        {Status::ok, "first = torch.empty_like(x); torch.add(x, bias, out=first); return first, x + x"},
        {Status::ok, "both = torch.empty((2, *x.shape)); first, second = both; " + filled + "return first, second"},
        {Status::ok, "both = torch.empty((2, *x.shape)); second, first = both; " + filled + "return first, second"},
        // The buffers themselves, read in another order.
        {Status::ok, alike + "first.copy_((x + bias).T); second.copy_((x + x).T); return first.T, second.T"},
        {Status::ok, alike + "second.copy_((x + bias).T); first.copy_(x + x); return second.T, first"},
        {Status::mismatch, alike + filled + "return first.T, second"},
        {Status::mismatch, alike + filled + "return second, first"},
        {Status::mismatch, alike + filled + "return first, first"},
        {Status::mismatch, alike + filled + "return first, first[:1].expand(x.shape)"},
        {Status::mismatch, alike + filled + "return first, x"},
        {Status::unwritten,
         "second = torch.empty_like(x); torch.add(x[1:], x[1:], out=second[1:]); "
         "return x + bias, second"},
        {Status::unwritten,
         "second = torch.empty_like(x); first = torch.empty_like(x); second.copy_(x + x); "
         "first[1:] = (x + bias)[1:]; return first, second"},
        {Status::out_of_bounds, "second = torch.empty_like(x); first = torch.empty_like(x); import ctypes; " + filled +
                                    "ctypes.memset(second.data_ptr() + second.nbytes, 7, 4); return first, second"},
        {Status::input_modified, alike + filled + "return first, x.add_(x)"},
    };
    for (const auto& [status, body] : bodies) {
        const VerifyResult result = verify(two_outputs(body), *backend, testing::no_progress, {});
        EXPECT_EQ(to_string(result.status), to_string(status)) << body << "\n" << result.reason;
    }
}

TEST(TorchVariant, IsGivenAttributesWithTheirTypesAndTensorsByNameAmongThem) {
    NEEDS(Language::torch);
    Backend* const backend = testing::host_backend();
    const std::string body =
        ":\n    assert (type(eps), type(axis), type(causal)) == (float, int, bool)\n"
        "    assert (eps, axis, causal) == (2.0, -1, True)\n    return ";
    for (const std::string& function : {
             "(x, bias, eps, axis, causal)" + body + "x + bias",
             "(x, eps, bias, axis=-1, *, causal)" + body + "x + bias",
             "(axis, bias, causal, x, eps=1e-5)" + body + "x + bias",
             "(first, eps, second, axis, causal)" + body + "first + second",
             "(first, second, /, *, eps, axis, causal)" + body + "first + second",
             "(*tensors, **numbers):\n    eps, axis, causal = (numbers[each] for each in ('eps', 'axis', 'causal'))" +
                 body.substr(1) + "tensors[0] + tensors[1]",
             "(x, bias, eps, axis, causal, out_dtype, out=None)" + body + "(x + bias).to(out_dtype)",
         }) {
        VerifyRequest request =
            testing::verify_request(testing::python_variant(Language::torch, "def bias_add" + function + "\n"));
        request.own_cases_only = true;
        request.definition.attributes = {{"axis", -1, AttributeType::integer},
                                         {"causal", 1, AttributeType::boolean},
                                         {"eps", 2, AttributeType::real}};
        const VerifyResult result = verify(request, *backend, testing::no_progress, {});
        EXPECT_EQ(to_string(result.status), "ok") << function << "\n" << result.reason;
    }
}

TEST(NightlyTorchVariant, ThatReturnsOneTensorForTwoEqualOutputsIsRight) {
    NEEDS(Language::torch);
    Backend* const backend = testing::host_backend();
    VerifyRequest request = two_outputs("out = torch.empty_like(x); torch.add(x, bias, out=out); return out, out");
    request.definition.body = "out = x + bias; twice = x + bias";
    const VerifyResult result = verify(request, *backend, testing::no_progress, {});
    EXPECT_EQ(to_string(result.status), "ok") << result.reason;
}

TEST(NightlyTorchVariant, OfSeveralOutputsIsTimedAndItsTimedCallsAreJudged) {
    NEEDS(Language::torch);
    Backend* const backend = testing::host_backend();
    const std::string kept = "second = torch.empty_like(x); torch.add(x, x, out=second); ";
    for (const std::string result : {"x + bias, second", "(x + bias).T.contiguous().T, second[:]"}) {
        VerifyRequest shown = two_outputs(kept + "return " + result);
        BenchRequest request;
        request.definition = shown.definition;
        request.binding = shown.cases[0];
        request.performance.budget_seconds = 0.5;
        request.candidates = {shown.candidate};
        request.baseline = torch_variant("return x + bias, x + x");
        request.baseline.variant.name = "baseline";
        const BenchResult timed = bench(request, *backend, testing::no_progress, {}).front();
        EXPECT_EQ(to_string(timed.status), "ok") << timed.reason;
    }
}

TEST(TorchVariant, ThatEndsOrStallsItsProcessHasTheRightStatusAndLeavesTheNextRunRight) {
    NEEDS(Language::torch);
    expect_each_to_end_as_it_should({
        {"ends its process", Status::crashed, "exited with status 3", torch_variant("import os; os._exit(3)")},
        {"crashes", Status::crashed, "SIGSEGV", torch_variant("import ctypes; ctypes.string_at(0)")},
        {"hangs", Status::timed_out, "--timeout", torch_variant("while True: pass")},
        {"right again", Status::ok, "", torch_variant("return x + bias")},
    });
}

/// Bytes of memory that are free.
double free_memory() {
    std::ifstream file("/proc/meminfo");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("MemAvailable:")) return 1024 * std::stod(line.substr(13));
    }
    return 0;
}

TEST(TorchVariant, IsNotRunWhereItsOwnResultsWouldNotFitBesideTheBuffers) {
    NEEDS(Language::torch);
    Backend* const backend = testing::host_backend();
    VerifyRequest request = testing::verify_request(torch_variant("return x + bias"));
    // Three buffers take 12 bytes an element; two results more do not fit.
    request.cases[0].sizes = {{"P", static_cast<std::int64_t>(free_memory() / 16 / 1024)}, {"D", 1024}};
    const VerifyResult result = verify(request, *backend, testing::no_progress, {});
    EXPECT_EQ(to_string(result.status), "over_limit") << result.reason;
    EXPECT_THAT(result.reason, HasSubstr("of memory more, and "));
}

TEST(TritonVariant, ThatFailsIsNotInterpretedOnLargerCases) {
    NEEDS(Language::triton);
    Backend* const backend = testing::host_backend();
    VerifyRequest request = testing::verify_request(triton_variant("tl.store(out_ptr + at, value + 1, mask=mask)"));
    Case large = request.cases[0];
    large.name = "large";
    large.sizes = {{"P", 1 << 20}, {"D", 1 << 10}};
    request.cases.insert(request.cases.begin(), large);
    const VerifyResult result = verify(request, *backend, testing::no_progress, {});
    EXPECT_EQ(to_string(result.status), "mismatch") << result.reason;
    ASSERT_EQ(result.cases.size(), 2U);
    EXPECT_EQ(result.cases[1].binding.name, "large");
    EXPECT_EQ(to_string(result.cases[1].status), "cancelled");
    EXPECT_EQ(result.cases[1].reason, sentences::case_not_interpreted);
}

TEST(PythonFile, ThatCannotBeImportedIsABuildThatFailedWithItsLine) {
    NEEDS(Language::torch);
    const auto with = [](const std::string& head) { return torch_variant("return x + bias", head); };
    Implementation other_entry = with(""), other_tunable = with("");
    other_entry.variant.entry = "bias_ad";
    other_tunable.configuration = {{"BLOCK", 8}};
    expect_each_to_end_as_it_should({
        {"syntax", Status::build_failed, "bias_add_file.py:2: syntax error", with("def f(:")},
        {"a module that is not there", Status::build_failed, "bias_add_file.py:2", with("import no_such_module")},
        {"raises", Status::build_failed, "ValueError: no", with("raise ValueError('no')")},
        {"ends the program", Status::build_failed, "SystemExit", with("import sys; sys.exit(0)")},
        {"no such entry", Status::build_failed, "bias_ad", other_entry},
        {"no literal for a tunable", Status::build_failed, "BLOCK", other_tunable},
    });
}

VerifyResult judged_by(const std::string& reference, const std::string& candidate) {
    VerifyRequest request = testing::verify_request(torch_variant(candidate));
    request.definition.family = Family::custom;
    request.definition.body.clear();
    request.definition.reference = "torch";
    request.reference = torch_variant(reference);
    request.own_cases_only = true;
    return verify(request, *testing::host_backend(), testing::no_progress, {});
}

TEST(TorchReference, JudgesInFloat64AndAllowsWhatTheDtypesArithmeticCostsIt) {
    NEEDS(Language::torch);
    const std::string cancels = "return (x + 1000) - 1000 + bias";
    const VerifyResult exact = judged_by(cancels, "return x + bias");
    EXPECT_EQ(exact.status, Status::ok) << exact.reason;
    EXPECT_LT(exact.cases[0].metrics.max_absolute, 1e-6);
    EXPECT_EQ(judged_by(cancels, cancels).status, Status::ok);
    EXPECT_EQ(judged_by("return x + bias", cancels).status, Status::mismatch);
}

TEST(TorchReference, ThatDoesNotTakeFloat64JudgesInTheCasesDtypeAndSaysSo) {
    NEEDS(Language::torch);
    const VerifyResult result =
        judged_by("assert x.dtype == torch.float32, 'only float32'; return x + bias", "return x + bias");
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_THAT(result.warnings, ::testing::Contains(HasSubstr("did not run in float64")));
    EXPECT_THAT(result.warnings, ::testing::Contains(HasSubstr("only float32")));
}

TEST(TorchVariant, IsToldOfTheParameterForASizeThatNoInputHas) {
    NEEDS(Language::torch);
    VerifyRequest request = testing::verify_request(torch_variant("return x + bias"));
    request.definition.symbols.push_back("E");
    request.definition.constraints = {"E == 2 * D"};
    request.cases[0].sizes["E"] = 258;
    const VerifyResult result = verify(request, *testing::host_backend(), testing::no_progress, {});
    EXPECT_EQ(to_string(result.status), "launch_failed");
    EXPECT_THAT(result.reason, HasSubstr("the function needs a parameter `E`: sizes that no input's shape has"));
}

/// An operator of one input, judged by a function of PyTorch on its own case, awkward sizes and every set.
VerifyResult judged_row_operator(const std::string& reference, const std::string& candidate) {
    VerifyRequest request = testing::verify_request(torch_variant(candidate));
    request.definition.family = Family::custom;
    request.definition.body.clear();
    request.definition.reference = "torch";
    request.definition.inputs.pop_back();
    request.reference = torch_variant(reference);
    for (Implementation* each : {&request.candidate, &*request.reference}) {
        each->text.replace(each->text.find("(x, bias)"), 9, "(x)");
    }
    return verify(request, *testing::host_backend(), testing::no_progress, {});
}

const std::string two_pass_norm =
    "c = x - x.mean(-1, keepdim=True); return c * torch.rsqrt((c * c).mean(-1, keepdim=True) + 1e-5)";
const std::string one_pass_norm =
    "m = x.mean(-1, keepdim=True); v = ((x * x).mean(-1, keepdim=True) - m * m).clamp(min=0); "
    "return (x - m) * torch.rsqrt(v + 1e-5)";

TEST(NightlyTorchReference, RefusesNoNormalisationForSumsThatOverflow) {
    NEEDS(Language::torch);
    const std::string welford = "return torch.nn.functional.layer_norm(x, x.shape[-1:], eps=1e-5)";
    for (const std::string& reference : {two_pass_norm, welford}) {
        for (const std::string& candidate : {two_pass_norm, welford}) {
            const VerifyResult result = judged_row_operator(reference, candidate);
            EXPECT_EQ(result.status, Status::ok) << reference << " judged " << candidate << ": " << result.reason;
        }
    }
}

TEST(TorchReference, RefusesNoCumulativeSumForAnOrderThatOverflows) {
    NEEDS(Language::torch);
    const std::string in_blocks =
        "n = x.shape[-1]; p = torch.nn.functional.pad(x, (0, -n % 8)).reshape(x.shape[0], -1, 8); "
        "s = p.cumsum(-1); t = s[..., -1].cumsum(-1); "
        "return (s + torch.nn.functional.pad(t[..., :-1], (1, 0))[..., None]).reshape(x.shape[0], -1)[:, "
        ":n].contiguous()";
    const VerifyResult result = judged_row_operator("return x.cumsum(-1)", in_blocks);
    EXPECT_EQ(result.status, Status::ok) << result.reason;
}

TEST(NightlyTorchReference, RefusesNoOtherWayToWriteWhatOverflows) {
    NEEDS(Language::torch);
    const std::string by_deviation =
        "return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True, unbiased=False) + 1e-5)";
    const std::string by_squares =
        "c = x - x.mean(-1, keepdim=True); return c / ((c * c).mean(-1, keepdim=True).sqrt() + 1e-5)";
    const std::string mean_of_parts = "return 0 * x + (x / x.shape[-1]).sum(-1, keepdim=True)";
    const std::string part_of_sum = "return 0 * x + x.sum(-1, keepdim=True) / x.shape[-1]";
    for (const auto& [reference, candidate] : {std::pair(by_deviation, by_squares), {mean_of_parts, part_of_sum}}) {
        const VerifyResult result = judged_row_operator(reference, candidate);
        EXPECT_EQ(result.status, Status::ok) << reference << " judged " << candidate << ": " << result.reason;
    }
}

/// As Hugging Face's LlamaRMSNorm, without a weight.
const std::string published_rms_norm =
    "dtype = x.dtype; h = x.to(torch.float32); v = h.pow(2).mean(-1, keepdim=True); "
    "return (h * torch.rsqrt(v + 1e-6)).to(dtype)";

TEST(NightlyTorchReference, ThatAsksForFloat32JudgesInFloat64AllTheSame) {
    NEEDS(Language::torch);
    const std::string in_double =
        "v = x.double().pow(2).mean(-1, keepdim=True); return (x.double() * torch.rsqrt(v + 1e-6)).to(x.dtype)";
    const std::string in_floats =
        "h = x.float(); return h * torch.rsqrt((h * h).sum(-1, keepdim=True) / x.shape[-1] + 1e-6)";
    for (const std::string& right : {in_double, in_floats, published_rms_norm}) {
        const VerifyResult result = judged_row_operator(published_rms_norm, right);
        EXPECT_EQ(result.status, Status::ok) << right << ": " << result.reason;
        EXPECT_THAT(result.warnings, ::testing::Not(::testing::Contains(HasSubstr("float64"))));
    }
    const std::vector<std::string> references = {
        "acc = torch.zeros(x.shape, dtype=torch.float32); acc += x * x; return acc.sqrt().type_as(x)",
        "return (x.float() ** 2).sqrt().type(torch.float32).to(x)"};
    for (const std::string& reference : references) {
        const VerifyResult result = judged_row_operator(reference, "return x.abs()");
        EXPECT_EQ(result.status, Status::ok) << reference << ": " << result.reason;
        EXPECT_EQ(judged_row_operator(reference, "return x.abs() * 1.01").status, Status::mismatch) << reference;
    }
}

TEST(NightlyTorchReference, ThatAsksForFloat32FindsWhatIsWrong) {
    NEEDS(Language::torch);
    const std::vector<std::string> wrong = {
        "v = x.pow(2).mean(-1, keepdim=True); return x * torch.rsqrt(v + 1e-5)",
        "v = x.pow(2).mean(-1, keepdim=True); return x / (v.sqrt() + 1e-6)",
        "v = x.half().pow(2).mean(-1, keepdim=True).float(); return x * torch.rsqrt(v + 1e-6)",
        "v = x[:, :128].pow(2).mean(-1, keepdim=True); return x * torch.rsqrt(v + 1e-6)"};
    for (const std::string& each : wrong) {
        EXPECT_EQ(judged_row_operator(published_rms_norm, each).status, Status::mismatch) << each;
    }
    EXPECT_EQ(judged_row_operator("return x.float().relu()", "return x.relu().clamp(max=1e4)").status,
              Status::mismatch);
}

TEST(TorchReference, ThatNeedsTheDtypesItNamesJudgesAsItIsWritten) {
    NEEDS(Language::torch);
    const std::string sign = "bits = x.float().view(torch.int32); return ((bits >> 31) + 0.5).sign().to(x.dtype) * x";
    const VerifyResult result = judged_row_operator(sign, "return torch.where(x.signbit(), -x, x)");
    EXPECT_EQ(result.status, Status::ok) << result.reason;
}

TEST(NightlyTorchReference, ThatAssertsTheDtypesItNamesJudgesAsItIsWritten) {
    NEEDS(Language::torch);
    const std::string asserts = "h = x.float(); assert h.dtype == torch.float32; return (h + h).to(x.dtype)";
    EXPECT_EQ(judged_row_operator(asserts, "return x * 2").status, Status::ok);
}

TEST(NightlyTorchReference, FindsWhatIsWrongForLargeInputsOnly) {
    NEEDS(Language::torch);
    EXPECT_EQ(judged_row_operator("return x.relu()", "return x.relu().clamp(max=1e4)").status, Status::mismatch);
    EXPECT_EQ(judged_row_operator("return x * x", "return (x * x).clamp(max=1e30)").status, Status::mismatch);
    EXPECT_EQ(
        judged_row_operator("return torch.nn.functional.gelu(x)", "return torch.nn.functional.gelu(x.clamp(max=1e4))")
            .status,
        Status::mismatch);
    EXPECT_EQ(
        judged_row_operator("return x.softmax(-1)", "e = torch.exp(x); return (e / e.sum(-1, keepdim=True))").status,
        Status::mismatch);
    EXPECT_EQ(judged_row_operator("return x.cumsum(-1)", "return x.clamp(max=1e9).cumsum(-1)").status,
              Status::mismatch);
}

TEST(TorchReference, FindsASoftmaxThatBeginsItsMaximumTooHigh) {
    NEEDS(Language::torch);
    const VerifyResult result = judged_row_operator(
        "return x.softmax(-1)",
        "e = torch.exp(x - x.amax(-1, keepdim=True).clamp(min=-10000)); return e / e.sum(-1, keepdim=True)");
    EXPECT_EQ(result.status, Status::mismatch);
}

TEST(NightlyTorchReference, FindsAVarianceInOnePassThatLosesItsDigits) {
    NEEDS(Language::torch);
    const std::string far = "x = x + 1000; ";
    EXPECT_EQ(judged_row_operator(far + two_pass_norm, far + one_pass_norm).status, Status::mismatch);
    const VerifyResult near = judged_row_operator(two_pass_norm, one_pass_norm);
    // Near zero it is right; where its squares overflow nothing is judged.
    EXPECT_EQ(near.status == Status::ok || near.reason.text().find("`large`") == std::string::npos, true)
        << near.reason;
}

TEST(TorchReference, ThatIsUndefinedOnItsInputsIsRefused) {
    NEEDS(Language::torch);
    const VerifyResult result =
        judged_row_operator("return (x.log() * x.roll(1, -1).log()).sum(-1, keepdim=True) + 0 * x",
                            "return torch.full_like(x, float('nan'))");
    EXPECT_EQ(result.status, Status::unavailable);
    EXPECT_THAT(result.reason, HasSubstr("is finite"));
}

const std::vector<Attempt> right_in_triton = {
    {"a wrapper", Status::ok, "", triton_variant()},
    {"a kernel that is launched", Status::ok, "", testing::launched_triton_variant()},
};

/// On the case's own sizes: the interpreter takes a minute for all the others.
TEST(TritonVariant, IsVerifiedByTheInterpreterWithTheConfigurationInItsText) {
    NEEDS(Language::triton);
    Backend* const backend = testing::host_backend();
    for (const Attempt& each : right_in_triton) {
        VerifyRequest request = testing::verify_request(each.candidate);
        request.own_cases_only = true;
        const VerifyResult result = verify(request, *backend, testing::no_progress, {});
        EXPECT_EQ(result.status, Status::ok) << each.name << ": " << result.reason;
    }
}

TEST(NightlyTritonVariant, IsVerifiedByTheInterpreterOnAllSizes) {
    NEEDS(Language::triton);
    expect_each_to_end_as_it_should(right_in_triton);
}

TEST(TritonVariant, ThatIsWrongHasTheStatusOfWhatIsWrong) {
    NEEDS(Language::triton);
    expect_each_to_end_as_it_should({
        {"wrong", Status::mismatch, "seed", triton_variant("tl.store(out_ptr + at, value + 1, mask=mask)")},
        {"writes past the end", Status::out_of_bounds, "out", triton_variant("tl.store(out_ptr + at, value)")},
        {"leaves a part unwritten", Status::unwritten, "out",
         triton_variant("tl.store(out_ptr + at, value, mask=mask & (columns != 1))")},
        {"names what is not there", Status::launch_failed, "bias_add_file.py:13", triton_variant("tl.store(nothing)")},
    });
}

TEST(TritonVariant, ThatTunesItselfIsToldThatThisNeedsAGpu) {
    NEEDS(Language::triton);
    Implementation made = triton_variant();
    made.text.replace(made.text.find("@triton.jit"), 0,
                      "@triton.autotune(configs=[triton.Config({}, num_warps=4)], key=['D'])\n");
    Backend* const backend = testing::host_backend();
    const VerifyResult result = verify(testing::verify_request(made), *backend, testing::no_progress, {});
    EXPECT_EQ(to_string(result.status), "build_failed") << result.reason;
    EXPECT_THAT(result.reason, HasSubstr("`triton.autotune` needs a GPU: leave the decorator out"));
}

TEST(NightlyTritonVariant, IsVerifiedInSixteenBitsToo) {
    NEEDS(Language::triton);
    Backend* const backend = testing::host_backend();
    const VerifyResult result =
        verify(testing::verify_request(triton_variant(), DType::bf16), *backend, testing::no_progress, {});
    EXPECT_EQ(result.status, Status::ok) << result.reason;
}

}  // namespace
}  // namespace kernelgen
