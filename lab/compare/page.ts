import { markdownTable } from "@agentprint/testing/markdown/markdown-table";
import type { CorpusResults, UpgradeResult } from "../corpus/src/results.ts";
import type { Compared, LibraryRow, ProgramRow } from "./compared.ts";

const PRESETS = ["strict", "compatible", "breaking"] as const;

/**
 * Returns the text of `docs/compare.md`, made from the measurements, the last run of the corpus and
 * `fixtures/MATRIX.md`.
 */
export function comparePage(compared: Compared, results: CorpusResults, matrix: string): string {
  const { date, commit, machine, libraries, programs, features } = compared;
  const upgrades = results.upgrades.filter(({ from, to }) => from !== to);
  return `# Comparison

\`pnpm --filter lab compare\` writes this page from installed versions, each tool in its strongest mode. **Bold** marks the best of each column, which is not
always agentprint. Measured on ${date} at \`${commit.slice(0, 10)}\` on ${machine}.

## Who notices that a server changed

${upgrades.length} real upgrades of MCP servers, and ${sum(results.edits.map(({ placed }) => placed))} hostile edits placed into them
([how](../apps/cli/README.md#tried-on-real-and-on-hostile-change); run on ${results.date} at \`${results.commit.slice(0, 10)}\`). A stopped real upgrade is a false alarm if
someone would have accepted it unseen; an unreported tool and an edit that is not noticed or not stopped are misses.

${noticingTable(results, upgrades)}

- A tool that misses little stops much: the first column is the price of the others. \`compatible\` lets edits of prose pass a check with a warning,
  and a guard holds them back.
- ${twiceTheSame(results)}
- agentprint visits a server several times before it decides; the peers got the answers of these visits. The seconds cover only the comparison.

## What it costs

Start is the processor time from start to end as a multiple of an empty Node process. Sizes are on disk, with all dependencies that are not optional.

${programTable(programs)}

## What agentprint lacks, and what it has

A cell says whether the help of the installed command, or its list of rules, mentions it: mcp-pin ${versionOf(programs, "mcp-pin")}, and agentprint of this commit.

${markdownTable(
  ["", "agentprint", "mcp-pin"],
  features.map(({ feature, agentprint, mcpPin }) => [feature, yes(agentprint), yes(mcpPin)]),
)}

The AI SDK's \`fingerprintTools\` is a function, not a command: it needs no lock, no program and no configuration where an application
already holds its tools.

## Libraries that hash a JSON value

The vectors are those of RFC 8785 in [MATRIX.md](../fixtures/MATRIX.md), which also tests libraries in other languages.
Speed is measured by hashing a tool definition of 2 KB with SHA-256, as a multiple of \`canonicalize\`; the weight is one
import, minified and gzipped for browsers; the milliseconds are processor time in addition to starting Node.

${libraryTable(libraries, matrix)}

A library with a different hash does not claim RFC 8785, and no other language computes the same hash.
`;
}

function noticingTable({ edits, peers }: CorpusResults, upgrades: readonly UpgradeResult[]): string {
  const placed = sum(edits.map((edit) => edit.placed));
  const missed = (of: (edit: (typeof edits)[number]) => number): number => placed - sum(edits.map(of));
  const seconds = sum(upgrades.map(({ milliseconds }) => milliseconds)) / 1000;
  const ours = PRESETS.map((preset) => [
    `agentprint, \`${preset}\``,
    upgrades.filter(({ stops }) => stops[preset]).length,
    sum(upgrades.map(({ missedTools }) => missedTools)),
    missed(({ caught }) => caught),
    missed(({ stopped }) => stopped[preset].check),
    missed(({ stopped }) => stopped[preset].guard),
    seconds,
  ]);
  const theirs = peers.map(({ id, label, seconds: own }) => [
    label,
    upgrades.filter((upgrade) => upgrade.peers[id].stops).length,
    sum(upgrades.map((upgrade) => upgrade.peers[id].missedTools)),
    missed((edit) => edit.peers[id].caught),
    missed((edit) => edit.peers[id].stopped),
    missed((edit) => edit.peers[id].stopped),
    own,
  ]);
  const tools = sum(upgrades.map(({ changedTools }) => changedTools));
  return tableWithBest(
    [
      "tool",
      `real upgrades stopped, of ${upgrades.length}`,
      `changed tools not reported, of ${tools}`,
      `edits not noticed, of ${placed}`,
      "edits that pass a check",
      "edits that pass a guard",
      "seconds for all upgrades",
    ],
    [...ours, ...theirs],
    [least, least, least, least, least, least],
    [whole, whole, whole, whole, whole, (value) => value.toFixed(1)],
  );
}

