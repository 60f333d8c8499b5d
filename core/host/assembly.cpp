// SPDX-License-Identifier: Apache-2.0
#include "core/host/assembly.h"

#include <chrono>

#include "core/base/end_of_output.h"
#include "core/base/process.h"
#include "core/listing/listing.h"

namespace kernelgen {

using namespace std::chrono_literals;

Result<std::string> host_assembly(const Compiler& compiler, const std::string& processor, const BuildRequest& request,
                                  const Progress& progress, std::stop_token stop) {
    BuildRequest with_lines = request;
    with_lines.implementation.variant.flags.emplace_back("-g1");
    const BuildResult built = compile_kernel(compiler, processor, with_lines, progress, stop);
    if (built.status != Status::ok) return fail(say("no assembly: {}", built.reason));
    const Command command{.arguments = {"objdump", "-d", "-l", "--inlines", "-C", "--no-show-raw-insn", "-j", ".text",
                                        built.artifact.path},
                          .environment = {{"LC_ALL", "C"}},
                          .folder = {},
                          .descriptors = {}};
    const Result<Finished> finished = run_to_end(command, stop, 60s, most_code_bytes);
    if (!finished) return fail(say("no assembly: `objdump` is not here; install binutils"));
    if (finished->stopped) return fail(say("no assembly: {}", "cancelled"));
    if (!finished->exit.success())
        return fail(say("no assembly: `objdump` {}: {}", to_string(finished->exit), end_of_output(finished->output)));
    return finished->output;
}

}  // namespace kernelgen
