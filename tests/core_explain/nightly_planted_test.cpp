// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/base/cause_sentences.h"
#include "core/base/file.h"
#include "core/explain/explain.h"
#include "core/host/host_backend.h"
#include "planted.h"

namespace kernelgen::testing {
namespace {

using ::testing::Contains;

const Progress no_progress = [](std::string_view, int, int) {};

/// Verified and explained as a worker does it.
Explanation explained(const Planted& planted, Backend& backend, double most_seconds = 10) {
    const std::string path = KERNELGEN_SOURCE_DIR "/tests/core_explain/planted/" + planted.name + ".cpp";
    VerifyRequest request;
    request.definition = planted_operator(planted.operation);
    request.cases = {{"64x256", DType::f32, {{"P", 64}, {"D", 256}}}};
    request.candidate = planted_kernel(planted, read_file(path).value());
    request.timeout_seconds = 10;
    const VerifyResult result = verify(request, backend, no_progress, {});
    const CaseAccuracy* check = failing_check(result);
    if (check == nullptr) return {};
    return explain({.verification = request,
                    .binding = check->binding,
                    .set = check->set,
                    .seed = check->seed,
                    .most_seconds = most_seconds},
                   backend, no_progress, {});
}

/// No smaller size was tried: nothing is known of the smallest one.
TEST(NightlyPlantedErrors, AreNotSaidToBeTheSmallestWithoutTime) {
    const auto backend = make_host_backend(KERNELGEN_PROGRAM);
    const Explanation explanation = explained(planted_errors().front(), *backend, 1e-6);
    EXPECT_EQ(explanation.smallest, "");
    EXPECT_THAT(explanation.remarks, Contains(sentences::not_made_smaller));
    EXPECT_FALSE(explanation.causes.empty());
}

TEST(NightlyPlantedErrors, HaveTheirTrueCauseAmongTheFirstTwo) {
    const auto backend = make_host_backend(KERNELGEN_PROGRAM);
    int found = 0;
    std::string told;
    for (const Planted& planted : planted_errors()) {
        const Explanation explanation = explained(planted, *backend);
        const auto truth = std::ranges::find_if(
            explanation.causes, [&](const Cause& each) { return std::ranges::contains(planted.truth, each.kind); });
        const bool is_found = truth != explanation.causes.end() && truth - explanation.causes.begin() < 2;
        found += is_found;
        told += planted.name + (is_found ? ": found" : ": missed") + ", smallest " + explanation.smallest + "\n";
        for (const Cause& each : explanation.causes)
            told += "    " + std::string(to_string(each.kind)) + " " + std::to_string(each.confidence) + " " +
                    each.text + "\n";
    }
    std::cout << told;
    EXPECT_GE(found, 18);
}

}  // namespace
}  // namespace kernelgen::testing
