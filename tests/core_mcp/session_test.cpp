// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/core_mcp/client.h"

namespace kernelgen::mcp {
namespace {

using nlohmann::json;
using testing::Client;
using ::testing::HasSubstr;

std::string negotiated(const std::string& asked) {
    Client client;
    return client.ask("initialize", {{"protocolVersion", asked}})["result"]["protocolVersion"];
}

std::string text_of(const json& answer) { return answer["result"]["content"][0]["text"]; }

TEST(McpSession, TakesEachVersionThatItKnows) {
    for (const std::string_view each : protocol_versions) EXPECT_EQ(negotiated(std::string(each)), each);
}

TEST(McpSession, OffersItsNewestVersionForAnUnknownOne) {
    EXPECT_EQ(negotiated("2031-01-01"), *std::prev(std::end(protocol_versions)));
}

TEST(McpSession, ListsToolsWithSchemasThatForbidOtherKeys) {
    Client client;
    client.initialize();
    const json tool = client.ask("tools/list")["result"]["tools"][0];
    EXPECT_EQ(tool["name"], "add");
    EXPECT_EQ(tool["inputSchema"]["additionalProperties"], false);
    EXPECT_EQ(tool["inputSchema"]["required"], json({"first", "second"}));
    EXPECT_EQ(tool["inputSchema"]["properties"]["words"]["items"]["type"], "string");
    EXPECT_EQ(tool["inputSchema"]["properties"]["unit"]["enum"], json({"none", "metre"}));
    EXPECT_EQ(tool["annotations"]["readOnlyHint"], true);
}

TEST(McpSession, AnswersWithTextAndData) {
    Client client;
    client.initialize();
    const json answer = client.call("add", {{"first", 1}, {"second", 2}});
    EXPECT_EQ(text_of(answer), "3");
    EXPECT_EQ(answer["result"]["structuredContent"], json({{"sum", 3}}));
    EXPECT_EQ(answer["result"]["isError"], false);
}

TEST(McpSession, TellsOlderClientsTheDataAsText) {
    Client client;
    client.initialize("2024-11-05");
    const json result = client.call("add", {{"first", 1}, {"second", 2}})["result"];
    EXPECT_FALSE(result.contains("structuredContent"));
    EXPECT_EQ(result["content"][1]["text"], R"({"sum":3})");
}

TEST(McpSession, NamesTheNearestKeyForAnUnknownOne) {
    Client client;
    client.initialize();
    const json answer = client.call("add", {{"first", 1}, {"secnd", 2}});
    EXPECT_EQ(answer["result"]["isError"], true);
    EXPECT_THAT(text_of(answer), HasSubstr("unknown key `secnd`; did you mean `second`?"));
    EXPECT_THAT(text_of(answer), HasSubstr("the key `second` is missing"));
}

TEST(McpSession, NamesTheChoicesForAnUnknownOne) {
    Client client;
    client.initialize();
    EXPECT_THAT(text_of(client.call("add", {{"first", 1}, {"second", 2}, {"unit", "meter"}})),
                HasSubstr("did you mean `metre`?"));
}

TEST(McpSession, RefusesArgumentsThatAreNoObject) {
    Client client;
    client.initialize();
    EXPECT_THAT(text_of(client.call("add", json::array({1, 2}))), HasSubstr("expected an object"));
}

TEST(McpSession, NamesTheNearestToolForAnUnknownOne) {
    Client client;
    client.initialize();
    const json answer = client.call("ad", json::object());
    EXPECT_EQ(answer["error"]["code"], -32602);
    EXPECT_THAT(answer["error"]["message"].get<std::string>(), HasSubstr("did you mean `add`?"));
}

TEST(McpSession, DoesNothingBeforeItIsInitialized) {
    Client client;
    EXPECT_EQ(client.call("add", {{"first", 1}, {"second", 2}})["error"]["code"], -32600);
}

TEST(McpSession, ReadsResources) {
    Client client;
    client.initialize();
    EXPECT_EQ(client.ask("resources/list")["result"]["resources"][0]["uri"], "example:///a");
    EXPECT_EQ(client.ask("resources/read", {{"uri", "example:///a"}})["result"]["contents"][0]["text"], "the text");
    EXPECT_EQ(client.ask("resources/read", {{"uri", "file:///etc/passwd"}})["error"]["code"], -32002);
}

json long_call(json meta = json::object()) {
    return {{"jsonrpc", "2.0"},
            {"id", "long"},
            {"method", "tools/call"},
            {"params", {{"name", "wait"}, {"_meta", std::move(meta)}}}};
}

TEST(McpSession, AnswersOthersWhileACallTakesLong) {
    Client client;
    client.initialize();
    client.send(long_call());
    EXPECT_EQ(text_of(client.call("add", {{"first", 1}, {"second", 2}})), "3");
    EXPECT_EQ(client.ask("ping")["result"], json::object());
}

TEST(McpSession, StopsACancelledCallAndDoesNotAnswerIt) {
    Client client;
    client.initialize();
    client.send(long_call());
    client.send({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", "long"}}}});
    for (int i = 0; client.stopped == 0 && i < 500; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    client.end();
    for (json message = client.receive(); !message.is_null(); message = client.receive())
        EXPECT_FALSE(message.contains("id")) << message;
}

TEST(McpSession, TellsProgressThatGrows) {
    Client client;
    client.initialize();
    client.send(long_call({{"progressToken", "token"}}));
    double told = -1;
    for (int i = 0; i < 3; ++i) {
        const json message = client.receive();
        ASSERT_EQ(message["method"], "notifications/progress");
        EXPECT_EQ(message["params"]["progressToken"], "token");
        EXPECT_EQ(message["params"]["message"], "waiting");
        EXPECT_GT(message["params"]["progress"].get<double>(), told);
        told = message["params"]["progress"];
    }
}

TEST(McpSession, StopsWhatRunsAtTheEndOfTheInput) {
    Client client;
    client.initialize();
    client.send(long_call());
    client.ask("ping");
    client.end();
    EXPECT_TRUE(client.answer("long").is_null());  // returns at the end of the output
    EXPECT_LE(client.stopped, 1);
}

TEST(McpSession, RefusesAnIdThatIsUnderWay) {
    Client client;
    client.initialize();
    client.send(long_call());
    client.send(long_call());
    EXPECT_EQ(client.answer("long")["error"]["code"], -32600);
}

TEST(McpSession, AnswersARequestWhoseNumbersDoNotFit) {
    Client client;
    client.send_text(
        R"({"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"seed": 18446744073709551616, "seed": 1}})");
    const json answer = client.receive();
    EXPECT_EQ(answer["id"], 7);
    EXPECT_EQ(answer["error"]["code"], -32700);
}

TEST(McpSession, SaysWhyATooLongMessageEndsIt) {
    Client client;
    client.send_text(std::string(longest_message + 70'000, 'x'));
    EXPECT_EQ(client.receive()["error"]["message"], "a message is longer than 16 MiB; the session ends");
    EXPECT_EQ(client.receive(), json());
}

TEST(McpSession, SurvivesWhatIsNoMessage) {
    Client client;
    const auto code_for = [&](const std::string& line) {
        client.send_text(line);
        return client.receive()["error"]["code"].get<int>();
    };
    EXPECT_EQ(code_for("{"), -32700);
    EXPECT_EQ(code_for(R"({"id": 1, "id": 2})"), -32700);
    EXPECT_EQ(code_for(std::string(100, '[')), -32700);
    EXPECT_EQ(code_for(R"([{"jsonrpc": "2.0", "id": 1, "method": "ping"}])"), -32600);
    EXPECT_EQ(code_for("3"), -32600);
    EXPECT_EQ(code_for(R"({"jsonrpc": "2.0", "id": null, "method": "ping"})"), -32600);
    EXPECT_EQ(code_for(R"({"jsonrpc": "1.0", "id": 1, "method": "ping"})"), -32600);
    EXPECT_EQ(code_for(R"({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []})"), -32602);
    EXPECT_EQ(code_for(R"({"jsonrpc": "2.0", "id": 1, "method": "server/discover"})"), -32601);
    EXPECT_EQ(client.ask("ping")["result"], json::object());
}

}  // namespace
}  // namespace kernelgen::mcp
