// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory.h"

#include <fstream>
#include <string>

namespace kernelgen {

std::size_t available_memory() {
    std::ifstream file("/proc/meminfo");
    std::string name, unit;
    std::size_t kibibytes = 0;
    while (file >> name >> kibibytes) {
        if (name == "MemAvailable:") return kibibytes * 1024;
        std::getline(file, unit);
    }
    return 0;
}

}  // namespace kernelgen
