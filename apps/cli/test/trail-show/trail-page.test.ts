import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordRun, SECRET } from "@agentprint/testing/trail/recorded-run";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

let directory = "";
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentprint-page-"));
  writeFileSync(join(directory, "secret"), Buffer.from(SECRET).toString("hex"));
  await recordRun(directory, "s1");
});
afterAll(() => rmSync(directory, { recursive: true }));

const pageOf = async (source: string): Promise<{ code: number | null; stdout: string; page: string }> => {
  const args = ["trail", "show", source, "--event-key", "secret", "--html", "run.html"];
  const { code, stdout } = await runCli(args, { cwd: directory });
  return { code, stdout, page: readFileSync(join(directory, "run.html"), "utf8") };
};

test("the page of a run has its records and the verdict of the command", async () => {
  const { code, stdout, page } = await pageOf("s1.jsonl");
  expect([code, stdout]).toEqual([
    0,
    "Trail verification: 13 records in 1 chain, all intact; only --key shows whether its end was cut off\n",
  ]);
  expect(page).toContain("13 records in 1 chain, all intact");
  expect(page).toContain("<title>Trail s1.jsonl</title>");
  expect(page.match(/class="block"/g)).toHaveLength(1);
});

test("the page of an altered trail reports the same as the command", async () => {
  const text = readFileSync(join(directory, "s1.jsonl"), "utf8");
  writeFileSync(join(directory, "altered.jsonl"), text.replace("delete it", "keep it"));
  const { code, page } = await pageOf("altered.jsonl");
  expect(code).toBe(1);
  expect(page).toMatch(/<li><bdi>task s1: record 1: record &#34;s1.t0&#34; was altered/);
});
