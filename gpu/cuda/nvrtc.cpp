// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/nvrtc.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/file.h"
#include "core/base/text.h"
#include "gpu/cuda/library_places.h"

namespace kernelgen {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// The part of nvrtc.h that is needed; it has been the same since version 11.2.
using Program = void*;
constexpr int nvrtc_success = 0;
constexpr int builtins_missing = 7;

/// A loaded library. It stays loaded: nothing can unload it safely.
struct Nvrtc {
    fs::path path;
    int (*version)(int*, int*) = nullptr;
    int (*number_of_architectures)(int*) = nullptr;
    int (*architectures)(int*) = nullptr;
    int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
    int (*compile)(Program, int, const char* const*) = nullptr;
    int (*log_size)(Program, std::size_t*) = nullptr;
    int (*log)(Program, char*) = nullptr;
    int (*cubin_size)(Program, std::size_t*) = nullptr;
    int (*cubin)(Program, char*) = nullptr;
    int (*ptx_size)(Program, std::size_t*) = nullptr;
    int (*ptx)(Program, char*) = nullptr;
    int (*add_expression)(Program, const char*) = nullptr;
    int (*symbol)(Program, const char*, const char**) = nullptr;
};

/// Finds functions in a library and remembers the first that is missing.
struct Symbols {
    void* library;
    std::string missing;

    template <class Function>
    void find(const char* name, Function& function) {
        function = reinterpret_cast<Function>(::dlsym(library, name));
        if (function == nullptr && missing.empty()) missing = name;
    }
};

/// The file that a function was loaded from.
fs::path file_of(const void* function, const fs::path& otherwise) {
    Dl_info info{};
    return ::dladdr(function, &info) != 0 && info.dli_fname != nullptr ? fs::path(info.dli_fname) : otherwise;
}

Result<Nvrtc> load(const fs::path& path) {
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return fail(::dlerror());
    Nvrtc nvrtc;
    Symbols symbols{library, ""};
    symbols.find("nvrtcVersion", nvrtc.version);
    symbols.find("nvrtcGetNumSupportedArchs", nvrtc.number_of_architectures);
    symbols.find("nvrtcGetSupportedArchs", nvrtc.architectures);
    symbols.find("nvrtcCreateProgram", nvrtc.create);
    symbols.find("nvrtcCompileProgram", nvrtc.compile);
    symbols.find("nvrtcGetProgramLogSize", nvrtc.log_size);
    symbols.find("nvrtcGetProgramLog", nvrtc.log);
    symbols.find("nvrtcGetCUBINSize", nvrtc.cubin_size);
    symbols.find("nvrtcGetCUBIN", nvrtc.cubin);
    symbols.find("nvrtcGetPTXSize", nvrtc.ptx_size);
    symbols.find("nvrtcGetPTX", nvrtc.ptx);
    symbols.find("nvrtcAddNameExpression", nvrtc.add_expression);
    symbols.find("nvrtcGetLoweredName", nvrtc.symbol);
    if (!symbols.missing.empty()) {
        return fail(say("{} has no {}: it is no NVRTC, or older than version 12", path.string(), symbols.missing));
    }
    nvrtc.path = file_of(reinterpret_cast<const void*>(nvrtc.version), path);
    return nvrtc;
}

std::optional<std::string> version_of(const Nvrtc& nvrtc) {
    int major = 0, minor = 0;
    if (nvrtc.version(&major, &minor) != nvrtc_success) return std::nullopt;
    return std::to_string(major) + "." + std::to_string(minor);
}

/// Loads NVRTC's second library. NVRTC opens it by name alone, and the system does not always find it beside NVRTC.
void load_builtins(const Nvrtc& nvrtc) {
    const fs::path name = "libnvrtc-builtins.so." + version_of(nvrtc).value_or("");
    (void)::dlopen((nvrtc.path.parent_path() / name).c_str(), RTLD_NOW | RTLD_LOCAL);
}

Result<NvrtcLibrary> describe(const fs::path& path) {
    const Result<Nvrtc> nvrtc = load(path);
    if (!nvrtc) return std::unexpected(nvrtc.error());
    const std::optional<std::string> version = version_of(*nvrtc);
    int count = 0;
    if (!version || nvrtc->number_of_architectures(&count) != nvrtc_success) {
        return fail(say("{} does not say its version", nvrtc->path.string()));
    }
    if (std::atoi(version->c_str()) < 12) {
        return fail(say("{} is NVRTC {}; 12 or newer is needed", nvrtc->path.string(), *version));
    }
    NvrtcLibrary library{nvrtc->path, *version, std::vector<int>(static_cast<std::size_t>(count))};
    nvrtc->architectures(library.architectures.data());
    std::ranges::sort(library.architectures);
    return library;
}

/// A string that one function gives the size of (with its final zero) and another fills.
template <class Size, class Fill>
std::string take_text(Program program, Size size_of, Fill fill) {
    std::size_t size = 0;
    if (size_of(program, &size) != nvrtc_success || size == 0) return "";
    std::string text(size, '\0');
    if (fill(program, text.data()) != nvrtc_success) return "";
    return text;
}

std::string without_final_zeros(std::string text) {
    while (text.ends_with('\0')) text.pop_back();
    return text;
}

std::map<std::string, std::string> symbols_of(const Nvrtc& nvrtc, Program program,
                                              const std::vector<std::string>& expressions) {
    std::map<std::string, std::string> symbols;
    for (const std::string& each : expressions) {
        const char* symbol = nullptr;
        if (nvrtc.symbol(program, each.c_str(), &symbol) == nvrtc_success) symbols[each] = symbol;
    }
    return symbols;
}

constexpr const char* symbols_file = "kernel.symbols";

/// Writes what was compiled, if anything was; the PTX also where ptxas refused it.
Result<void> write_compiled(const fs::path& folder, const NvrtcOutput& output) {
    if (!output.ptx.empty()) {
        if (Result<void> ptx = write_file_atomic(folder / "kernel.ptx", output.ptx); !ptx) return ptx;
    }
    if (!output.compiled) return {};
    const std::string symbols = json(output.symbols).dump(-1, ' ', false, json::error_handler_t::replace);
    if (Result<void> written = write_file_atomic(folder / symbols_file, symbols); !written) return written;
    return write_file_atomic(folder / "kernel.cubin", output.cubin);
}

}  // namespace

