import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { visitServer } from "../src/index.ts";
import { options, scripted, server, tool, toolNames, visitInMemory } from "./support/targets.ts";

const tools = { "tools/list": [{ tools: [tool("one")] }] };

describe("the eras of a server over stdio", () => {
  test("finds only the modern era of an SDK 2.4 server that rejects the handshake", async () => {
    const { sessions } = await visitServer(server("sdk-v2", "reject"), options());
    expect(sessions.map(({ era, protocolVersion }) => [era, protocolVersion])).toEqual([["modern", "2026-07-28"]]);
    expect(toolNames(sessions[0])).toEqual(["weather"]);
    expect(sessions[0]?.greetings).toHaveLength(2);
    expect(sessions[0]?.lists.tools).toHaveLength(2);
  });

  test("finds both eras of an SDK 2.4 server", async () => {
    const { sessions } = await visitServer(server("sdk-v2"), options());
    expect(sessions.map(({ era }) => era)).toEqual(["legacy", "modern"]);
    expect(sessions.map(toolNames)).toEqual([["weather"], ["weather"]]);
  });

  test("reports once that the server runs in both eras", async () => {
    let opened = 0;
    const onOpen = (): void => void opened++;
    await visitInMemory({ results: tools }, { onOpen });
    expect(opened).toBe(1);
  });

  test("finds only the handshake of a server of the first SDK", async () => {
    const { sessions } = await visitServer(server("sdk-v1"), options());
    expect(sessions.map(({ era, protocolVersion }) => [era, protocolVersion])).toEqual([["legacy", "2025-11-25"]]);
  });

  test.each([
    { otherEra: "exit" },
    { otherEra: "silence" },
    { otherEra: "error" },
    { otherEra: { error: { code: -32602, message: "Invalid request parameters" } } },
    { otherEra: { error: { code: -32022, message: "no", data: { supported: ["2025-11-25", "2025-06-18"] } } } },
  ] as const)("takes $otherEra to a probe for no modern era", async ({ otherEra }) => {
    const { sessions } = await visitInMemory({ eras: ["legacy"], otherEra, results: tools }, { probeTimeout: 100 });
    expect(sessions.map(({ era }) => era)).toEqual(["legacy"]);
  });

  test.each([{ otherEra: "exit" }, { otherEra: "silence" }, { otherEra: "error" }] as const)(
    "takes $otherEra to initialize for no handshake, where the modern era answers",
    async ({ otherEra }) => {
      const { sessions } = await visitInMemory({ eras: ["modern"], otherEra, results: tools }, { probeTimeout: 100 });
      expect(sessions.map(({ era }) => era)).toEqual(["modern"]);
    },
  );

  test("finds a modern era by a list where the probe is refused", async () => {
    const hidden = { resultType: "complete", tools: [tool("hidden")] };
    const script = {
      errors: { "server/discover": { code: -32601, message: "no" } },
      results: { "tools/list": [hidden] },
    };
    const { sessions } = await visitInMemory({ ...script, undiscovered: true });
    expect(sessions.map(({ era, greetings }) => [era, greetings.length])).toEqual([
      ["legacy", 1],
      ["modern", 0],
    ]);
  });

  test("does not lose an era that answers late, while the other is still read", async () => {
    const script = { eras: ["legacy"], otherEra: { late: 100 }, results: tools } as const;
    const { sessions } = await visitInMemory(script, { probeTimeout: 20, settle: 400 });
    expect(sessions.map(({ era }) => era)).toEqual(["legacy", "modern"]);
  });

  test.each([
    { code: -32020, message: "Header mismatch" },
    { code: -32021, message: "Missing capability" },
    { code: -32022, message: "Unsupported", data: { supported: ["2031-01-01", "2025-11-25"] } },
    { code: -32022, message: "Unsupported" },
  ])("fails where a probe shows a modern era that cannot be read: $code $data", async (error) => {
    const visit = visitInMemory({ eras: ["legacy"], otherEra: { error }, results: tools });
    await expect(visit).rejects.toMatchObject({ code: "server-error", details: { rpcCode: error.code } });
  });

  test("reads an era in another process after it was asked for both, because it was only slow", async () => {
    const folder = mkdtempSync(join(tmpdir(), "slow-start-"));
    const script = { slowStart: join(folder, "ran"), results: tools };
    const { sessions } = await visitInMemory(script, { settle: 0 });
    expect(sessions.map(({ era, greetings }) => [era, greetings.length])).toEqual([
      ["legacy", 1],
      ["modern", 2],
    ]);
    rmSync(folder, { recursive: true });
  });

  test("fails where an era ends after its first answer", async () => {
    const visit = visitServer(scripted({ exitOn: "tools/list" }), options());
    await expect(visit).rejects.toMatchObject({ code: "server-ended" });
  });

  test("fails with the refusal of the handshake where there is no era", async () => {
    const visit = visitServer(scripted({ eras: [], otherEra: "exit" }), options());
    await expect(visit).rejects.toMatchObject({ code: "server-ended" });
  });

  test.each([
    ["2026-07-28", "modern"],
    ["modern", "modern"],
    ["2025-11-25", "legacy"],
    ["legacy", "legacy"],
  ])("visits only the era of %s where it is asked for", async (protocol, era) => {
    const { sessions } = await visitInMemory({ results: tools }, { protocol });
    expect(sessions.map((session) => session.era)).toEqual([era]);
  });

  test("fails where the server does not speak the version that was asked for", async () => {
    const visit = visitInMemory({ results: tools }, { protocol: "2025-06-18" });
    await expect(visit).rejects.toMatchObject({ code: "server-garbage" });
    const refused = visitInMemory({ eras: ["legacy"] }, { protocol: "2026-07-28" });
    await expect(refused).rejects.toMatchObject({ code: "server-error", details: { rpcCode: -32601 } });
  });

  test.each(["1999-01-01", "constructor", ""])("refuses the unknown version %j", async (protocol) => {
    await expect(visitInMemory({}, { protocol })).rejects.toMatchObject({ code: "invalid-target" });
  });
});
