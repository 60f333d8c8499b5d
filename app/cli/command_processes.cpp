// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>
#include <unistd.h>

#include "app/cli/commands.h"
#include "core/explain/repro.h"
#include "core/host/host_backend.h"
#include "core/worker/server.h"
#include "gpu/cuda/cuda_backend.h"
#include "gpu/cuda/cuda_executor.h"
#include "gpu/cuda/nvrtc.h"

namespace kernelgen::cli {

namespace {

/// Every backend of this program, in the order in which devices are listed.
Backends make_backends(const std::string& program) {
    Backends backends;
    backends.push_back(make_host_backend(program));
    backends.push_back(make_cuda_backend(program));
    return backends;
}

/// Children of the CUDA backend: started by workers only.
void add_cuda_processes(CLI::App& app, Context& context) {
    auto ordinal = std::make_shared<int>(0);
    auto file = std::make_shared<std::string>();
    CLI::App* executor = app.add_subcommand("cuda-executor", "Run CUDA kernels for a worker");
    CLI::App* once = app.add_subcommand("cuda-once", "Call a CUDA kernel once, for a profiler");
    for (CLI::App* command : {executor, once}) {
        command->group("");
        command->add_option("ORDINAL", *ordinal, "Of the device")->required();
        command->add_option("FILE", *file, "The timing kernels' cubin, or the call")->required();
    }
    executor->callback([=, &context] { context.exit_status = cuda_executor_main(*ordinal, *file); });
    CLI::App* compiler = app.add_subcommand("cuda-compiler", "Compile a CUDA kernel for a worker");
    compiler->group("");
    compiler->callback([&context] { context.exit_status = cuda_compiler_main(); });
    once->callback([=, &context] { context.exit_status = cuda_once_main(*ordinal, *file); });
}

}  // namespace

void add_processes(CLI::App& app, Context& context) {
    CLI::App* worker = app.add_subcommand("worker", "Serve requests on stdin and stdout (docs/WORKER_PROTOCOL.md)");
    worker->footer(
        "Examples:\n  kernelgen run projects/gelu --worker ssh box kernelgen worker\n"
        "  kernelgen devices --worker srun --gpus=1 kernelgen worker");
    worker->callback([&context] {
        ::prctl(PR_SET_DUMPABLE, 0);  // a kernel of the same user can neither trace it nor read its memory
        const Backends backends = make_backends(context.program);
        context.exit_status = serve_worker(backends, STDIN_FILENO, STDOUT_FILENO);
    });
    CLI::App* executor = app.add_subcommand("executor", "Run kernels for a worker (docs/EXECUTOR_PROTOCOL.md)");
    executor->group("");  // started by workers only
    executor->callback([&context] { context.exit_status = native_executor_main(); });
    auto file = std::make_shared<std::string>();
    CLI::App* once = app.add_subcommand("host-once", "Call a C++ kernel once, for a debugger");
    once->group("");  // started by `repro`
    once->add_option("FILE", *file, "The call")->required();
    once->callback([file, &context] { context.exit_status = host_once_main(*file); });
    add_cuda_processes(app, context);
}

}  // namespace kernelgen::cli
