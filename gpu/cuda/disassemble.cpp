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

/// Where a program is looked for: as PATH finds it, then in the folders of toolkits.
std::vector<std::string> places_of(const std::string& program) {
    std::vector<std::string> places = {program};
    for (const std::filesystem::path& toolkit : cuda::toolkit_folders()) {
        places.push_back((toolkit / "bin" / program).string());
    }
    return places;
}

}  // namespace

Result<std::string> disassemble(const std::filesystem::path& cubin) {
    const std::vector<std::vector<std::string>> tools = {{"nvdisasm", "-c"}, {"cuobjdump", "-sass"}};
    for (const std::vector<std::string>& tool : tools) {
        for (const std::string& place : places_of(tool[0])) {
            Command command{.arguments = {place, tool[1], cubin.string()},
                            .environment = {{"LC_ALL", "C"}},
                            .folder = {},
                            .descriptors = {}};
            const Result<Finished> finished = run_to_end(command, {}, 60s, text_limit);
            if (!finished) continue;  // it is not there
            if (finished->exit.success()) return finished->output;
            return fail("`" + place + "` " + to_string(finished->exit) + ": " + std::string(trim(finished->output)));
        }
    }
    return fail("no SASS: neither nvdisasm nor cuobjdump is on PATH or in a CUDA toolkit; install the toolkit's tools");
}

}  // namespace kernelgen
