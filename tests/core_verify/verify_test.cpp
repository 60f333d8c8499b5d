// SPDX-License-Identifier: Apache-2.0
#include "core/verify/verify.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "core/host/host_backend.h"
#include "core/verify/reference_cache.h"
#include "tests/core_verify/bias_add.h"

namespace kernelgen {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using testing::kernel;
using testing::request;
using testing::right_body;
using ::testing::StartsWith;
using testing::tile;
using testing::verified;

TEST(Verify, PassesARightKernelOnItsCasesAndAwkwardSizes) {
    const VerifyResult result = verified(kernel("", right_body));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_GE(result.checks, 1 + 5 * 11);
    ASSERT_EQ(result.cases.size(), 1u);
    EXPECT_TRUE(result.cases[0].own_case);
    EXPECT_EQ(result.cases[0].metrics.elements, 33 * 100);
    EXPECT_THAT(result.warnings, ::testing::IsEmpty());
}

/// The host's, whose builds tell resources as a GPU's do.
class TellingBackend : public Backend {
public:
    std::string kind() const override { return host_->kind(); }
    BackendTraits traits() const override { return host_->traits(); }
    std::vector<DeviceInfo> devices() override { return host_->devices(); }
    BuildResult build(const BuildRequest& request, const Progress& progress, std::stop_token stop) override {
        BuildResult result = host_->build(request, progress, stop);
        result.resources = {{"registers", 40}};
        result.occupancy_limiter = "threads";
        return result;
    }
    Result<std::shared_ptr<Executor>> start_executor(const std::string& device, const ExecutorUse& use,
                                                     std::stop_token stop) override {
        return host_->start_executor(device, use, stop);
    }
    SampleLength sample_length(const std::string& device) const override { return host_->sample_length(device); }
    Counters count(Executor&, int, const std::string&, const Artifact&, const Call&, std::stop_token) override {
        return {};
    }
    Result<Ceilings> measure_ceilings(const std::string&, const Progress&, std::stop_token) override {
        return fail("never asked for");
    }

private:
    std::unique_ptr<Backend> host_ = make_host_backend(KERNELGEN_PROGRAM);
};

TEST(Verify, TellsWhatTheBuildTakesAlsoWhereTheKernelIsWrong) {
    TellingBackend backend;
    for (const std::string& each : {right_body, std::string("out[i] = 0;")}) {
        const VerifyResult result = verify(request(kernel("", each)), backend, [](std::string_view, int, int) {}, {});
        const BuildSummary& build = result.builds.at(DType::f32);
        EXPECT_FALSE(build.key.empty());
        EXPECT_EQ(build.resources.at("registers"), 40);
        EXPECT_EQ(build.occupancy_limiter, "threads");
    }
}

TEST(Verify, SaysTheSameWithAReferenceThatIsKnown) {
    ReferenceCache references;
    const auto on_large_case = [&](const std::string& each, ReferenceCache* known) {
        VerifyRequest made = request(kernel("", each));
        made.cases[0].sizes = {{"P", 300}, {"D", 301}};
        made.own_cases_only = true;
        made.references = known;
        return verified(made);
    };
    EXPECT_EQ(on_large_case(right_body, &references).status, Status::ok);
    const std::string wrong = right_body + " if (pid0 == 299 && i == 300) out[pid0 * D + i] += 1;";
    const VerifyResult known = on_large_case(wrong, &references), alone = on_large_case(wrong, nullptr);
    EXPECT_EQ(known.status, Status::mismatch);
    EXPECT_EQ(known.reason, alone.reason);
    EXPECT_EQ(known.cases[0].metrics.max_absolute, alone.cases[0].metrics.max_absolute);
    EXPECT_EQ(on_large_case(right_body, &references).status, Status::ok);
}

TEST(Verify, GivesAKernelAttributesOfTheirTypes) {
    VerifyRequest made = request(kernel("if (axis != -3 || !causal || eps != 2.0) std::abort();", right_body));
    made.definition.attributes = {
        {"axis", -3, AttributeType::integer}, {"causal", 1, AttributeType::boolean}, {"eps", 2, AttributeType::real}};
    made.candidate.variant.launches[0].args = {"x", "bias", "out", "P", "axis", "D", "causal", "eps"};
    const std::string before = "int64_t P, int64_t D, ";
    const std::size_t place = made.candidate.text.find(before);
    made.candidate.text.replace(place, before.size(), "int64_t P, int64_t axis, int64_t D, bool causal, double eps, ");
    const VerifyResult result = verified(made);
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    made.definition.attributes[0].type = AttributeType::real;
    EXPECT_EQ(verified(made).status, Status::build_failed);
}

TEST(Verify, SaysWhatTheCompilerSaid) {
    const VerifyResult result = verified(kernel("", "out[i] = nonsense;"));
    EXPECT_EQ(result.status, Status::build_failed);
    EXPECT_THAT(result.reason, HasSubstr("nonsense"));
}

TEST(Verify, FindsWritesPastTheEnd) {
    const VerifyResult result = verified(kernel("", right_body, "if (pid0 == P - 1) out[P * D] = 1;"));
    EXPECT_EQ(result.status, Status::out_of_bounds);
    EXPECT_THAT(result.reason, HasSubstr("output `out` was written past its end, 1 after its last element"));
    EXPECT_THAT(result.reason, HasSubstr("inputs `normal`, seed 1"));
}

TEST(Verify, FindsWritesBeforeTheStart) {
    const VerifyResult result = verified(kernel("", right_body, "if (pid0 == 0) out[-2] = 1;"));
    EXPECT_EQ(result.status, Status::out_of_bounds);
    EXPECT_THAT(result.reason, HasSubstr("output `out` was written before its start, 2 before its first element"));
}

TEST(Verify, FindsReadsPastTheEnd) {
    const VerifyResult result = verified(kernel("", right_body, "volatile float read = bias[D]; (void)read;"));
    EXPECT_EQ(result.status, Status::out_of_bounds) << result.reason;
}

TEST(Verify, FindsAnInputThatWasWritten) {
    const VerifyResult result = verified(kernel("", right_body, "const_cast<float*>(x)[pid0 * D] = 7;"));
    EXPECT_EQ(result.status, Status::input_modified);
}

TEST(Verify, FindsTheLastRowUnwritten) {
    const VerifyResult result = verified(kernel("if (pid0 == P - 1 && P > 1) return;", right_body));
    EXPECT_EQ(result.status, Status::unwritten);
    EXPECT_THAT(result.reason, HasSubstr("100 elements of `out` were not written, the first at [32, 0]"));
}

TEST(Verify, FindsAMismatchAndWritesItsTensors) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "kernelgen-verify-dump";
    std::filesystem::remove_all(folder);
    VerifyRequest wrong = request(kernel("", "out[pid0 * D + i] = x[pid0 * D + i] + bias[(i + 1) % D];"));
    wrong.dump_folder = folder;
    const VerifyResult result = verified(wrong);
    EXPECT_EQ(result.status, Status::mismatch);
    EXPECT_EQ(result.cases[0].first_mismatches.size(), 8u);
    for (const char* name : {"x.npy", "bias.npy", "out.npy", "out.expected.npy"}) {
        EXPECT_TRUE(std::filesystem::exists(folder / "small-normal-1" / name)) << name;
    }
    EXPECT_EQ(std::filesystem::file_size(folder / "small-normal-1" / "x.npy"), 128 + 33 * 100 * 4);
    std::filesystem::remove_all(folder);
}

