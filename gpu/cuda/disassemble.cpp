// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/disassemble.h"

#include <chrono>
#include <vector>

#include "core/base/end_of_output.h"
#include "core/base/process.h"
#include "core/listing/listing.h"
#include "gpu/cuda/library_places.h"

namespace kernelgen {

using namespace std::chrono_literals;

namespace {

/// Why a tool that is there gave nothing.
Said sass_failure(const std::string& tool, const Finished& finished) {
    return say("no SASS: `{}` {}: {}", tool, to_string(finished.exit), end_of_output(finished.output));
}

}  // namespace

Result<std::string> disassemble(const std::filesystem::path& cubin) {
    const std::vector<std::vector<std::string>> tools = {{"nvdisasm", "-gi", "-c"}, {"cuobjdump", "-sass"}};
    Said failure = say(
        "no SASS: neither nvdisasm nor cuobjdump is on PATH or in a CUDA toolkit; install the toolkit's tools, such as "
        "the package cuda-nvdisasm");
    for (const std::vector<std::string>& tool : tools) {
        for (const std::string& place : cuda::tool_places(tool[0])) {
            std::vector<std::string> arguments = {place};
            arguments.insert(arguments.end(), tool.begin() + 1, tool.end());
            arguments.push_back(cubin.string());
            Command command{
                .arguments = std::move(arguments), .environment = {{"LC_ALL", "C"}}, .folder = {}, .descriptors = {}};
            const Result<Finished> finished = run_to_end(command, {}, 60s, most_code_bytes);
            if (!finished) continue;  // it is not there
            if (finished->exit.success()) return finished->output;
            failure = sass_failure(place, *finished);  // another one may read it
        }
    }
    return fail(failure);
}

}  // namespace kernelgen
