// SPDX-License-Identifier: Apache-2.0
// A kernel of several files through the program, as a user changes one of them.
#include <gmock/gmock.h>

#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramTest;
using testing::Ran;

namespace fs = std::filesystem;

const std::string right = "#pragma once\ninline DTYPE add(DTYPE a, DTYPE b) { return a + b; }\n";
const std::string wrong = "#pragma once\ninline DTYPE add(DTYPE a, DTYPE b) { return a - b; }\n";

class SeveralFiles : public ProgramTest {
protected:
    /// bias_add by `add` of `inc/helper.h`, which the source includes.
    void SetUp() override {
        ProgramTest::SetUp();
        project = small_project();
        file("inc/helper.h", right);
        file("small.cpp", R"(#include <stdint.h>
#include "inc/helper.h"
extern "C" void small(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t pid0, int64_t pid1,
                      int64_t) {
    const int64_t rows = BLOCK_M * ((256 + D - 1) / D);  // of a program, as the launch says
    for (int64_t p = pid0 * rows; p < P && p < (pid0 + 1) * rows; ++p)
        for (int64_t d = pid1 * BLOCK_N; d < D && d < (pid1 + 1) * BLOCK_N; ++d)
            out[p * D + d] = add(x[p * D + d], bias[d]);
}
)");
    }
    void file(const std::string& name, const std::string& text) {
        fs::create_directories((project / name).parent_path());
        ASSERT_TRUE(write_file_atomic(project / name, text));
    }

    fs::path project;
};

TEST_F(SeveralFiles, AreBuiltAgainWhereAHeaderChangedAndTheRoundsSaySo) {
    ASSERT_EQ(kernelgen({"run", "small"}).exit.status, 0);
    EXPECT_EQ(read_file(project / "rounds/0/inc/helper.h"), right);
    file("inc/helper.h", wrong);
    const Ran broken = kernelgen({"verify", "small"});
    EXPECT_EQ(broken.exit.status, 3) << broken.output;
    file("inc/helper.h", "// the same in other words\n" + right);
    ASSERT_EQ(kernelgen({"run", "small", "--note", "a comment"}).exit.status, 0);
    const json rounds = kernelgen({"rounds", "small", "--json"}).json()["rounds"];
    EXPECT_EQ(rounds[1]["change"], "implementation");
    EXPECT_NE(rounds[1]["source_hash"], rounds[0]["source_hash"]);
    ASSERT_EQ(kernelgen({"export", "small"}).exit.status, 0);
    const std::string log = read_file(project / "optimization_log.md").value();
    EXPECT_THAT(log, HasSubstr("`rounds/1/inc/helper.h`"));
    EXPECT_THAT(log, HasSubstr("+// the same in other words"));
    ASSERT_EQ(kernelgen({"keep", "small", "0"}).exit.status, 0);
    EXPECT_EQ(read_file(project / "inc/helper.h"), right);
}

TEST_F(SeveralFiles, TravelToAWorkerElsewhere) {
    fs::create_directories(folder / "elsewhere");
    const std::string command = "cd " + (folder / "elsewhere").string() + " && exec " + KERNELGEN_PROGRAM + " worker";
    const Ran verified = kernelgen({"verify", "small", "--worker", "sh", "-c", command});
    EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
}

TEST_F(SeveralFiles, MayBeSharedByTwoVariants) {
    change(project, [](nlohmann::ordered_json& document) {
        nlohmann::ordered_json second = document["variants"][0];
        second["name"] = "second";
        second["source"] = "second.cpp";
        document["variants"].push_back(second);
    });
    file("second.cpp", read_file(project / "small.cpp").value());
    for (const std::string variant : {"host", "second"}) {
        EXPECT_EQ(kernelgen({"verify", "small", "--variant", variant}).exit.status, 0) << variant;
    }
    file("inc/helper.h", wrong);
    for (const std::string variant : {"host", "second"}) {
        EXPECT_EQ(kernelgen({"verify", "small", "--variant", variant}).exit.status, 3) << variant;
    }
}

TEST_F(SeveralFiles, ThatAreMissingOrWrongAreSaidByTheirNamesInTheProject) {
    fs::remove(project / "inc/helper.h");
    const Ran missing = kernelgen({"build", "small"});
    EXPECT_EQ(missing.exit.status, 2);
    EXPECT_THAT(missing.output, HasSubstr("small.cpp:2: inc/helper.h: No such file or directory"));
    EXPECT_THAT(missing.output, Not(HasSubstr("/build-")));
    file("inc/helper.h",
         "// gr\xf6\xdf"
         "e\n");
    const Ran latin = kernelgen({"verify", "small"});
    EXPECT_EQ(latin.exit.status, 1);
    EXPECT_THAT(latin.errors, HasSubstr("inc/helper.h: it is not UTF-8 text"));
    file("inc/helper.h", std::string(10 << 20, ' '));
    EXPECT_THAT(kernelgen({"verify", "small"}).errors, HasSubstr("inc/helper.h is larger than 4096 KiB"));
    fs::remove(project / "inc/helper.h");
    fs::create_symlink("/etc/hostname", project / "inc/helper.h");
    EXPECT_THAT(kernelgen({"verify", "small"}).errors, HasSubstr("is a link that leads out of the project's folder"));
}

TEST_F(SeveralFiles, ThatAreListedMustBeThere) {
    change(project, [](nlohmann::ordered_json& document) { document["variants"][0]["sources"] = {"part.cpp"}; });
    const Ran missing = kernelgen({"verify", "small"});
    EXPECT_EQ(missing.exit.status, 1);
    EXPECT_THAT(missing.errors, HasSubstr("`sources` lists `part.cpp`, which is no file of the project's folder"));
}

}  // namespace
}  // namespace kernelgen
