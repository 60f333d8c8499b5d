// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "app/cli/commands.h"
#include "core/host/host_backend.h"
#include "core/worker/server.h"
#include "gpu/cuda/cuda_backend.h"
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

}  // namespace

void add_processes(CLI::App& app, Context& context) {
    CLI::App* worker = app.add_subcommand("worker", "Serve requests on stdin and stdout (docs/WORKER_PROTOCOL.md)");
    worker->callback([&context] {
        const Backends backends = make_backends(context.program);
        context.exit_status = serve_worker(backends, STDIN_FILENO, STDOUT_FILENO);
    });
    CLI::App* executor = app.add_subcommand("executor", "Run kernels for a worker (docs/EXECUTOR_PROTOCOL.md)");
    executor->group("");  // started by workers only
    executor->callback([&context] { context.exit_status = native_executor_main(); });
    CLI::App* compiler = app.add_subcommand("cuda-compiler", "Compile a CUDA kernel for a worker");
    compiler->group("");  // started by workers only
    compiler->callback([&context] { context.exit_status = cuda_compiler_main(); });
}

}  // namespace kernelgen::cli