TEST(Verify, FindsAKernelThatReadsItsOutput) {
    EXPECT_EQ(verified(kernel("", "out[pid0 * D + i] += x[pid0 * D + i] + bias[i];")).status, Status::mismatch);
}

TEST(Verify, FindsAKernelThatMultipliesWhatItsOutputHeld) {
    EXPECT_EQ(verified(kernel("", "out[pid0 * D + i] = out[pid0 * D + i] * 0 + x[pid0 * D + i] + bias[i];")).status,
              Status::mismatch);
}

TEST(Verify, FindsAnApproximationThatIsRightInTheMiddleAndFarOutOnly) {
    const std::string far = "const float v = x[pid0 * D + i] + bias[i]; out[pid0 * D + i] = ";
    EXPECT_EQ(verified(kernel("", far + "v > 20 && v < 1e4f ? 20 : v;")).status, Status::mismatch);
}

TEST(Verify, FindsTiesThatAreRoundedAway) {
    VerifyRequest rounding = request(kernel("", "out[pid0 * D + i] = __builtin_rintf(x[pid0 * D + i]) + bias[i];"));
    rounding.definition.body = "out = round(x) + bias";
    const VerifyResult right = verified(rounding);
    EXPECT_EQ(right.status, Status::ok) << right.reason;
    rounding.candidate = kernel("", "out[pid0 * D + i] = __builtin_roundf(x[pid0 * D + i]) + bias[i];");
    EXPECT_EQ(verified(rounding).status, Status::mismatch);
}

