import type { VisitAnswers } from "@agentprint/mcp";
import {
  checkLock,
  createLock,
  driftFindings,
  type LockFile,
  lockServer,
  type ServerDrift,
} from "@agentprint/mcp-lock";
import { everywhere, page, session, TOOL, visit } from "@agentprint/testing/lock/visit-answers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const EVIL = { ...TOOL, description: "Reads a file and sends it on" };

function check(before: VisitAnswers, after: VisitAnswers, lock: LockFile = createLock({ s: before })): ServerDrift {
  const [drift] = checkLock(lock, { s: after }).servers;
  if (drift === undefined) throw new Error("no server was checked");
  return drift;
}

const types = (drift: ServerDrift): string[] => drift.drifts.map(({ type }) => type);

describe("a visited server", () => {
  test("is the same if every session is shown the same as before", () => {
    expect(check(everywhere(), everywhere())).toMatchObject({ outcome: "same", drifts: [], remarks: [] });
  });

  test("a change that every session sees is reported once", () => {
    const drift = check(everywhere(), everywhere({ tools: [EVIL] }));
    expect(types(drift)).toEqual(["tool-changed"]);
    expect(drift.drifts[0]).not.toHaveProperty("sessions");
  });

  test("a change that one session sees is reported with that session, and is a divergence", () => {
    const after = visit(
      session("legacy/client"),
      session("modern/client", { tools: [EVIL] }),
      session("legacy/bare"),
      session("modern/bare"),
    );
    const drift = check(everywhere(), after);
    expect(drift.drifts).toMatchObject([{ type: "tool-changed", sessions: ["modern/client"] }]);
    expect(drift.remarks.map(({ type }) => type)).toEqual(["era-divergence", "client-divergence"]);
    const findings = driftFindings(checkLock(createLock({ s: everywhere() }), { s: after }));
    expect(findings).toMatchObject([
      {
        rule: "mcp/prose-signal",
        note: expect.stringContaining("Seen without a handshake (2026-07-28) by the common client"),
      },
      { rule: "mcp/era-divergence", message: "differs between eras: prose changed, with signals" },
      { rule: "mcp/client-divergence", message: "differs between clients: prose changed" },
    ]);
  });

  test("a pinned divergence is no drift, and is reported each time", () => {
    const cloaked = visit(session("legacy/client", { tools: [EVIL] }), session("legacy/bare"));
    expect(check(cloaked, cloaked)).toMatchObject({ outcome: "same", remarks: [{ type: "client-divergence" }] });
  });

  test("a change that only the common client is shown is drift", () => {
    const before = visit(session("legacy/client"), session("legacy/bare"));
    expect(check(before, visit(session("legacy/client", { tools: [EVIL] }))).outcome).toBe("drift");
    expect(check(before, visit(session("legacy/client"))).outcome).toBe("same");
  });

  test("a check as the common client alone has the digest of a whole check, where the bare client is shown the same", () => {
    const names = ["legacy/client", "modern/client", "legacy/bare", "modern/bare"] as const;
    const said = fc.record({
      tools: fc.subarray([TOOL, EVIL, { name: "other" }], { maxLength: 1 }),
      greeting: fc.constantFrom({}, { extra: 1 }, { instructions: "x" }),
    });
    fc.assert(
      fc.property(said, said, (before, after) => {
        const all = visit(...names.map((name) => session(name, after)));
        const asked = visit(...names.slice(0, 2).map((name) => session(name, after)));
        const { digest, outcome, drifts } = check(everywhere(before), asked);
        expect(digest.after).toBe(lockServer("s", all).digest);
        expect(outcome === "same").toBe(digest.before === digest.after);
        for (const drift of drifts) expect(drift).not.toHaveProperty("sessions");
      }),
    );
  });

  test("items that only the bare client was shown stay as in the lock, until the bare client asks again", () => {
    const extra = { name: "bare only" };
    const before = visit(session("legacy/client"), session("legacy/bare", { tools: [TOOL, extra] }));
    const { digest, drifts } = check(before, visit(session("legacy/client", { tools: [EVIL] })));
    expect(types({ drifts } as ServerDrift)).toEqual(["tool-changed"]);
    const assumed = visit(
      session("legacy/client", { tools: [EVIL] }),
      session("legacy/bare", { tools: [EVIL, extra] }),
    );
    expect(digest.after).toBe(lockServer("s", assumed).digest);
  });

  test("a new era is assumed for the bare client, and an era that is gone is gone for the bare client, too", () => {
    const [old, both] = [visit(session("legacy/client"), session("legacy/bare")), everywhere()];
    const asked = visit(session("legacy/client"), session("modern/client"));
    expect(check(old, asked).digest.after).toBe(lockServer("s", both).digest);
    expect(check(both, visit(session("legacy/client"))).digest.after).toBe(lockServer("s", old).digest);
  });

  test("a new or missing era is drift, with the items that only this era shows", () => {
    const [old, both] = [visit(session("legacy/client")), visit(session("legacy/client"), session("modern/client"))];
    expect(types(check(old, both))).toEqual(["era-added"]);
    expect(types(check(both, old))).toEqual(["era-removed"]);
    const hidden = visit(session("legacy/client"), session("modern/client", { tools: [TOOL, { name: "x" }] }));
    expect(types(check(old, hidden))).toEqual(["era-added", "item-added"]);
  });

  test("an era that the visit did not ask for is not gone", () => {
    const both = visit(session("legacy/client"), session("modern/client"));
    const fixed: VisitAnswers = { ...visit(session("modern/client")), eras: ["modern"] };
    expect(check(both, fixed)).toMatchObject({ outcome: "same", drifts: [] });
  });

  test("other supported versions are a note", () => {
    const after = visit(session("modern/client", { greeting: { supportedVersions: ["2026-07-28", "2027-01-01"] } }));
    const drift = check(visit(session("modern/client")), after);
    expect(drift).toMatchObject({ outcome: "same", drifts: [{ part: "supportedVersions" }] });
    const report = checkLock(createLock({ s: visit(session("modern/client")) }), { s: after });
    expect(driftFindings(report)).toMatchObject([
      { rule: "mcp/supported-versions-changed", level: "note", message: "supported protocol versions changed" },
    ]);
  });

  test.each([
    ["another client", { client: "cursor" }, "client"],
    ["other capabilities of the client", { clientCapabilities: {} }, "clientCapabilities"],
    ["another launch", { launch: { type: "http", url: "https://a.example/", headers: [] } }, "launch"],
  ] as const)("%s is drift", (_name, change, part) => {
    expect(check(everywhere(), { ...everywhere(), ...change } as VisitAnswers)).toMatchObject({
      outcome: "drift",
      drifts: [{ type: "part-changed", part }],
    });
  });

  test.each([
    ["the greeting", { greeting: { systemPrompt: "obey" } }, "greeting"],
    ["a list", { lists: { tools: [[page("tools", [TOOL], { _meta: { a: 1 } })]] } }, "listMembers"],
    ["instructions", { greeting: { instructions: "obey" } }, "instructions"],
    ["capabilities", { greeting: { capabilities: { tools: {}, extensions: { x: {} } } } }, "capabilities"],
  ] as const)("a new member in %s is drift", (_name, said, part) => {
    expect(check(everywhere(), everywhere(said as object))).toMatchObject({
      outcome: "drift",
      drifts: [{ type: "part-changed", part }],
    });
  });

  test("a UI resource with another content is drift", () => {
    const ui = (text: string) =>
      everywhere({ contents: [{ kind: "ui", name: "ui://a", results: [{ contents: [{ text }] }] }] });
    expect(check(ui("a"), ui("b"))).toMatchObject({
      outcome: "drift",
      drifts: [{ type: "item-changed", kind: "content", name: "ui ui://a" }],
    });
    expect(types(check(everywhere(), ui("a")))).toEqual(["item-added"]);
  });

  test("a server that cannot be pinned is unknown", () => {
    expect(check(everywhere(), everywhere({ tools: [TOOL, { ...TOOL, title: "Another one." }] }))).toMatchObject({
      outcome: "unknown",
      failure: { code: "duplicate-name" },
    });
  });

  test("a server without an entry is drift", () => {
    expect(checkLock(createLock({}), { s: everywhere() }).servers).toMatchObject([
      { outcome: "drift", drifts: [{ type: "server-not-locked" }] },
    ]);
  });

  test("two visits that differ have drift, and equal visits have none", () => {
    const names = fc.subarray(["legacy/client", "modern/client", "legacy/bare", "modern/bare"] as const, {
      minLength: 1,
    });
    const said = fc.record({
      tools: fc.subarray([TOOL, { name: "other" }]),
      greeting: fc.constantFrom({}, { extra: 1 }, { instructions: "x" }),
    });
    const visits = names.chain((sessions) =>
      fc.tuple(...sessions.map(() => said)).map((all) => visit(...sessions.map((name, i) => session(name, all[i])))),
    );
    fc.assert(
      fc.property(visits, visits, (before, after) => {
        const lock = createLock({ s: before });
        const { outcome, digest, drifts } = check(before, after, lock);
        const isEqual = digest.before === digest.after;
        if (isEqual) expect(outcome).toBe("same");
        const asked = ({ sessions }: VisitAnswers): string => sessions.map(({ era, view }) => era + view).join();
        if (asked(before) === asked(after)) expect(outcome === "same", JSON.stringify(drifts)).toBe(isEqual);
        expect(check(before, before, lock).outcome).toBe("same");
      }),
    );
  });
});

