import { describe, expect, test } from "vitest";
import { visitServer } from "../src/index.ts";
import type { Script } from "./servers/scripted-server.ts";
import { options, scripted, tool, toolNames, visitInMemory } from "./support/targets.ts";

const [one, two] = [{ tools: [tool("one")] }, { tools: [tool("two")] }];
const changed = { method: "notifications/tools/list_changed" };
/** The second request for the last list that a visit reads. */
const last = { method: "resources/templates/list", nth: 1 };
const emptyLists = { "prompts/list": [{ prompts: [] }], "resources/list": [{ resources: [] }] };
const quiet: Script = {
  eras: ["legacy"],
  results: { ...emptyLists, "resources/templates/list": [{ resourceTemplates: [] }] },
};

/** Waits longer than the server, which sends a line 50 ms after its last list. */
const patient = { settle: 100 };

describe("a server that changes while it is read", () => {
  test.each([1, 50])("is read again after a notification %i ms behind the last list", async (ms) => {
    const script: Script = {
      ...quiet,
      results: { ...quiet.results, "tools/list": [one, one, two] },
      behind: [{ ...last, ms, line: changed }],
    };
    const { sessions } = await visitInMemory(script, patient);
    expect(toolNames(sessions[0])).toEqual(["two"]);
    expect(sessions[0]?.lists.tools).toHaveLength(2);
    expect(sessions[0]?.lists.prompts).toHaveLength(2);
  });

  test("is read again after a notification between the two readings", async () => {
    const script: Script = {
      ...quiet,
      results: { ...quiet.results, "tools/list": [one, two] },
      behind: [{ method: "tools/list", nth: 0, ms: 0, line: changed }],
    };
    for (const visit of [visitServer(scripted(script), options()), visitInMemory(script)]) {
      const { sessions } = await visit;
      expect(sessions[0]?.lists.tools).toEqual([[two], [two]]);
    }
  });

  test("is not read again after a notification behind the settle time", async () => {
    const script: Script = {
      ...quiet,
      results: { "tools/list": [one] },
      behind: [{ method: "ping", nth: 0, ms: 5_000, line: changed }],
    };
    const { sessions } = await visitInMemory(script, { settle: 1 });
    expect(toolNames(sessions[0])).toEqual(["one"]);
  });

  const eachTime = [0, 1, 2].map((nth) => ({ method: "ping", nth, ms: 1, line: changed }));

  test("fails the visit when it changes each time", async () => {
    const three = { tools: [tool("three")] };
    const results = { "tools/list": [one, one, two, two, three] };
    const visit = visitInMemory({ ...quiet, results, behind: eachTime });
    await expect(visit).rejects.toMatchObject({ code: "server-unstable" });
  });

  test("fails the visit when it announces a change of a list that is not read again", async () => {
    const line = { method: "notifications/resources/list_changed" };
    const behind = [...eachTime.slice(0, 2), { method: "ping", nth: 2, ms: 1, line }];
    const visit = visitInMemory({ ...quiet, results: { "tools/list": [one] }, behind });
    await expect(visit).rejects.toMatchObject({ code: "server-unstable" });
  });

  test("may announce changes without end while its lists stay the same, in any order", async () => {
    const [both, other] = [
      { tools: [tool("one"), tool("two")] },
      { tools: [tool("two"), tool("one")], _meta: { id: 2 } },
    ];
    const flood = Array.from({ length: 300 }, () => ({ method: "tools/list", nth: 5, ms: 0, line: changed }));
    const notes: string[] = [];
    const { sessions } = await visitInMemory(
      { ...quiet, results: { "tools/list": [both, other] }, behind: [...eachTime, ...flood] },
      { onNote: (sentence) => notes.push(sentence) },
    );
    expect(toolNames(sessions[0])).toEqual(["two", "one"]);
    expect(notes).toEqual(["the server keeps announcing changes to tools, but they stay the same"]);
  });

  test("has both readings of a list that differs without a notification", async () => {
    const { sessions } = await visitInMemory({ ...quiet, results: { "tools/list": [one, two] } });
    expect(sessions[0]?.lists.tools).toEqual([[one], [two]]);
  });

  test.each([
    { name: "a list", twice: "tools/list" },
    { name: "the last question", twice: "ping" },
    { name: "initialize", twice: "initialize" },
  ])("is unknown when it answers $name twice", async ({ twice }) => {
    const visit = visitInMemory({ ...quiet, twice, results: { "tools/list": [one] } });
    await expect(visit).rejects.toMatchObject({ code: "server-unstable" });
  });

  test.each([
    { id: 999_999, code: "server-garbage" },
    { id: 3, code: "server-unstable" },
  ])("is unknown when it answers id $id 50 ms behind the last list", async ({ id, code }) => {
    const behind = [{ ...last, ms: 50, line: { id, result: two } }];
    const visit = visitInMemory({ ...quiet, results: { ...quiet.results, "tools/list": [one] }, behind }, patient);
    await expect(visit).rejects.toMatchObject({ code });
  });

  test("is announced by a modern server on its subscription", async () => {
    const script: Script = {
      ...quiet,
      eras: ["modern"],
      results: { ...quiet.results, "tools/list": [one, one, two] },
      behind: [
        {
          method: "subscriptions/listen",
          nth: 0,
          ms: 0,
          line: {
            method: "notifications/subscriptions/acknowledged",
            params: {
              _meta: { "io.modelcontextprotocol/subscriptionId": 1 },
              notifications: { toolsListChanged: true },
            },
          },
        },
        { ...last, ms: 50, line: changed },
      ],
    };
    const { sessions } = await visitInMemory(script, patient);
    expect(toolNames(sessions[0])).toEqual(["two"]);
  });

  test("fails the visit when a list is refused once and answered once", async () => {
    const script: Script = { ...quiet, results: { "tools/list": [one] }, errorsOnce: ["tools/list"] };
    await expect(visitInMemory(script)).rejects.toMatchObject({ code: "server-unstable" });
  });
});