Result<NvrtcLibrary> find_nvrtc() {
    Said reason;
    for (const fs::path place :
         cuda::library_places("KERNELGEN_NVRTC", {"libnvrtc.so.13", "libnvrtc.so.12"}, "cuda_nvrtc")) {
        Result<NvrtcLibrary> library = describe(place);
        if (library) return library;
        if (place.is_absolute() && reason.empty()) reason = library.error().message;
    }
    if (reason.empty())
        return fail(
            "no CUDA compiler: install a CUDA toolkit (libnvrtc.so.13 or .12), or name the library in KERNELGEN_NVRTC");
    return fail(say(
        "no CUDA compiler: {}; install a CUDA toolkit (libnvrtc.so.13 or .12), or name the library in KERNELGEN_NVRTC",
        reason));
}

Result<NvrtcOutput> compile_with_nvrtc(const fs::path& library, const NvrtcProgram& program) {
    const Result<Nvrtc> nvrtc = load(library);
    if (!nvrtc) return std::unexpected(nvrtc.error());
    Program handle = nullptr;
    load_builtins(*nvrtc);
    if (nvrtc->create(&handle, program.source.c_str(), program.name.c_str(), 0, nullptr, nullptr) != nvrtc_success) {
        return fail("NVRTC takes no program");
    }
    for (const std::string& each : program.expressions) nvrtc->add_expression(handle, each.c_str());
    std::vector<const char*> options;
    for (const std::string& option : program.options) options.push_back(option.c_str());
    NvrtcOutput output;
    const int code = nvrtc->compile(handle, static_cast<int>(options.size()), options.data());
    output.compiled = code == nvrtc_success;
    output.log = without_final_zeros(take_text(handle, nvrtc->log_size, nvrtc->log));
    if (code == builtins_missing) return fail(std::string(trim(output.log)));
    output.ptx = without_final_zeros(take_text(handle, nvrtc->ptx_size, nvrtc->ptx));
    if (!output.compiled) return output;
    output.cubin = take_text(handle, nvrtc->cubin_size, nvrtc->cubin);
    output.symbols = symbols_of(*nvrtc, handle, program.expressions);
    return output;  // the process ends: the program need not be destroyed
}

int cuda_compiler_main() {
    const Result<std::string> text = read_file("request.json");
    const json request = text ? json::parse(*text, nullptr, false) : json();
    if (!request.is_object()) {
        std::puts("no request.json in the working folder");
        return 2;
    }
    std::error_code error;
    const fs::path folder = fs::current_path(error);
    fs::current_path("sources", error);
    if (error) {
        std::puts("no folder `sources` in the working folder");
        return 2;
    }
    const NvrtcProgram program{request.at("name"), request.at("source"), request.at("options"),
                               request.at("expressions")};
    const Result<NvrtcOutput> output = compile_with_nvrtc(request.at("library").get<std::string>(), program);
    if (!output) {
        std::puts(output.error().message.text().c_str());
        return 2;
    }
    if (const Result<void> written = write_compiled(folder, *output); !written) {
        std::puts(written.error().message.text().c_str());  // alone: it is the build's reason
        return 2;
    }
    std::fwrite(output->log.data(), 1, output->log.size(), stdout);
    return output->compiled ? 0 : 1;
}

std::string cuda_compiler_request(const fs::path& library, const NvrtcProgram& program) {
    const json request = {{"library", library.string()},
                          {"name", program.name},
                          {"source", program.source},
                          {"options", program.options},
                          {"expressions", program.expressions}};
    return request.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::map<std::string, std::string> read_symbols(const fs::path& folder) {
    const Result<std::string> text = read_file(folder / symbols_file);
    const json symbols = text ? json::parse(*text, nullptr, false) : json();
    return symbols.is_object() ? symbols.get<std::map<std::string, std::string>>()
                               : std::map<std::string, std::string>();
}

}  // namespace kernelgen
