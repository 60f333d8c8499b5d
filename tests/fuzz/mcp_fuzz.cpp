// SPDX-License-Identifier: Apache-2.0
// Any bytes as what a client sends to an MCP server: answers, and an end at the end of the input.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "core/mcp/server.h"

namespace {

using namespace kernelgen;

struct Arguments {
    std::string text;
    std::vector<std::string> list;
    Configuration values;
    std::optional<int> number;
    double seconds = 0;
    bool flag = false;
};

mcp::Service echo() {
    auto parameters = mcp::Parameters<Arguments>().required("text", &Arguments::text, "");
    parameters.optional("list", &Arguments::list, "")
        .optional("values", &Arguments::values, "")
        .optional("number", &Arguments::number, "")
        .optional("seconds", &Arguments::seconds, "")
        .optional("flag", &Arguments::flag, "");
    mcp::Service service{.name = "echo"};
    for (const bool takes_long : {false, true}) {
        service.tools.push_back(
            mcp::with_parameters(mcp::Tool{.name = takes_long ? "long" : "short", .takes_long = takes_long}, parameters,
                                 [](const Arguments& arguments, const mcp::Call& call) -> Validated<mcp::Answer> {
                                     call.progress(arguments.text, arguments.seconds, 1);
                                     return mcp::Answer{arguments.text, {{"values", arguments.values}}};
                                 }));
    }
    service.resources = [] { return std::vector<mcp::Resource>{}; };
    service.read_resource = [](const std::string& uri) -> Result<mcp::ResourceText> { return fail(uri); };
    return service;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    static const mcp::Service service = echo();
    const int input = ::memfd_create("messages", MFD_CLOEXEC);
    if (::write(input, data, size) != static_cast<ssize_t>(size)) std::abort();
    ::lseek(input, 0, SEEK_SET);
    mcp::serve(service, input, nowhere);
    ::close(input);
    return 0;
}
