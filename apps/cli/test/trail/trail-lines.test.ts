import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ThoughtRecord, ZERO_HASH } from "@agentprint/trail";
import { createThought, formatThoughtLine } from "@agentprint/trail/chain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "agentprint-lines-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

interface Verdict {
  readonly code: number | null;
  readonly summary: string;
  readonly rules: readonly string[];
}

async function verify(lines: readonly string[]): Promise<Verdict> {
  writeFileSync(join(directory, "trail.jsonl"), lines.join(""));
  const { code, stdout } = await runCli(["trail", "verify", "trail.jsonl", "--format", "json"], { cwd: directory });
  const { summary, findings } = JSON.parse(stdout) as { summary: string; findings: { rule: string }[] };
  return { code, summary, rules: findings.map(({ rule }) => rule) };
}

function chain(task: string, length: number): readonly string[] {
  const records: ThoughtRecord[] = [];
  for (let index = 0; index < length; index++) {
    const fields = { type: "plan", task_id: task, agent_id: "a", content: `step ${index}` } as const;
    records.push(
      createThought(fields, records.at(-1) ?? null, { id: `${task}-${index}`, now: "2026-01-01T00:00:00Z" }),
    );
  }
  return records.map((record) => formatThoughtLine(record));
}

const t = chain("t", 5);
const u = chain("u", 5);
const torn = (line: string): string => `${line.slice(0, 60)}\n`;
const replaced = (lines: readonly string[], index: number, ...by: string[]): string[] =>
  lines.toSpliced(index, 1, ...by);

describe("a line that is not a record is one problem", () => {
  test.each<[string, readonly string[], number, number]>([
    ["a torn line", replaced(t, 1, torn(t[1] as string)), 4, 1],
    ["a torn first line", replaced(t, 0, torn(t[0] as string)), 4, 1],
    ["a torn last line", replaced(t, 4, (t[4] as string).slice(0, 60)), 4, 1],
    ["a line of a log in the place of a record", replaced(t, 2, '{"level":"info","msg":"x"}\n'), 4, 1],
    ["a line of a log between two records", t.toSpliced(2, 0, '{"level":"info","msg":"x"}\n'), 5, 1],
    ["a blank line between two records", t.toSpliced(2, 0, "\n"), 5, 1],
    ["a torn line among two tasks", [...replaced(t, 3, torn(t[3] as string)), ...u], 9, 2],
  ])("%s", async (_name, lines, records, chains) => {
    const { code, rules, summary } = await verify(lines);
    expect([code, rules]).toEqual([1, [expect.stringMatching(/^trail\/(malformed|truncated)$/)]]);
    expect(summary).toMatch(`${records} records in ${chains} chain${chains === 1 ? "" : "s"}, 1 problem`);
  });

  test("and explains one missing record of one task, not two", async () => {
    const lines = [...t.slice(0, 2), ...u.slice(0, 2), torn(t[2] as string), ...t.slice(3), ...u.slice(3)];
    expect((await verify(lines)).rules.toSorted()).toEqual(["trail/broken-link", "trail/malformed"]);
    const twice = [...t.slice(0, 2), torn(t[2] as string), t[3] as string, ...u];
    expect((await verify([...twice, ...t.slice(4)])).rules).toEqual(["trail/malformed"]);
  });

  test("does not explain a record that is missing elsewhere", async () => {
    const lines = [...t.slice(0, 1), ...t.slice(2), torn(u[0] as string)];
    expect((await verify(lines)).rules.toSorted()).toEqual(["trail/broken-link", "trail/malformed"]);
  });
});

test.each(["\n", "  \n", "\r\n", " "])("a last line of %j is not a problem", async (end) => {
  expect(await verify([...t, end])).toMatchObject({ code: 0, rules: [] });
});

test("two blank lines at the end are one problem", async () => {
  expect((await verify([...t, "\n", "\n"])).rules).toEqual(["trail/malformed"]);
});

test.each<[string, readonly string[]]>([
  ["a log", ['{"level":"info","task_id":"t"}\n', '{"level":"warn","task_id":"t"}\n']],
  ["a log with its own hashes", ['{"task_id":"t","hash":"abc"}\n']],
  ["lists", ["[1]\n", "[2]\n"]],
])("%s is not a trail", async (_name, lines) => {
  expect(await verify(lines)).toMatchObject({ code: 2, summary: expect.stringContaining("is not a trail") });
});

/** Returns another writer's trail, hashed over the output of Python's `json.dumps` with these options. */
function foreign(write: (record: Omit<ThoughtRecord, "hash" | "agent_id">) => string, content = "Grüße"): string[] {
  const lines: string[] = [];
  let prevHash = ZERO_HASH;
  for (let index = 0; index < 4; index++) {
    const fields = { content: `${content} ${index}`, id: `r${index}`, prev_hash: prevHash, task_id: "t" };
    const record = { ...fields, timestamp: "2026-01-01T00:00:00Z", type: "plan" as const };
    prevHash = createHash("sha256").update(write(record)).digest("hex");
    lines.push(`${JSON.stringify({ ...record, agent_id: "a", hash: prevHash })}\n`);
  }
  return lines;
}

const escaped = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

describe("an intact chain that is hashed by another rule", () => {
  test.each<[string, string[], string]>([
    ["ensure_ascii", foreign((record) => escaped(JSON.stringify(record))), "ensure_ascii"],
    ["+00:00", foreign((record) => JSON.stringify({ ...record, timestamp: "2026-01-01T00:00:00+00:00" })), "+00:00"],
    [
      "ensure_ascii and spaces",
      foreign((record) => escaped(JSON.stringify(record)).replaceAll('":"', '": "').replaceAll('","', '", "')),
      "a space after each colon and comma",
    ],
  ])("%s is one sentence", async (_name, lines, rule) => {
    const { code, rules, summary } = await verify(lines);
    expect([code, rules]).toEqual([1, ["trail/altered"]]);
    expect(summary).toMatch(/^every record is hashed by another rule: /);
    expect(summary).toContain(rule);
  });

  test("is not seen in a chain with a missing or altered record, or one that fits no rule", async () => {
    const lines = foreign((record) => escaped(JSON.stringify(record)));
    for (const changed of [
      replaced(lines, 1),
      replaced(lines, 2, (lines[2] as string).replace("Grüße", "Gruß")),
      foreign((record) => `x${JSON.stringify(record)}`),
    ]) {
      const { code, rules, summary } = await verify(changed);
      expect(code).toBe(1);
      expect(rules.length).toBeGreaterThan(1);
      expect(summary).not.toContain("another rule");
    }
  });
});
