// SPDX-License-Identifier: Apache-2.0
// How the tests of a traced file are called.
#include <gmock/gmock.h>

#include "tests/cli/traced_file.h"

namespace kernelgen {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Ran;
using testing::TracedFile;

/// `scaled` with tests that pytest, unittest or a benchmark call.
class TracedTests : public TracedFile {
protected:
    std::string cases_of(const std::string& tests) {
        std::filesystem::remove_all(folder / "made");
        write(tests);
        const Ran ran = trace("lambda x, scale: torch.tanh(x) * scale");
        EXPECT_EQ(ran.exit.status, 0) << ran.errors;
        EXPECT_THAT(ran.output, Not(HasSubstr("the tests ended here")));
        const std::size_t at = ran.output.find("cases: ");
        return ran.output.substr(at, ran.output.find('\n', at) - at);
    }
};

TEST_F(TracedTests, AreCalledAsPytestCallsThem) {
    const std::string tests = R"(
import os, pytest


@pytest.mark.parametrize("rows", [3, pytest.param(5, id="five")])
@pytest.mark.parametrize("columns, scale", [(16, 0.5), (33, 2.0)])
def test_rows(rows, columns, scale):
    if rows == 5 and columns == 33:
        pytest.skip("too odd")
    scaled(torch.randn(rows, columns, device="cuda"), scale)


@pytest.mark.skipif(True, reason="never")
def test_skipped():
    os._exit(1)


def test_with(fixture):
    os._exit(1)


if __name__ == "__main__":
    pytest.main([__file__])
)";
    EXPECT_EQ(cases_of(tests), "cases: call_1, call_2, call_3, call_4, call_5");  // two are of `test_scaled`
    EXPECT_THAT(made("definition.py"), AllOf(HasSubstr("normal(5, 16)"), Not(HasSubstr("normal(5, 33)"))));
    const Ran verified = kernelgen({"verify", "made"});
    EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
}

TEST_F(TracedTests, MayBeAProgramWithArgumentsEventsAndStreams) {
    EXPECT_EQ(cases_of(R"(
import argparse
import unittest


class TestScaled(unittest.TestCase):
    def test_scaled(self):
        begun, ended = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begun.record()
        with torch.cuda.stream(torch.cuda.Stream()):
            scaled(torch.randn(argparse.ArgumentParser().parse_args() and 50, device="cuda"))
        ended.record()
        torch.cuda.current_stream().wait_event(ended)
        self.assertGreater(begun.elapsed_time(ended), 0)
        scaled(torch.randn(60, device="cuda"))


if __name__ == "__main__":
    unittest.main()
)"),
              "cases: call_1, call_2");
}

TEST_F(TracedTests, MayBeABenchmarkAlone) {
    const std::string benchmark = R"(
@triton.testing.perf_report(
    triton.testing.Benchmark(x_names=["n"], x_vals=[100, 1 << 28], line_arg="provider", line_vals=["triton", "torch"],
                             line_names=["Triton", "PyTorch"], plot_name="scaled", args={}))
def bench(n, provider):
    x = torch.randn(n, device="cuda")
    call = (lambda: scaled(x)) if provider == "triton" else (lambda: torch.tanh(x) * 2)
    milliseconds, low, high = triton.testing.do_bench(call, quantiles=[0.5, 0.2, 0.8])
    return n / milliseconds


bench.run(print_data=True, show_plots=True)
)";
    EXPECT_EQ(cases_of(benchmark), "cases: call_1");
    EXPECT_EQ(cases_of("test_scaled()\n" + benchmark), "cases: call_1, call_2");
}

}  // namespace
}  // namespace kernelgen
