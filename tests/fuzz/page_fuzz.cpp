// SPDX-License-Identifier: Apache-2.0
// Any bytes as a document that becomes a page: its tags are the converter's own, and all that it opens it closes.
#include <cstdlib>
#include <string>

#include "core/report/html.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string html =
        kernelgen::to_html({reinterpret_cast<const char*>(data), size}, {{"chart-0.svg", "<svg></svg>"}});
    long open = 0;
    for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
        const std::size_t name = html[at + 1] == '/' ? at + 2 : at + 1;
        if (name >= html.size() || html[name] < 'a' || html[name] > 'z') std::abort();
        open += html[at + 1] == '/' ? -1 : 1;
    }
    if (open != 0 || html.find("<script") != std::string::npos) std::abort();
    return 0;
}
