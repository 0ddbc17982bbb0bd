import { readFileSync } from "node:fs";
import { REPOSITORY } from "@agentprint/testing/repository";
import { expect, test } from "vitest";
import { type Compared, readCompared } from "../../compare/compared.ts";
import { comparePage } from "../../compare/page.ts";
import { MCP_PIN_VERSION } from "../../corpus/src/install.ts";
import { readResults } from "../../corpus/src/results.ts";

const read = (path: string): string => readFileSync(`${REPOSITORY}${path}`, "utf8");
const compared = readCompared();

test("the comparison is the page that the script writes of the recorded figures", async () => {
  const page = comparePage(compared, readResults(), read("fixtures/MATRIX.md"));
  await expect(page).toMatchFileSnapshot(`${REPOSITORY}docs/compare.md`);
});

test("the comparison is of the versions that are installed", () => {
  const { dependencies } = JSON.parse(read("lab/package.json")) as { dependencies: Record<string, string> };
  const rows = [...compared.libraries, ...compared.programs].filter(({ version }) => version !== "this commit");
  expect(rows.length).toBeGreaterThan(8);
  for (const { name, version } of rows) {
    expect(version, name).toBe(name === "mcp-pin" ? MCP_PIN_VERSION : dependencies[name]);
  }
  const { dependencies: corpus } = JSON.parse(read("lab/corpus/package.json")) as {
    dependencies: Record<string, string>;
  };
  const labels = readResults().peers.map(({ label }) => label);
  expect(labels).toContain(`\`fingerprintTools\` of ai ${corpus["ai"]}`);
  expect(labels).toContain(`mcp-pin ${MCP_PIN_VERSION}, strict`);
});

test("the best value of a column is bold in any row", () => {
  const page = comparePage(compared, readResults(), read("fixtures/MATRIX.md"));
  const start = Math.min(...compared.programs.map((program) => program.start));
  const slower = compared.programs.map((row) => (row.name === "agentprint" ? { ...row, start: 2 * start + 1 } : row));
  const other: Compared = { ...compared, programs: slower };
  const won = (text: string): number =>
    text.split("\n").flatMap((line) => (/^\| agentprint +\|/.test(line) ? line.match(/\*\*.+?\*\*/g) : []) ?? [])
      .length;
  expect(won(page) - won(comparePage(other, readResults(), read("fixtures/MATRIX.md")))).toBe(
    start === compared.programs[0]?.start ? 1 : 0,
  );
});