/** Returns the sentence about servers whose answers differ between two visits to one version. */
function twiceTheSame({ upgrades, peers }: CorpusResults): string {
  const same = upgrades.filter(({ from, to }) => from === to);
  const alarms = peers
    .filter(({ id }) => same.some((pair) => pair.peers[id].stops))
    .map(({ label }) => label)
    .concat(PRESETS.filter((preset) => same.some(({ stops }) => stops[preset])).map((preset) => `\`${preset}\``));
  const quiet = peers.filter(({ id }) => !same.some((pair) => pair.peers[id].stops)).map(({ label }) => label);
  return `Where nothing was upgraded (${same.map(({ server, to }) => `${server} ${to}`).join(", ")}), two visits got different answers: ${alarms.join("; ")} stop on that, ${quiet.join("; ")} ${quiet.length === 1 ? "does" : "do"} not.`;
}

function programTable(programs: readonly ProgramRow[]): string {
  return tableWithBest(
    ["", "version", "what is started", "start, bare Node = 1", "packages", "MB"],
    programs.map(({ name, version, runs, start, installed }) => [
      name,
      version,
      runs,
      start,
      installed.packages,
      installed.kilobytes / 1024,
    ]),
    [undefined, undefined, least, least, least],
    [String, String, (value) => value.toFixed(1), whole, (value) => value.toFixed(1)],
  );
}

function libraryTable(libraries: readonly LibraryRow[], matrix: string): string {
  return tableWithBest(
    ["library", "version", "vectors failed", "RFC 8785", "speed", "KB of one import", "ms of import", "packages", "KB"],
    libraries.map(({ name, version, isCanonical, speed, gzipKilobytes, importMilliseconds, installed }) => [
      name,
      version,
      failedVectors(matrix, name),
      isCanonical ? "yes" : "another hash",
      speed,
      gzipKilobytes,
      importMilliseconds,
      installed.packages,
      installed.kilobytes,
    ]),
    [undefined, least, undefined, most, least, least, least, least],
    [
      String,
      whole,
      String,
      (value) => value.toFixed(2),
      (value) => value.toFixed(1),
      (value) => value.toFixed(0),
      whole,
      whole,
    ],
  );
}

/**
 * Returns the number of vectors that a library failed according to the matrix; `not asked` if the matrix does not list
 * it.
 */
function failedVectors(matrix: string, name: string): number | string {
  const own = name.startsWith("@agentprint/") ? "**agentprint**" : name;
  const row = matrix.split("\n").find((line) => line.startsWith(`| ${own} `));
  return row === undefined ? "not asked" : Number(row.split("|")[5]);
}

type Cell = string | number;
type Best = ((values: readonly number[]) => number) | undefined;

const least = (values: readonly number[]): number => Math.min(...values);
const most = (values: readonly number[]): number => Math.max(...values);
const whole = (value: number): string => String(Math.round(value));
const yes = (is: boolean): string => (is ? "yes" : "–");
const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

/** Returns a table in which the best number in each column except the first is bold. */
function tableWithBest(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  best: readonly Best[],
  write: readonly ((value: number) => string)[],
): string {
  const written = (cell: Cell, column: number): string =>
    typeof cell === "string" ? cell : String(write[column - 1]?.(cell));
  const winners = header.map((_, column) => {
    const numbers = rows.map((row) => row[column]).filter((cell) => typeof cell === "number");
    const winner = column === 0 ? undefined : best[column - 1]?.(numbers);
    return winner === undefined ? undefined : written(winner, column);
  });
  return markdownTable(
    header,
    rows.map((row) =>
      row.map((cell, column) => {
        const text = written(cell, column);
        return typeof cell === "number" && text === winners[column] ? `**${text}**` : text;
      }),
    ),
  );
}

function versionOf(programs: readonly ProgramRow[], wanted: string): string {
  return programs.find(({ name }) => name === wanted)?.version ?? "";
}
