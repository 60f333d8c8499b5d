// SPDX-License-Identifier: Apache-2.0
// Any bytes as what a client sends to a worker without devices: answers, and an end at the end of the input.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "core/worker/server.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    const int input = ::memfd_create("requests", MFD_CLOEXEC);
    if (::write(input, data, size) != static_cast<ssize_t>(size)) std::abort();
    ::lseek(input, 0, SEEK_SET);
    const kernelgen::Backends none;
    if (kernelgen::serve_worker(none, input, nowhere) != 0) std::abort();
    ::close(input);
    return 0;
}
