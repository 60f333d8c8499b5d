// SPDX-License-Identifier: Apache-2.0
// Any bytes as what a kernel may have left for the worker: as an answer of each kind, as what it printed, and as the
// mailbox's memory; and as a request. Values within their bounds, or an error.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "core/backend/crash_place.h"
#include "core/backend/executor_channel.h"
#include "core/backend/executor_replies.h"

namespace {

using namespace kernelgen;

void require(bool holds) {
    if (!holds) std::abort();
}

bool is_time(double seconds) { return std::isfinite(seconds) && seconds > 0 && seconds < 86400; }

void read_samples(std::string_view text, std::size_t turns) {
    SampleRequest request;
    request.turns.assign(turns, {1, 0});
    request.key = turns - 1;
    constexpr std::size_t sets = 2;
    request.states.assign(2 * turns * sets, 0);
    const Result<Reply> reply = read_reply(text, request);
    if (!reply) return require(!reply.error().message.empty());
    require(reply->outcome.ok() == reply->samples.has_value());
    if (!reply->samples) return;
    const Samples& samples = *reply->samples;
    require(samples.seconds.size() >= 2 && samples.checksums.size() == samples.seconds.size());
    for (const std::size_t side : {0u, 1u}) {
        require(samples.seconds[side].size() == turns && std::ranges::all_of(samples.seconds[side], is_time));
        require(request.key == 0 || samples.checksums[side].size() == turns * sets);
    }
    require(samples.outside_seconds >= 0);
    require(samples.discarded >= 0);
    for (const auto& [name, value] : samples.conditions) require(std::isfinite(value));
}

void read_as_each_kind(std::string_view text) {
    require(crash_place(text).size() <= text.size());
    static_cast<void>(read_greeting(text));
    for (const std::size_t turns : {1u, 2u, 5u}) read_samples(text, turns);
    const Result<Reply> counted = read_reply(text, CountRequest{});
    if (counted && counted->hit_rate) require(*counted->hit_rate >= 0 && *counted->hit_rate <= 1);
    LoadRequest on_trial;
    on_trial.trial = true;
    const Result<Reply> tried = read_reply(text, on_trial);
    if (!tried) return;
    for (const TrialKernel& kernel : tried->trial->kernels)
        for (const auto& [name, number] : kernel.numbers) require(number >= 0 && number <= 0x7fffffff);
}

/// A request that can be read is written as it was read.
void read_as_request(std::string_view text) {
    const Result<Request> request = read_request(text);
    if (!request) return require(!request.error().message.empty());
    const std::string line = to_line(*request);
    const Result<Request> again = read_request(line);
    require(again && to_line(*again) == line);
}

/// The first bytes are both rings' positions; the others fill the replies. The worker looks for a line.
void read_from_memory(const std::uint8_t* data, std::size_t size) {
    static Mailbox mailbox = Mailbox::create().value();
    MailboxMemory& memory = mailbox.memory();
    memory.replies.written = memory.replies.taken = 0;
    RingReader reader(memory.replies);
    RingWriter writer(memory.replies);
    for (int round = 0; round < 4 && size >= 8; ++round, data += 8, size -= 8) {
        std::uint32_t positions[2];
        std::memcpy(positions, data, sizeof positions);
        memory.replies.written = positions[0];
        memory.replies.taken = positions[1];
        std::memcpy(memory.replies.bytes.data(), data, std::min<std::size_t>(size, MailboxRing::capacity));
        char block[4096];
        const std::optional<std::size_t> count = reader.take(block);
        require(!count || *count <= sizeof block);
        const std::optional<std::size_t> put = writer.put({reinterpret_cast<const char*>(data), size});
        require(!put || *put <= size);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    read_as_each_kind({reinterpret_cast<const char*>(data), size});
    read_as_request({reinterpret_cast<const char*>(data), size});
    read_from_memory(data, size);
    return 0;
}