TEST(Verify, FindsRunsThatDiffer) {
    const VerifyResult result =
        verified(kernel("static int call = 0; if (pid0 == 0) ++call;",
                        "out[pid0 * D + i] = (x[pid0 * D + i] + bias[i]) * (1 + (call & 1) * 2e-7f);"));
    EXPECT_EQ(result.status, Status::nondeterministic) << result.reason;
}

TEST(Verify, AllowsRunsThatDifferToAVariantThatSaysSo) {
    Implementation loose = kernel("static int call = 0; if (pid0 == 0) ++call;",
                                  "out[pid0 * D + i] = (x[pid0 * D + i] + bias[i]) * (1 + (call & 1) * 2e-7f);");
    loose.variant.deterministic = false;
    EXPECT_EQ(verified(loose).status, Status::ok);
}

TEST(Verify, JudgesBothRunsOfAVariantWhoseRunsMayDiffer) {
    Implementation loose = kernel("static int call = 0; if (pid0 == 0) ++call;",
                                  "out[pid0 * D + i] = x[pid0 * D + i] + bias[i] + (call == 1);");
    loose.variant.deterministic = false;
    EXPECT_EQ(verified(loose).status, Status::mismatch);
}

TEST(Verify, VerifiesNothingWithoutACase) {
    VerifyRequest empty = request(kernel("", right_body));
    empty.cases.clear();
    EXPECT_EQ(verified(empty).status, Status::unavailable);
}

TEST(Verify, SurvivesACrashAndGivesEveryCaseItsStatus) {
    VerifyRequest crashing = request(kernel("if (D == 7) { volatile int* null = nullptr; *null = 1; }", right_body));
    crashing.cases = {{"a", DType::f32, {{"P", 2}, {"D", 7}}}, {"b", DType::f32, {{"P", 2}, {"D", 8}}}};
    const VerifyResult result = verified(crashing);
    EXPECT_EQ(result.status, Status::crashed);
    ASSERT_EQ(result.cases.size(), 2u);
    EXPECT_EQ(result.cases[1].status, Status::ok) << result.cases[1].reason;
}

TEST(Verify, DoesNotRunAKernelAgainThatCrashedTwice) {
    VerifyRequest crashing = request(kernel("abort();", right_body));
    crashing.cases = {4, {"a", DType::f32, {{"P", 2}, {"D", 7}}}};
    const VerifyResult result = verified(crashing);
    ASSERT_EQ(result.cases.size(), 4u);
    EXPECT_THAT(result.cases, Each(Field(&CaseAccuracy::status, Status::crashed)));
    EXPECT_EQ(result.checks, 2);
    EXPECT_THAT(result.cases[3].reason,
                StartsWith("not run: twice before the kernel's process ended: the kernel's process"));
}

TEST(Verify, EndsAKernelThatLoopsForever) {
    VerifyRequest endless = request(kernel("for (volatile int i = 0;; i = i + 1) {}", right_body));
    endless.timeout_seconds = 0.3;
    EXPECT_EQ(verified(endless).status, Status::timed_out);
}

