import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { REPOSITORY } from "./examples.ts";

const PAGE = readFileSync(`${REPOSITORY}docs/comparisons.md`, "utf8");
const SECTIONS = PAGE.split(/^## /m).slice(1);

test("the table of edits has every command, and its last row counts what each one noticed", () => {
  const [, table = ""] =
    /<!-- edits:start -->\n\nRun on \d{4}-\d\d-\d\d\.\n\n(.*)\n\n<!-- edits:end -->/s.exec(PAGE) ?? [];
  const [header = [], , ...rows] = table.split("\n").map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const counts = rows.pop() ?? [];
  expect(header).toHaveLength(6);
  expect(rows.length).toBe(15);
  for (const [column, count] of counts.entries()) {
    const noticed = rows.filter((row) => row[column] === "noticed").length;
    if (column > 0) expect(count).toBe(`**${noticed}**`);
  }
});

test("every peer has an address, and what it has and agentprint lacks", () => {
  const peers = SECTIONS.filter((section) => section.includes("We have, and it lacks"));
  expect(peers.length).toBeGreaterThan(7);
  for (const peer of peers) {
    expect(peer).toMatch(/\]\(https:\/\//);
    expect(peer).toContain("**It has, and we lack:**");
    expect(peer).toMatch(/read at commit\s`[0-9a-f]{10}`|version \d/);
  }
});
