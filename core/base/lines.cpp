// SPDX-License-Identifier: Apache-2.0
#include "core/base/lines.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace kernelgen {

namespace {

constexpr std::size_t longest_line_bytes = 1 << 20;

/// Appends in a single write; the error number, or 0.
int append_text(int descriptor, std::string_view line) {
    struct stat status{};
    if (::fstat(descriptor, &status) != 0) return errno;
    char last = '\n';
    if (status.st_size > 0 && ::pread(descriptor, &last, 1, status.st_size - 1) != 1) return errno;
    const std::string text = (last == '\n' ? "" : "\n") + std::string(line) + "\n";
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    int error = written < 0 ? errno : 0;
    if (error == 0 && written < static_cast<ssize_t>(text.size())) error = ENOSPC;
    if (error == 0 && ::fsync(descriptor) != 0) error = errno;
    if (error != 0 && ::ftruncate(descriptor, status.st_size) != 0) error = errno;
    return error;
}

}  // namespace

Result<void> append_line(const std::filesystem::path& path, std::string_view line) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    const int error = descriptor < 0 ? errno : append_text(descriptor, line);
    if (descriptor >= 0) ::close(descriptor);
    if (error == 0) return {};
    return fail("cannot append to " + path.string() + ": " + std::generic_category().message(error));
}

Result<void> for_each_line(const std::filesystem::path& path, const std::function<void(std::string_view)>& take) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a FIFO is empty
    if (descriptor < 0 && errno == ENOENT) return {};
    if (struct stat status{}; descriptor >= 0 && ::fstat(descriptor, &status) == 0 && S_ISCHR(status.st_mode)) {
        ::close(descriptor);  // a device may have no end
        return fail(say("cannot read {}: it is not a regular file", path.string()));
    }
    std::string line, block(1 << 16, '\0');
    ssize_t count = -1;
    const auto more = [&] {
        do count = ::read(descriptor, block.data(), block.size());
        while (count < 0 && errno == EINTR);
        return count > 0;
    };
    while (descriptor >= 0 && more()) {
        std::string_view rest(block.data(), static_cast<std::size_t>(count));
        for (auto end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
            take(line.append(rest.substr(0, end)));
            line.clear();
            rest.remove_prefix(end + 1);
        }
        if (line.size() <= longest_line_bytes) line.append(rest);
    }
    const int error = errno;
    if (descriptor >= 0) ::close(descriptor);
    if (count < 0) return fail(say("cannot read {}: {}", path.string(), std::generic_category().message(error)));
    if (!line.empty()) take(line);
    return {};
}

}  // namespace kernelgen