TEST(Verify, FailsOnAwkwardSizesThatTheOwnCasesMiss) {
    const VerifyResult result = verified(kernel("", "if (D % 4 == 0 || i < D / 4 * 4) " + right_body));
    EXPECT_EQ(result.status, Status::unwritten);
    ASSERT_EQ(result.cases.size(), 4u);
    EXPECT_EQ(result.cases[0].status, Status::ok);
    EXPECT_FALSE(result.cases[1].own_case);
    EXPECT_THAT(result.reason, HasSubstr("P=1 D=1 f32"));
}

TEST(Verify, FindsIndicesOfSixteenBits) {
    EXPECT_EQ(verified(kernel("if (pid0 > 65535) return;", right_body)).status, Status::unwritten);
    EXPECT_EQ(verified(kernel("", "if (i < 65536) " + right_body)).status, Status::unwritten);
    EXPECT_EQ(verified(kernel("", "if (D % 4096 != 1 || i < D - 1 || D == 1) " + right_body)).status,
              Status::unwritten);
}

TEST(Verify, RefusesAToleranceThatIsTooLoose) {
    VerifyRequest loose = request(kernel("", right_body));
    loose.accuracy.f32 = Tolerance{0.5, 0.5};
    const VerifyResult result = verified(loose);
    EXPECT_EQ(result.status, Status::mismatch);
    EXPECT_THAT(result.reason, HasSubstr("too loose"));
}

TEST(Verify, NamesTheRestrictionThatACaseViolates) {
    VerifyRequest restricted = request(kernel("", right_body));
    restricted.candidate.variant.restrictions = {"D <= 64"};
    restricted.cases.push_back({"fits", DType::f32, {{"P", 1}, {"D", 64}}});
    const VerifyResult result = verified(restricted);
    EXPECT_EQ(result.status, Status::restricted);
    EXPECT_THAT(result.reason, HasSubstr("D <= 64"));
    EXPECT_EQ(result.cases[1].status, Status::ok);
}

TEST(Verify, RecordsOnlyHowABaselineDeviatesOnEdgeValues) {
    VerifyRequest baseline =
        request(kernel("", "float v = x[pid0 * D + i] + bias[i]; out[pid0 * D + i] = v != v ? 0 : v;"));
    baseline.own_cases_only = true;
    const VerifyResult result = verified(baseline);
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_THAT(result.warnings, Contains(HasSubstr("`nan`")));
}

TEST(Verify, JudgesACustomOperatorByAnotherVariant) {
    VerifyRequest custom = request(kernel("", "out[pid0 * D + i] = bias[i] + x[pid0 * D + i];"));
    custom.definition.family = Family::custom;
    custom.definition.body.clear();
    custom.definition.reference = "host";
    custom.reference = kernel("", right_body);
    EXPECT_EQ(verified(custom).status, Status::ok) << verified(custom).reason;
    custom.candidate = kernel("", "out[pid0 * D + i] = bias[i] - x[pid0 * D + i];");
    EXPECT_EQ(verified(custom).status, Status::mismatch);
}

/// relu on a fixed shape; `each` makes an element of `v`.
VerifyRequest fixed_relu(const std::string& each, const std::string& size = "4000") {
    VerifyRequest made = request(kernel("", "const float v = x[i]; out[i] = " + each + ";"));
    made.definition = tile("out = relu(x)", {"x:" + size}, "out:" + size);
    made.definition.name = "bias_add";
    made.definition.symbols.clear();
    made.cases = {{"fixed", DType::f32, {}}};
    made.candidate.variant.launches[0].grid = {"1"};
    made.candidate.variant.launches[0].args = {"x", "out"};
    std::string& text = made.candidate.text;
    text.replace(text.find("const float* bias"), 18, "");
    text.replace(text.find("int64_t P, int64_t D, "), 22, "");
    text.insert(text.find("for ("), "const int64_t D = " + size + ";");
    return made;
}

