import { expect, test } from "vitest";
import { createThought, formatThoughtLine, UncoveredMembersLog, verifyTaskLines } from "../../src/chain/index.ts";

const NOW = "2026-04-01T00:00:00.000Z";
const RECORD = createThought({ task_id: "t", agent_id: "a", type: "plan", content: "x" }, null, { id: "r", now: NOW });
const bytes = (...lines: string[]): Uint8Array[] => [new TextEncoder().encode(lines.join(""))];
const withMembers = (members: string): string => formatThoughtLine(RECORD).replace("{", `{${members},`);

test("lists the members of a line that no hash covers, and finds the chain whole", async () => {
  const report = await verifyTaskLines(bytes(withMembers('"__proto__":{},"constructor":1,"a~/":null,"":0')));
  expect(report).toMatchObject({ ok: true, length: 1 });
  expect(report.uncovered).toEqual([
    { taskId: "t", line: 1, paths: ["/__proto__", "/constructor", "/a~0~1", "/"], count: 4 },
  ]);
});

test("lists nothing of records with their eight fields, and of what is no record", async () => {
  const long = `{${Array.from({ length: 20 }, (_, index) => `"m${index}":1`).join(",")}}\n`;
  const { uncovered } = await verifyTaskLines(
    bytes(formatThoughtLine(RECORD), "[1,2,3,4,5,6,7,8,9]\n", "null\n", "\n", long),
  );
  expect(uncovered).toEqual([]);
});

test("lists a part of very many members, and of very many lines", async () => {
  const line = withMembers(Array.from({ length: 30 }, (_, index) => `"m${index}":1`).join(","));
  const { uncovered } = await verifyTaskLines(bytes(line, line, line), { maxProblems: 2 });
  expect(uncovered.map(({ line, count, paths }) => [line, count, paths.length])).toEqual([
    [1, 30, 10],
    [2, 30, 10],
  ]);
  const log = new UncoveredMembersLog();
  log.push({ ...RECORD, note: 1 });
  expect(log.found).toHaveLength(1);
});
