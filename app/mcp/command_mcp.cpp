// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "app/cli/commands.h"
#include "app/mcp/resources.h"
#include "app/mcp/tools.h"
#include "core/base/descriptor.h"
#include "core/base/version.h"
#include "core/mcp/server.h"

namespace kernelgen::agent {

namespace {

constexpr const char* instructions =
    R"(KernelGen verifies and times kernels of one operator. Work in rounds: `open` the project; `read_source`; `edit_source` or `set_tunable`; `verify`; `run` with a `note` that says why; read the result; `note` what it taught. A kernel is timed only if its outputs are right, and speedup is measured in pairs against the project's baseline. You cannot edit what decides: definition, reference, baseline, tolerances, recorded rounds. A kernel that is right only while it is watched is found and gets no speedup. `diagnose` says why a round is slow, `apply` makes the next round with one of its strategies, `explain` says why a result is wrong. `tune` searches tunables; `keep` restores a round; `export` writes the log.)";

}  // namespace

mcp::Service service_of(Agent& agent) {
    mcp::Service service{.name = "kernelgen",
                         .title = "KernelGen",
                         .version = version,
                         .instructions = instructions,
                         .templates = resource_templates(),
                         .resources = [&agent] { return list_resources(agent); },
                         .read_resource = [&agent](const std::string& uri) { return read_resource(agent, uri); }};
    for (const auto tools : {project_tools, source_tools, run_tools, tune_tools, diagnose_tools, round_tools}) {
        for (mcp::Tool& each : tools(agent)) service.tools.push_back(std::move(each));
    }
    return service;
}

namespace {

/// The protocol's descriptors. Whatever else in this process or its children writes to stdout writes to stderr then.
struct Protocol {
    Descriptor input, output;
};

Result<Protocol> take_protocol() {
    Protocol taken{Descriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)),
                   Descriptor(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3))};
    const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    const bool is_taken = taken.input.get() >= 0 && taken.output.get() >= 0 && nothing.get() >= 0 &&
                          ::dup2(nothing.get(), STDIN_FILENO) >= 0 && ::dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
    if (!is_taken) return fail("stdin and stdout must be open: a client speaks the protocol over them");
    return taken;
}

int mcp_command(const std::string& folder, const cli::Context& context) {
    std::error_code error;
    std::filesystem::path root = folder;
    if (root.filename() == "project.json") root = std::filesystem::absolute(root).parent_path();
    if (!std::filesystem::is_directory(root, error))
        return report(context, Error{"`" + folder + "` is no folder: give a project's, or one of projects"});
    const Result<Protocol> protocol = take_protocol();
    if (!protocol) return report(context, protocol.error());
    Agent agent(context, root);
    mcp::serve(service_of(agent), protocol->input.get(), protocol->output.get());
    return cli::exit_done;
}

constexpr const char* mcp_examples = R"(A client starts this program; in its configuration:
  {"mcpServers": {"kernelgen": {"command": "kernelgen", "args": ["mcp", "/home/me/softmax"]}}}
With kernels on another machine:
  kernelgen mcp projects/softmax --worker ssh box kernelgen worker
docs/AGENTS.md lists the tools, and what an agent can and cannot do.)";

}  // namespace

}  // namespace kernelgen::agent

namespace kernelgen::cli {

void add_mcp(CLI::App& app, Context& context) {
    auto folder = std::make_shared<std::string>(".");
    CLI::App* command =
        app.add_subcommand("mcp", "Serve coding agents over the Model Context Protocol on stdin and stdout");
    command->add_option("FOLDER", *folder, "A project's folder, or a folder of projects; agents see nothing outside it")
        ->capture_default_str();
    command->footer(agent::mcp_examples);
    command->callback([folder, &context] { context.exit_status = agent::mcp_command(*folder, context); });
}

}  // namespace kernelgen::cli