TEST(Verify, RunsAFixedShapeWithEverySetAndFiveSeeds) {
    const VerifyResult right = verified(fixed_relu("v < 0 ? 0 : v"));
    EXPECT_EQ(right.status, Status::ok) << right.reason;
    EXPECT_EQ(right.checks, 5 + 8);
    const VerifyResult clamped = verified(fixed_relu("v > 0 ? (v < 1e4f ? v : 1e4f) : 0"));
    EXPECT_EQ(clamped.status, Status::mismatch);
    EXPECT_THAT(clamped.reason, HasSubstr("`large`"));
    const VerifyResult swallowed = verified(fixed_relu("v > 0 ? v : 0"));
    EXPECT_EQ(swallowed.status, Status::mismatch);
    EXPECT_THAT(swallowed.reason, HasSubstr("`nan`"));
}

TEST(Verify, RunsALargeFixedShapeWithEverySetToo) {
    const VerifyResult right = verified(fixed_relu("v < 0 ? 0 : v", "400000"));
    EXPECT_EQ(right.status, Status::ok) << right.reason;
    EXPECT_EQ(right.checks, 2 + 1 + 8);
    EXPECT_EQ(verified(fixed_relu("v > 0 ? (v < 1e4f ? v : 1e4f) : 0", "400000")).status, Status::mismatch);
}

TEST(Verify, RunsACaseWithEverySetWhereItsConstraintsAllowNoOtherSizes) {
    VerifyRequest pinned =
        request(kernel("", "float v = x[pid0 * D + i] + bias[i]; out[pid0 * D + i] = v != v ? 0 : v;"));
    pinned.definition.constraints = {"P == 33", "D == 100"};
    const VerifyResult result = verified(pinned);
    EXPECT_EQ(result.status, Status::mismatch);
    EXPECT_THAT(result.reason, HasSubstr("case `small`: "));
    EXPECT_THAT(result.reason, HasSubstr("`nan`"));
}

TEST(Verify, FindsAMaximumThatBeginsWithZeroWhereRowsAreLong) {
    const auto largest_from = [](const std::string& start) {
        VerifyRequest made = request(kernel(
            "float most = " + start + ";",
            "const float v = x[pid0 * D + i] + bias[i]; most = v > most || v != v ? v : most;", "out[pid0] = most;"));
        made.definition = tile("out = row_max(x + bias)", {"x:P,D", "bias:D"}, "out:P");
        made.definition.name = "bias_add";
        made.definition.constraints = {"D % 64 == 0"};
        made.cases = {{"aligned", DType::f32, {{"P", 33}, {"D", 128}}}};
        return verified(made);
    };
    const VerifyResult right = largest_from("-__builtin_inff()");
    EXPECT_EQ(right.status, Status::ok) << right.reason;
    const VerifyResult wrong = largest_from("0");
    EXPECT_EQ(wrong.status, Status::mismatch);
    EXPECT_THAT(wrong.reason, HasSubstr("`negative`"));
}

TEST(Verify, FindsEdgeValuesThatAreWrongInALargeCaseOnly) {
    VerifyRequest large = request(
        kernel("", "float v = x[pid0 * D + i] + bias[i]; out[pid0 * D + i] = P * D > 400000 && v != v ? 0 : v;"));
    large.cases = {{"large", DType::f32, {{"P", 500}, {"D", 1000}}}};
    const VerifyResult result = verified(large);
    EXPECT_EQ(result.status, Status::mismatch);
    EXPECT_THAT(result.reason, HasSubstr("`mixed`"));
}

TEST(Verify, RefusesAReferenceWithoutAFiniteElement) {
    VerifyRequest divergence = request(kernel("", "out[pid0 * D + i] = 0.0f / 0.0f;"));
    divergence.definition = tile("out = row_sum(log(x) * bias)", {"x:P,D", "bias:D"});
    divergence.definition.name = "bias_add";
    const VerifyResult result = verified(divergence);
    EXPECT_EQ(result.status, Status::unavailable);
    EXPECT_THAT(result.reason, HasSubstr("no element of `out` is finite"));
    EXPECT_THAT(result.reason, HasSubstr("\"positive\""));
    divergence.definition.inputs[0].domain = Domain{};
    EXPECT_EQ(verified(divergence).status, Status::mismatch);
}

