// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace kernelgen {

/// A file descriptor that is closed at the end of its life; -1 is none.
class Descriptor {
public:
    explicit Descriptor(int value = -1) : value_(value) {}
    Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~Descriptor() { close(); }

    int get() const { return value_; }
    void close() {
        if (value_ >= 0) ::close(std::exchange(value_, -1));
    }

private:
    int value_;
};

struct Pipe {
    Descriptor read_end, write_end;

    bool open() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return false;
        read_end = Descriptor(ends[0]);
        write_end = Descriptor(ends[1]);
        return true;
    }
};

}  // namespace kernelgen
