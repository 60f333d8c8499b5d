// SPDX-License-Identifier: Apache-2.0
#include "core/backend/mailbox.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "core/backend/executor_channel.h"
#include "core/backend/executor_protocol.h"

namespace kernelgen {
namespace {

using namespace std::chrono_literals;

std::string pattern(std::size_t bytes) {
    std::string text(bytes, ' ');
    for (std::size_t i = 0; i < bytes; ++i) text[i] = static_cast<char>('a' + i * 7 % 23);
    return text;
}

std::string taken(RingReader& reader, std::size_t most = 1 << 16) {
    std::string bytes(most, ' ');
    const std::optional<std::size_t> count = reader.take(bytes);
    return count ? bytes.substr(0, *count) : "impossible";
}

class TwoEnds : public ::testing::Test {
protected:
    Mailbox mailbox_ = Mailbox::create().value();
    MailboxRing& ring_ = mailbox_.memory().requests;
    RingWriter writer_{ring_};
    RingReader reader_{ring_};
};

TEST_F(TwoEnds, GiveOutWhatWasPutInOrder) {
    EXPECT_EQ(taken(reader_), "");
    EXPECT_EQ(writer_.put("one "), 4U);
    EXPECT_EQ(writer_.put("two"), 3U);
    EXPECT_EQ(taken(reader_, 5), "one t");
    EXPECT_EQ(taken(reader_), "wo");
    EXPECT_EQ(taken(reader_), "");
}

TEST_F(TwoEnds, WrapAroundAtTheRingsEnd) {
    const std::string piece = pattern(MailboxRing::capacity / 3 + 17);
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(writer_.put(piece), piece.size());
        ASSERT_EQ(taken(reader_, MailboxRing::capacity), piece) << i;
    }
}

TEST_F(TwoEnds, WorkOnWhereThePositionsPassTheLargestNumber) {
    ring_.written = ring_.taken = 0xfffffff0;
    RingWriter writer(ring_);
    RingReader reader(ring_);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(writer.put("ten bytes."), 10U);
        EXPECT_EQ(taken(reader), "ten bytes.");
    }
    EXPECT_EQ(ring_.written, 14U);
    EXPECT_EQ(writer.put(pattern(2 * MailboxRing::capacity)), std::size_t{MailboxRing::capacity});
}

TEST_F(TwoEnds, TakeNoMoreThanThereIsRoomFor) {
    const std::string large = pattern(MailboxRing::capacity + 5);
    EXPECT_EQ(writer_.put(large), std::size_t{MailboxRing::capacity});
    EXPECT_EQ(writer_.put("more"), 0U);
    EXPECT_EQ(taken(reader_, 3), large.substr(0, 3));
    EXPECT_EQ(writer_.put("more"), 3U);
}

TEST_F(TwoEnds, RefuseAPositionThatCannotBe) {
    ring_.written = 0x80000000;
    EXPECT_EQ(taken(reader_), "impossible");
    ring_.taken = 1;  // more than was ever written
    EXPECT_FALSE(writer_.put("text"));
}

TEST_F(TwoEnds, StreamAMessageThatIsLargerThanTheRing) {
    const std::string message = pattern(5 * MailboxRing::capacity + 123);
    std::jthread sending([&] {
        for (std::string_view rest = message; !rest.empty();) {
            rest.remove_prefix(writer_.put(rest).value());
            if (!rest.empty()) writer_.wait(1s);
        }
    });
    std::string received;
    while (received.size() < message.size()) {
        received += taken(reader_);
        if (received.size() < message.size()) reader_.wait(1s);
    }
    EXPECT_EQ(received, message);
}

TEST_F(TwoEnds, WakeTheOtherSideLongBeforeItsLimit) {
    const auto start = std::chrono::steady_clock::now();
    std::jthread answering([&] {
        std::this_thread::sleep_for(20ms);
        writer_.put("x");
    });
    while (taken(reader_).empty()) reader_.wait(60s);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
}

TEST(Mailbox, CannotBeMadeSmallerNorLarger) {
    const Mailbox mailbox = Mailbox::create().value();
    EXPECT_NE(::ftruncate(mailbox.descriptor(), 0), 0);
    EXPECT_NE(::ftruncate(mailbox.descriptor(), 1 << 30), 0);
}

TEST(Mailbox, OfAnotherVersionIsRefused) {
    Mailbox mailbox = Mailbox::create().value();
    ASSERT_TRUE(Mailbox::open(mailbox.descriptor()));
    mailbox.memory().version = 3;
    const Result<Mailbox> opened = Mailbox::open(mailbox.descriptor());
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().message, "the worker speaks protocol 3, this program " +
                                          std::to_string(executor_protocol_version) +
                                          ": install the same version of both");
}

TEST(Mailbox, ThatIsNoneIsRefused) {
    Mailbox mailbox = Mailbox::create().value();
    ++mailbox.memory().magic;
    for (const int descriptor : {-1, STDERR_FILENO, mailbox.descriptor()}) {
        const Result<Mailbox> opened = Mailbox::open(descriptor);
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().message.text().find("there is no mailbox at descriptor "), 0U)
            << opened.error().message;
    }
}

TEST(Mailbox, ThatWasOpenedIsNotInAForkedChild) {
    Mailbox mailbox = Mailbox::create().value();
    Mailbox opened = Mailbox::open(mailbox.descriptor()).value();
    const pid_t child = ::fork();
    if (child == 0) {
        opened.memory().replies.written = 7;
        ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
#if !defined(KERNELGEN_SANITIZED)  // which may have mapped something else there
    EXPECT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
#endif
    EXPECT_EQ(mailbox.memory().replies.written, 0U);
}

TEST(Mailbox, ThatIsHiddenCannotBeTouched) {
    Mailbox mailbox = Mailbox::create().value();
    mailbox.set_hidden(true);
    EXPECT_DEATH(mailbox.memory().replies.written = 7, "");
    mailbox.set_hidden(false);
    mailbox.memory().replies.written = 7;
}

/// A worker's end whose other side is a child that says nothing.
class SilentPeer : public ::testing::Test {
protected:
    void start(const std::string& commands) {
        process_.emplace(Process::start({.arguments = {"sh", "-c", commands},
                                         .environment = {},
                                         .folder = {},
                                         .descriptors = {{3, channel_.descriptor()}}})
                             .value());
    }
    Patience patience(std::chrono::milliseconds limit) {
        return {std::chrono::steady_clock::now() + limit, stop_.get_token(), &*process_};
    }

    ExecutorChannel channel_ = ExecutorChannel::create().value();
    std::optional<Process> process_;
    std::stop_source stop_;
    std::string line_;
};

TEST_F(SilentPeer, IsWaitedForUntilTheDeadline) {
    start("sleep 60");
    EXPECT_EQ(channel_.send("{}", patience(10s)), Heard::done);
    EXPECT_EQ(channel_.receive(line_, patience(50ms)), Heard::late);
}

TEST_F(SilentPeer, ThatDiesIsNotWaitedFor) {
    start("exit 3");
    EXPECT_EQ(channel_.receive(line_, patience(60s)), Heard::ended);
    EXPECT_EQ(channel_.send(std::string(2 * MailboxRing::capacity, 'x'), patience(60s)), Heard::ended);
}

TEST_F(SilentPeer, IsNotWaitedForOnceStopped) {
    start("sleep 60");
    std::jthread stopping([&] {
        std::this_thread::sleep_for(50ms);
        stop_.request_stop();
    });
    EXPECT_EQ(channel_.receive(line_, patience(60s)), Heard::stopped);
}

}  // namespace
}  // namespace kernelgen
