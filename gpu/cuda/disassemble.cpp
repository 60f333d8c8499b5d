// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/disassemble.h"

#include <chrono>
#include <vector>

#include "core/base/process.h"
#include "core/base/text.h"
#include "gpu/cuda/library_places.h"

namespace kernelgen {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t text_limit = 16 << 20;

}  // namespace

Result<std::string> disassemble(const std::filesystem::path& cubin) {
    const std::vector<std::vector<std::string>> tools = {{"nvdisasm", "-gi", "-c"}, {"cuobjdump", "-sass"}};
    for (const std::vector<std::string>& tool : tools) {
        for (const std::string& place : cuda::tool_places(tool[0])) {
            std::vector<std::string> arguments = {place};
            arguments.insert(arguments.end(), tool.begin() + 1, tool.end());
            arguments.push_back(cubin.string());
            Command command{
                .arguments = std::move(arguments), .environment = {{"LC_ALL", "C"}}, .folder = {}, .descriptors = {}};
            const Result<Finished> finished = run_to_end(command, {}, 60s, text_limit);
            if (!finished) continue;  // it is not there
            if (finished->exit.success()) return finished->output;
            return fail("`" + place + "` " + to_string(finished->exit) + ": " + std::string(trim(finished->output)));
        }
    }
    return fail(say(
        "no SASS: neither nvdisasm nor cuobjdump is on PATH or in a CUDA toolkit; install the toolkit's tools, such as "
        "the package cuda-nvdisasm"));
}

}  // namespace kernelgen