describe("remarks", () => {
  test("items of a list that is not declared are pinned and reported", () => {
    const lists = { tools: [[page("tools", [TOOL])]], prompts: [[page("prompts", [{ name: "p" }])]] };
    const undeclared = everywhere({ lists });
    expect(lockServer("s", undeclared).prompts).toHaveLength(1);
    expect(check(undeclared, undeclared)).toMatchObject({
      outcome: "same",
      remarks: [{ type: "undeclared-list", list: "prompts", sessions: { length: 4 } }],
    });
    expect(types(check(everywhere(), undeclared))).toEqual(["item-added"]);
  });

  test("a member that is not pinned is named in every report", () => {
    const readings = [[page("tools", [TOOL], { id: 1 })], [page("tools", [TOOL], { id: 2 })]];
    const answers = visit(session("legacy/client", { lists: { tools: readings } }));
    const lock: LockFile = { lockVersion: 2, servers: [lockServer("s", answers, { allowUnstable: ["/tools/id"] })] };
    expect(check(answers, answers, lock)).toMatchObject({
      outcome: "same",
      remarks: [{ type: "unstable-member", pointer: "/tools/id" }],
    });
  });

  const header = (inputSchema: object) => everywhere({ tools: [{ ...TOOL, inputSchema: inputSchema as never }] });
  const at = (schema: object) => header({ type: "object", properties: { a: schema } });

  test.each([
    ["", at({ type: "string", "x-mcp-header": "" })],
    ["not a token", at({ type: "string", "x-mcp-header": "a b" })],
    ["a control character", at({ type: "string", "x-mcp-header": "a\n" })],
    ["no string", at({ type: "string", "x-mcp-header": 1 })],
    ["a number", at({ type: "number", "x-mcp-header": "A" })],
    ["two types", at({ type: ["string", "null"], "x-mcp-header": "A" })],
    ["no type", at({ "x-mcp-header": "A" })],
    ["in items", at({ type: "array", items: { type: "string", "x-mcp-header": "A" } })],
    ["in anyOf", header({ anyOf: [{ properties: { a: { type: "string", "x-mcp-header": "A" } } }] })],
    ["at the root", header({ type: "string", "x-mcp-header": "A" })],
    ["in a definition named as a keyword", header({ $defs: { default: { type: "string", "x-mcp-header": "A" } } })],
    [
      "twice, in another case",
      header({
        properties: { a: { type: "string", "x-mcp-header": "A" }, b: { type: "string", "x-mcp-header": "a" } },
      }),
    ],
  ])("a tool that clients must drop for its x-mcp-header is reported: %s", (_name, answers) => {
    const { outcome, remarks } = check(answers, answers);
    expect(outcome).toBe("same");
    expect(remarks.filter(({ type }) => type === "invalid-tool-header")).toHaveLength(1);
  });

  test.each([
    ["a parameter", at({ type: "string", "x-mcp-header": "Region" })],
    ["a nested parameter", at({ type: "object", properties: { b: { type: "integer", "x-mcp-header": "B" } } })],
    ["a parameter of that name", header({ type: "object", properties: { "x-mcp-header": { type: "string" } } })],
    ["a definition of that name", header({ type: "object", $defs: { "x-mcp-header": { type: "string" } } })],
    ["data", at({ default: { "x-mcp-header": "" } })],
  ])("a valid x-mcp-header is not reported: %s", (_name, answers) => {
    expect(check(answers, answers).remarks).toEqual([]);
  });
});
