# SPDX-License-Identifier: Apache-2.0
"""A coding agent's session with `kernelgen mcp`, over the official SDK: mcp_session.py EDITS PROGRAM ARGUMENT...

Prints what each step answered, as one JSON document. EDITS is a JSON file with the sources to try.
"""
import asyncio
import json
import os
import sys
import time

import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

steps = {}
reports = []


async def on_progress(progress, total, message):
    reports.append([progress, total, message])


async def work(session, edits):
    async def call(step, tool, on_progress=None, **arguments):
        result = await session.call_tool(tool, arguments, progress_callback=on_progress)
        steps[step] = result.model_dump(by_alias=True, mode="json")

    steps["initialize"] = (await session.initialize()).model_dump(by_alias=True, mode="json")
    steps["tools"] = [tool.name for tool in (await session.list_tools()).tools]
    await call("open", "open")
    await call("unknown_key", "verify", devise="cpu")
    await call("baseline", "edit_source", file="small_naive.cpp", text="")
    await call("wrong_edit", "edit_source", file="small.cpp", text=edits["wrong"])
    await call("wrong", "verify", variant="host")
    with open("small/small_naive.cpp", "a") as baseline:  # as a kernel could do
        baseline.write("\n")
    await call("opened_again", "open")  # which does not clear the alarm
    await call("wrong_run", "run", variant="host", note="a mistake")
    with open("small/rounds/0/result.json", "a") as record:  # as a kernel could do, too
        record.write("\n")
    await call("right_edit", "edit_source", file="small.cpp", text=edits["right"])
    await call("run", "run", on_progress, variant="host", note="as generated", counters=False)
    await call("rounds", "rounds")
    await call("short_tune", "tune", variant="host", budget_seconds=2, evaluations=2)
    begin = time.monotonic()
    with anyio.move_on_after(1.5):
        await call("tune", "tune", variant="host", budget_seconds=300)
    await call("after_cancel", "verify", variant="host", cases=["P=3,D=5,dtype=f32"])
    steps["after_cancel_seconds"] = time.monotonic() - begin
    await call("round", "round", round=1)
    await call("note", "note", round=1, worked="as generated")
    await call("export", "export")
    resources = (await session.list_resources()).resources
    steps["resources"] = [str(each.uri) for each in resources]
    log = await session.read_resource("kernelgen:///optimization_log.md")
    steps["log"] = log.contents[0].text


async def main(edits, program, *arguments):
    server = StdioServerParameters(command=program, args=arguments, env=dict(os.environ))
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await work(session, edits)
    steps["progress"] = reports
    print(json.dumps(steps))


with open(sys.argv[1]) as file:
    asyncio.run(main(json.load(file), *sys.argv[2:]))
