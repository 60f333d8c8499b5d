// SPDX-License-Identifier: Apache-2.0
// NVIDIA's compiler keeps memory until its process ends; only tests call it in their own process. The leak sanitizer
// asks for this function by its name.
extern "C" const char* __lsan_default_suppressions() { return "leak:libnvrtc\n"; }
