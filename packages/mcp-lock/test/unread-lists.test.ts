import type { ContentAnswers, SessionAnswers, SessionName, VisitAnswers } from "@agentprint/mcp";
import { checkLock, createLock, driftFindings, formatLock, lockServer, parseLock } from "@agentprint/mcp-lock";
import { driftToReport } from "@agentprint/mcp-lock/rules";
import { errorOf, everywhere, page, session, TOOL, visit } from "@agentprint/testing/lock/visit-answers";
import { describe, expect, test } from "vitest";

const unread = { resources: "no database" };
const tools = [[page("tools", [TOOL])]];
const resource = { uri: "file:///a", name: "a" };
const members = { _meta: { from: "a database" } };
const greeting = { capabilities: { tools: {}, prompts: {}, resources: {} } };
const declared = (said: Parameters<typeof everywhere>[0]): VisitAnswers => everywhere({ greeting, ...said });
const failed = declared({ unread });
const read = (items = [resource]) => declared({ lists: { tools, resources: [[page("resources", items, members)]] } });
const check = (before: VisitAnswers, after: VisitAnswers) => checkLock(createLock({ s: before }), { s: after });

describe("a list that failed when the server was pinned", () => {
  test("is named by each session of the entry, which a lock file keeps", () => {
    const entry = lockServer("s", failed);
    expect(entry.sessions.map((each) => each.unread)).toEqual(Array(4).fill(["resources"]));
    expect(parseLock(formatLock(createLock({ s: failed }))).servers).toEqual([entry]);
    expect(entry.digest).not.toBe(lockServer("s", everywhere()).digest);
  });

  test("is a note while it fails, and no drift", () => {
    const drift = check(failed, failed);
    expect(drift.outcome).toBe("same");
    expect(driftFindings(drift)).toMatchObject([
      {
        rule: "mcp/list-unread",
        level: "note",
        message: expect.stringContaining("resources/list fails"),
        isRemark: true,
      },
    ]);
  });

  test("has only added items when it is read", () => {
    const drift = check(failed, read());
    expect(drift.outcome).toBe("drift");
    expect(drift.servers[0]?.drifts.map(({ type }) => type)).toEqual(["part-changed", "part-changed", "item-added"]);
    expect(driftFindings(drift).map(({ rule }) => rule)).toEqual([
      "mcp/item-added",
      "mcp/prose-signal",
      "mcp/list-unread",
    ]);
  });

  test("is a note where it is read and empty", () => {
    const drift = check(failed, declared({ lists: { tools, resources: [[page("resources", [])]] } }));
    expect(drift.outcome).toBe("same");
    expect(driftFindings(drift)).toMatchObject([{ rule: "mcp/list-unread", level: "note" }]);
  });

  test("is assumed for the sessions that a check does not ask", () => {
    expect(
      check(
        failed,
        visit(...["legacy/client", "modern/client"].map((name) => session(name as SessionName, { greeting, unread }))),
      ),
    ).toMatchObject({ outcome: "same" });
    const one = visit(session("legacy/client", { greeting, unread }), session("modern/client"));
    expect(check(one, { ...visit(session("legacy/client", { greeting, unread })), eras: ["legacy"] }).outcome).toBe(
      "same",
    );
  });
});

describe("a list that fails and did not when the server was pinned", () => {
  test("is undecided, and its items are never reported as gone", () => {
    const drift = check(read(), failed);
    expect(drift.servers).toMatchObject([{ outcome: "unknown", drifts: [], failure: { code: "list-unread" } }]);
    expect(driftFindings(drift)).toMatchObject([
      { rule: "mcp/could-not-tell", couldNotTell: true, message: expect.stringContaining("no database") },
    ]);
    expect(driftToReport(drift).summary).toBe("s could not be read in full");
  });

  test("does not hide what else changed", () => {
    const changed = { ...TOOL, title: "Another one" };
    const drift = check(read(), declared({ unread, tools: [changed] }));
    expect(drift).toMatchObject({ outcome: "unknown", servers: [{ outcome: "unknown" }] });
    expect(driftFindings(drift).map(({ rule }) => rule)).toEqual(["mcp/could-not-tell", "mcp/prose-signal"]);
    expect(driftToReport(drift).summary).toContain("s could not be read in full, and drifted: 1 of 1 tools changed");
  });

  test("is told where one session of several is shown it so, with what the others are shown", () => {
    const one = (name: "legacy/client" | "modern/client", items: object[]): SessionAnswers =>
      session(name, { greeting, lists: { tools, resources: [[page("resources", items)]] } });
    const before = visit(one("legacy/client", [resource]), one("modern/client", [resource]));
    const after = visit(session("legacy/client", { greeting, unread }), one("modern/client", []));
    const [drift] = check(before, after).servers;
    expect(drift).toMatchObject({
      outcome: "unknown",
      drifts: [{ type: "item-removed", name: "file:///a", sessions: ["modern/client"] }],
    });
  });

  test("is reported if the server had no such list, and with another one that had failed", () => {
    expect(check(declared({}), failed).outcome).toBe("unknown");
    const both = declared({ unread: { ...unread, prompts: "no prompts" } });
    expect(check(failed, both).servers).toMatchObject([
      { failure: { message: expect.stringContaining("prompts/list") } },
    ]);
  });

  test("keeps the contents that were read by it", () => {
    const results = [{ contents: [] }];
    const contents: ContentAnswers[] = [{ kind: "resource", name: "file:///a", results }];
    const ui: ContentAnswers[] = [{ kind: "ui", name: "ui://a", results }];
    const before = declared({
      lists: { tools, resources: [[page("resources", [resource])]] },
      contents: [...contents, ...ui],
    });
    expect(check(before, declared({ unread, contents: ui })).servers).toMatchObject([
      { outcome: "unknown", drifts: [] },
    ]);
    expect(check(before, declared({ unread })).servers).toMatchObject([
      { outcome: "unknown", drifts: [{ type: "item-removed", name: "ui ui://a" }] },
    ]);
  });
});

describe("what is refused", () => {
  test.each<[string, object]>([
    ["the list of tools", { unread: { tools: "no" } }],
    ["an unknown list", { unread: { roots: "no" } }],
    ["a list that was read", { unread, lists: { tools, resources: [[page("resources", [])]] } }],
    ["a list without tools", { unread, lists: {} }],
    ["a list without a tool", { unread, tools: [] }],
  ])("as failed: %s", (_, said) => {
    expect(errorOf(() => lockServer("s", everywhere(said)))).toMatchObject({
      code: "invalid-definition",
      path: expect.stringMatching(/^\/sessions\/0\/unread\//),
    });
  });

  test.each<[string, unknown, string]>([
    ["no list", [], "invalid-lock"],
    ["the list of tools", ["tools"], "invalid-lock"],
    ["a list twice", ["resources", "resources"], "invalid-lock"],
    ["lists in another order", ["resources", "prompts"], "invalid-lock"],
    ["a text", "resources", "invalid-lock"],
    ["another list than the digest is of", ["prompts"], "digest-mismatch"],
    ["nothing, where the digest is of a list", undefined, "digest-mismatch"],
  ])("in a file: %s", (_, lists, code) => {
    const file = JSON.parse(formatLock(createLock({ s: failed })));
    file.servers[0].sessions[0].unread = lists;
    expect(errorOf(() => parseLock(JSON.stringify(file))).code).toBe(code);
  });
});