TEST(Verify, RefusesAReferenceThatIsTheSameForAllInputs) {
    VerifyRequest constant = request(kernel("", "out[pid0 * D + i] = 1;"));
    constant.definition.body = "out = x == bias ? 1 : 1";
    for (Tensor& input : constant.definition.inputs) input.domain = Domain{};
    const VerifyResult result = verified(constant);
    EXPECT_EQ(result.status, Status::unavailable);
    EXPECT_THAT(result.reason, HasSubstr("the same for all"));
}

TEST(Verify, GivesKernelsValuesOfTheDomainOnly) {
    VerifyRequest bounded = request(
        kernel("", "if (!(x[pid0 * D + i] > 0)) abort(); if (bias[i] != 0 && bias[i] != 1 && bias[i] != 2) abort();" +
                       right_body));
    bounded.definition.inputs[0].domain = Domain{};
    bounded.definition.inputs[1].domain = Domain{Domain::Kind::integers, 0, 2};
    const VerifyResult result = verified(bounded);
    EXPECT_EQ(result.status, Status::ok) << result.reason;
}

TEST(Verify, RefusesWhatMemoryCannotHold) {
    VerifyRequest huge = request(kernel("", right_body));
    huge.cases = {{"huge", DType::f32, {{"P", 1ll << 40}, {"D", 1 << 10}}}};
    const VerifyResult result = verified(huge);
    EXPECT_EQ(result.status, Status::over_limit);
    EXPECT_THAT(result.reason, HasSubstr("need"));
}

/// A device whose compiler throws.
class ThrowingBackend : public Backend {
public:
    explicit ThrowingBackend(std::function<void()> thrower) : throw_(std::move(thrower)) {}
    std::string kind() const override { return "cpu"; }
    std::vector<DeviceInfo> devices() override { return {}; }
    BuildResult build(const BuildRequest&, const Progress&, std::stop_token) override {
        throw_();
        return {};
    }
    Result<std::shared_ptr<Executor>> start_executor(const std::string&, const ExecutorUse&, std::stop_token) override {
        return fail("none here");
    }
    SampleLength sample_length(const std::string&) const override { return {}; }
    Counters count(Executor&, int, const std::string&, const Artifact&, const Call&, std::stop_token) override {
        return {};
    }

    Result<Ceilings> measure_ceilings(const std::string&, const Progress&, std::stop_token) override {
        return fail("nothing to measure");
    }

private:
    std::function<void()> throw_;
};

TEST(Verify, MakesAResultOfAnExceptionAndSaysWhatItWas) {
    const auto no_progress = [](std::string_view, int, int) {};
    ThrowingBackend full([] { throw std::bad_alloc(); });
    EXPECT_EQ(verify(request(kernel("", right_body)), full, no_progress, {}).status, Status::over_limit);
    ThrowingBackend broken([] { throw std::runtime_error("no more threads"); });
    const VerifyResult result = verify(request(kernel("", right_body)), broken, no_progress, {});
    EXPECT_EQ(result.status, Status::unavailable);
    EXPECT_THAT(result.reason, HasSubstr("no more threads"));
}

TEST(Verify, IsCancelledByItsStopToken) {
    std::stop_source source;
    source.request_stop();
    const VerifyResult result = verified(request(kernel("", right_body)), source.get_token());
    EXPECT_EQ(result.status, Status::cancelled);
    EXPECT_EQ(result.cases.size(), 1u);
}

TEST(Verify, GivesWayBeforeEachCheckAndEndsWhereItMayNotGoOn) {
    VerifyRequest wanted = request(kernel("", right_body));
    int asked = 0;
    wanted.give_way = [&]() -> Outcome {
        ++asked;
        return {};
    };
    const VerifyResult whole = verified(wanted);
    EXPECT_EQ(whole.status, Status::ok) << whole.reason;
    EXPECT_EQ(asked, whole.checks);
    wanted.give_way = [&]() -> Outcome {
        if (--asked > 0) return {};
        return {Status::cancelled, "stopped"};
    };
    EXPECT_EQ(verified(wanted).status, Status::cancelled);
    EXPECT_EQ(asked, 0) << "nothing after it";
}

}  // namespace
}  // namespace kernelgen
