// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "core/base/result.h"

namespace kernelgen {

/// A library that is found at run time and stays loaded until the process ends.
class SharedLibrary {
public:
    /// The first of `names` (sonames or paths) that loads. Errors: the loader's message about the first one.
    static Result<SharedLibrary> open(std::span<const std::string> names);

    const std::string& name() const { return name_; }  ///< of `names`, the one that was loaded

    /// Sets `function` to the symbol's address; returns false and sets null where the library does not have it.
    template <class Function>
    bool find(const char* symbol, Function*& function) const {
        function = reinterpret_cast<Function*>(address(symbol));
        return function != nullptr;
    }

private:
    SharedLibrary(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}
    void* address(const char* symbol) const;

    void* handle_;
    std::string name_;
};

}  // namespace kernelgen
