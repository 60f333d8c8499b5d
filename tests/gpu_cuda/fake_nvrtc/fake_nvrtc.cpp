// SPDX-License-Identifier: Apache-2.0
// A stand-in for NVRTC that knows sm_75 and sm_90, so that everything around the compiler is tested where there is
// none. It defines bias_add, of 40 registers, which every name expression
// means, and the kernels of resources/cuda/timing.cu, whatever is "compiled"; the
// words CRASH, HANG and UNWRITABLE (what is compiled) in a source are obeyed.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

std::string source;
const std::string log =
    "bias_add.cu(1): warning #177-D: variable \"unused\" was declared but never referenced\n"
    "ptxas info    : Compiling entry function 'bias_add' for 'sm_90a'\n"
    "ptxas info    : Function properties for bias_add\n"
    "    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads\n"
    "ptxas info    : Used 40 registers, used 1 barriers, 1024 bytes smem\n";
const std::string ptx =
    ".visible .entry bias_add(\n.visible .entry hold(\n.visible .entry flush(\n.visible .entry stamp(\n"
    ".visible .const .align 4 .b8 d_filter[4194304];\n";
const std::string cubin = "cubin";

}  // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) {
    *major = 13;
    *minor = 9;
    return 0;
}
int nvrtcGetNumSupportedArchs(int* count) {
    *count = 2;
    return 0;
}
int nvrtcGetSupportedArchs(int* architectures) {
    architectures[0] = 90;
    architectures[1] = 75;
    return 0;
}
int nvrtcCreateProgram(void** program, const char* text, const char*, int, const char* const*, const char* const*) {
    source = text;
    *program = &source;
    return 0;
}
int nvrtcCompileProgram(void*, int, const char* const*) {
    if (source.find("CRASH") != std::string::npos) std::abort();
    if (source.find("HANG") != std::string::npos) ::sleep(600);
    if (source.find("UNWRITABLE") != std::string::npos) ::mkdir("../kernel.cubin", 0700);
    return 0;
}
int nvrtcAddNameExpression(void*, const char*) { return 0; }
int nvrtcGetLoweredName(void*, const char*, const char** symbol) {
    *symbol = "bias_add";
    return 0;
}
int nvrtcGetProgramLogSize(void*, std::size_t* size) {
    *size = log.size() + 1;
    return 0;
}
int nvrtcGetProgramLog(void*, char* text) {
    std::memcpy(text, log.c_str(), log.size() + 1);
    return 0;
}
int nvrtcGetCUBINSize(void*, std::size_t* size) {
    *size = cubin.size();
    return 0;
}
int nvrtcGetCUBIN(void*, char* bytes) {
    std::memcpy(bytes, cubin.data(), cubin.size());
    return 0;
}
int nvrtcGetPTXSize(void*, std::size_t* size) {
    *size = ptx.size() + 1;
    return 0;
}
int nvrtcGetPTX(void*, char* text) {
    std::memcpy(text, ptx.c_str(), ptx.size() + 1);
    return 0;
}
}
