// SPDX-License-Identifier: Apache-2.0
#include "core/python/toolchain.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/process.h"
#include "core/python/interpreter.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr auto import_limit = std::chrono::seconds(120);  ///< PyTorch from a disk that has not read it yet

Result<TorchToolchain> ask_torch() {
    const std::string program = (resource_folder() / "python" / "kernelgen_toolchain.py").string();
    const Command command{
        .arguments = {python_program(), "-B", program}, .environment = {}, .folder = {}, .descriptors = {}};
    const Result<Finished> finished = run_to_end(command, {}, import_limit);
    if (!finished) return std::unexpected(finished.error());
    const json answer = json::parse(finished->output, nullptr, false);
    if (!answer.is_object())
        return fail(say("PyTorch did not tell how it is compiled for: {}", to_string(finished->exit)));
    if (answer.contains("error"))
        return fail(say("PyTorch did not tell how it is compiled for: {}", answer.at("error").get<std::string>()));
    return TorchToolchain{answer.at("compile"), answer.at("link"), answer.at("nvcc"), answer.at("link_cuda")};
}

}  // namespace

const Result<TorchToolchain>& torch_toolchain() {
    static const Result<TorchToolchain> toolchain = ask_torch();
    return toolchain;
}

}  // namespace kernelgen
