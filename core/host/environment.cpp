// SPDX-License-Identifier: Apache-2.0
#include "core/host/environment.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cmath>
#include <format>
#include <fstream>
#include <string>

#include "core/base/text.h"
#include "core/base/version.h"
#include "core/host/thread_pool.h"

namespace kernelgen {
namespace {

/// The first line of `path` that begins with `key`, after its separator; or "".
std::string field_of(const char* path, std::string_view key, char separator) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::size_t at = line.find(separator);
        if (at != std::string::npos && trim(std::string_view(line).substr(0, at)) == key) {
            return std::string(trim(std::string_view(line).substr(at + 1)));
        }
    }
    return "";
}

std::string line_of(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

std::string caches() {
    struct Level {
        const char* name;
        int size;
    };
    std::string text;
    for (const Level& level : {Level{"L1d", _SC_LEVEL1_DCACHE_SIZE}, Level{"L2", _SC_LEVEL2_CACHE_SIZE},
                               Level{"L3", _SC_LEVEL3_CACHE_SIZE}}) {
        const long bytes = ::sysconf(level.size);
        if (bytes <= 0) continue;
        if (!text.empty()) text += ", ";
        text += bytes < (1 << 20) ? std::format("{} {} KiB", level.name, bytes >> 10)
                                  : std::format("{} {} MiB", level.name, bytes >> 20);
    }
    return text.empty() ? "not readable" : text;
}

std::string clocks() {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cpufreq/";
    const std::string governor = line_of(folder + "scaling_governor"), highest = line_of(folder + "cpuinfo_max_freq");
    long long kilohertz = 0;
    if (governor.empty()) return "not readable";
    if (!parse_integer(highest, kilohertz)) return "governor " + governor;
    return say("governor {}, at most {:.2f} GHz", governor, static_cast<double>(kilohertz) * 1e-6);
}

std::string instruction_set() {
#if defined(__x86_64__)
    std::string text = "x86-64";
    if (__builtin_cpu_supports("avx2")) text += ", AVX2";
    if (__builtin_cpu_supports("fma")) text += ", FMA";
    if (__builtin_cpu_supports("avx512f")) text += ", AVX-512";
    if (__builtin_cpu_supports("avx512bf16")) text += ", AVX-512 BF16";
    if (__builtin_cpu_supports("avx512fp16")) text += ", AVX-512 FP16";
    return text;
#else
    utsname system{};
    return ::uname(&system) == 0 ? system.machine : "unknown";
#endif
}

std::string operating_system() {
    std::string name = field_of("/etc/os-release", "PRETTY_NAME", '=');
    std::erase(name, '"');
    utsname system{};
    if (::uname(&system) != 0) return name;
    return (name.empty() ? std::string(system.sysname) : name) + ", kernel " + system.release;
}

}  // namespace

Environment host_environment() {
    Environment environment;
    environment.device = "cpu";
    environment.hardware = field_of("/proc/cpuinfo", "model name", ':');
    if (environment.hardware.empty()) environment.hardware = "unknown processor";
    environment.threads = static_cast<int>(allowed_cpus().size());
    environment.caches = caches();
    const double bytes = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
    environment.memory_gib = std::round(bytes / (1 << 30) * 10) / 10;
    environment.clocks = clocks();
    environment.instruction_set = instruction_set();
    environment.operating_system = operating_system();
    environment.kernelgen = version;
    return environment;
}

}  // namespace kernelgen
