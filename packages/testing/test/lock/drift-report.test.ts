import type { JsonObject } from "@agentprint/canonical-json";
import { judgeReport } from "@agentprint/findings";
import type { VisitAnswers } from "@agentprint/mcp";
import { checkLock, createLock } from "@agentprint/mcp-lock";
import { driftToReport } from "@agentprint/mcp-lock/rules";
import { FORMATS, renderReport } from "@agentprint/report";
import { describe, expect, test } from "vitest";
import { answersOf } from "../../src/lock/offer.ts";

const move: JsonObject = {
  name: "move_file",
  description: "Moves",
  inputSchema: { type: "object" },
  annotations: { destructiveHint: false },
};
const read: JsonObject = { name: "read_file", description: "Reads", inputSchema: { type: "object" } };
const flipped: JsonObject = { ...move, annotations: { destructiveHint: true } };
const lock = createLock({
  fs: answersOf([move, read], { capabilities: { tools: {}, prompts: {} } }),
  memory: answersOf([]),
  web: answersOf([read]),
});
const servers: Record<string, VisitAnswers | { failure: { code: string; message: string } }> = {
  fs: answersOf([flipped, { ...read, name: "readFile" }], {
    instructions: "New",
    capabilities: { tools: {}, prompts: {} },
    prompts: [{ name: "p" }],
  }),
  memory: { failure: { code: "timeout", message: "no answer within 10 s" } },
  web: answersOf([read]),
};
const drift = checkLock(lock, servers);

describe("the report on a drift, written,", () => {
  test("text", () => {
    expect(
      renderReport(judgeReport(driftToReport(drift)), "text"),
    ).toBe(`fs: 1 of 3 tools changed, and only its hints, 1 of 3 tools renamed, 1 of 1 prompts added; instructions changed
  warning  prompt p: prompt added: + {"name":"p"}
  error  move_file: hint changed towards more power at /annotations/destructiveHint: false → true
    A hash of name, description and inputSchema would not detect this change
  error  instructions changed, with signals: + "New"
    Signals: 100 % new words
  error  readFile: likely renamed from read_file, all else is the same at /name: "read_file" → "readFile"
  note  readFile: no hints, so clients treat the tool as destructive

memory
  error  could not tell: no answer within 10 s

readFile
  note  2 tools have names that look alike: + ["fs › readFile","web › read_file"]

agentprint check: memory could not be read; fs drifted: 1 of 3 tools changed, and only its hints, 1 of 3 tools renamed, 1 of 1 prompts added; instructions changed; web unchanged (1 tool)
`);
  });

  test("what is gone is shown, what changed in a resource too, what is alike by how much", () => {
    const search = {
      name: "searchFiles",
      description: "Searches for files",
      inputSchema: { type: "object", properties: { path: {} } },
    };
    const capabilities = { tools: {}, resources: {} };
    const before = answersOf([move, search], { capabilities, resources: [{ uri: "u", size: 1 }] });
    const after = answersOf([{ ...search, name: "search_files", description: "Searches files" }], {
      capabilities,
      resources: [{ uri: "u", size: 2 }],
    });
    expect(
      renderReport(judgeReport(driftToReport(checkLock(createLock({ s: before }), { s: after }))), "text"),
    ).toBe(`s: 1 of 3 tools removed, 1 of 3 tools renamed, 1 of 1 resources changed
  error  search_files: prose changed at /description: "Searches for files" → "Searches files"
  error  resource u: resource changed at /size: 1 → 2
  error  move_file: tool removed
    - {"annotations":{"destructiveHint":false},"description":"Moves","inputSchema":{"type":"object"},"name":"move_file"}
  error  search_files: likely renamed from searchFiles, 89 % alike at /name: "searchFiles" → "search_files"
  note  search_files: no hints, so clients treat the tool as destructive

agentprint check: s drifted: 1 of 3 tools removed, 1 of 3 tools renamed, 1 of 1 resources changed
`);
  });

  test("json is the drift and its findings", () => {
    const report = driftToReport(drift, { lockFile: "agentprint.lock" });
    expect(JSON.parse(renderReport(judgeReport(report), "json"))).toMatchObject({
      ...drift,
      findings: report.findings,
    });
  });

  test.each(FORMATS)("%s is written", (format) => {
    expect(renderReport(judgeReport(driftToReport(drift, { lockFile: "agentprint.lock" })), format)).toMatch(
      /move_file/,
    );
  });
});
