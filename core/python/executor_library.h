/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdint.h>

/* libkernelgen_executor.so: the executor as a library, for a Python process that hosts kernels of every language.
   C, so that ctypes can call it. Everything happens in the thread that calls `kernelgen_executor_serve`. */

#ifdef __cplusplus
extern "C" {
#endif

/* What a call is for; kernelgen_kernel.py has these numbers, too. */
enum kernelgen_call_mode {
    kernelgen_call_timed = 0,
    kernelgen_call_judged = 1, /* outputs are in their buffers afterwards */
    kernelgen_call_replay = 2, /* replays what `repeat` made ready */
    kernelgen_call_forget = 3  /* calls nothing; forgets what calls have returned, which until then shares no memory
                                  with what others return */
};

/* What Python does when it is called back. Exceptions are its own to catch. */
struct kernelgen_python_callbacks {
    /* Version of the protocol that the Python files are of: executor_protocol_version. */
    int protocol;
    /* One slow request as JSON, and its reply with `status` and `reason`, which stays valid until the next call:
       {"op": "load", "kernel": K, "artifact": {…}, "call": {…}, "trial": true|false}
       {"op": "bind", "kernel": K, "call": {…}}
       {"op": "repeat", "kernel": K, "sets": [[…], …], "stream": S}    calls to be replayed, one on each set; a capture
       is made in this CUDA stream
       {"op": "drop", "kernel": K}, {"op": "last_failure"}
       {"op": "clear"}      whether this process can serve somebody else */
    const char* (*ask)(const char* request);
    /* One call of kernel K on buffers (inputs, outputs, workspace, in order), on a GPU enqueued into CUDA's
       default stream. `mode`: a kernelgen_call_mode. A timed call writes to `places` for each output the address of its
       contents, as they lie in a buffer; a replay for each output of each call. What stays 0 is in the output's buffer.
       The library copies from there, so that after the time no code in Python runs. 0, or 1 where it failed. */
    int (*call)(int kernel, const uint64_t* buffers, int count, int mode, uint64_t* places);
};

/* Maps mailbox and arena, closes their descriptors 3 and 4, and serves the protocol until its requests end. `kind`:
   "cpu" or "cuda"; `ordinal` and `timing_cubin` (resources/cuda/timing.cu as built for the device) are for "cuda".
   Returns an exit status. Callbacks of another version are refused with a message on stderr. */
int kernelgen_executor_serve(const char* kind, int ordinal, const char* timing_cubin,
                             const struct kernelgen_python_callbacks* callbacks);

/* Drops the lines of these bytes from the caches of all processors. */
void kernelgen_executor_flush(const void* data, uint64_t bytes);

#ifdef __cplusplus
}
#endif
