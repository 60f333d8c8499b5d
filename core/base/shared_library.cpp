// SPDX-License-Identifier: Apache-2.0
#include "core/base/shared_library.h"

#include <dlfcn.h>

namespace kernelgen {

Result<SharedLibrary> SharedLibrary::open(std::span<const std::string> names) {
    std::string reason = "no library was named";
    for (const std::string& name : names) {
        if (void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return SharedLibrary(handle, name);
        const char* said = ::dlerror();
        if (&name == &names.front()) reason = said != nullptr ? said : name + " does not load";
    }
    return fail(reason);
}

void* SharedLibrary::address(const char* symbol) const { return ::dlsym(handle_, symbol); }

}  // namespace kernelgen
