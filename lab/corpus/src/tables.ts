import { withPart } from "@agentprint/testing/markdown/markdown-part";
import type { EditLayer } from "./edits/edit.ts";
import type { CorpusResults, EditResult, Levels, UpgradeResult } from "./results.ts";

const PRESETS = ["strict", "compatible", "breaking"] as const;
/** With `compatible`, a check has to catch and a guard has to stop every edit to these layers. */
export const PROVEN_LAYERS: readonly EditLayer[] = ["contract", "hints", "names"];

/** Returns the page's text with the tables of these results. */
export function withTables(text: string, results: CorpusResults): string {
  return withPart(text, "corpus", formatTables(results));
}

/** Returns both tables and their texts as Markdown. */
function formatTables(results: CorpusResults): string {
  return [
    introduction(results),
    stopTable(results),
    upgradeTable(results),
    editIntroduction(results),
    editTable(results),
    missList(results),
  ]
    .join("\n\n")
    .trim();
}

function introduction({ date, commit, node, servers, upgrades }: CorpusResults): string {
  const pairs = real(upgrades);
  const compared = servers.filter(({ name }) => pairs.some(({ server }) => server === name));
  const mean = sum(compared.map(({ seconds }) => seconds)) / compared.length;
  return [
    `### ${pairs.length} real upgrades`,
    "",
    `${compared.length} servers were installed in consecutive versions and pinned, which took ${mean.toFixed(1)} s per version, and each version was compared with the previous one.`,
    "The launch stayed the same, as `npx -y <package>` does. A preset stops an upgrade if `check` exits with 1.",
    `Measured on ${date} at \`${commit.slice(0, 10)}\` with Node ${node}.`,
  ].join("\n");
}

/** Returns the table that counts the upgrades that each preset and each peer stops. */
function stopTable({ upgrades, peers }: CorpusResults): string {
  const pairs = real(upgrades);
  const tools = sum(pairs.map(({ changedTools }) => changedTools));
  const row = (name: string, stops: number, missed: number, seconds: number): string[] => [
    name,
    `${stops} of ${pairs.length}`,
    `${Math.round((stops / pairs.length) * 100)} %`,
    `${missed} of ${tools}`,
    seconds.toFixed(1),
  ];
  const seconds = sum(pairs.map(({ milliseconds }) => milliseconds)) / 1000;
  const missed = sum(pairs.map(({ missedTools }) => missedTools));
  return table(
    ["", "stopped upgrades", "share", "changed, new and removed tools that are not reported", "seconds"],
    [
      ...PRESETS.map((preset) =>
        row(`\`${preset}\``, pairs.filter(({ stops }) => stops[preset]).length, missed, seconds),
      ),
      ...peers.map(({ id, label, seconds: own }) => {
        const said = pairs.map((pair) => pair.peers[id]);
        const unreported = sum(said.map(({ missedTools }) => missedTools));
        return row(label, said.filter(({ stops }) => stops).length, unreported, own);
      }),
    ],
  );
}

/** Returns the table that counts the findings in each server's upgrades. */
function upgradeTable({ servers, upgrades }: CorpusResults): string {
  const findings = (preset: (typeof PRESETS)[number]): string => `\`${preset}\`: error / warning / note`;
  const head = ["server", "versions", "upgrades", "changed tools", ...PRESETS.map(findings), "stopped by each"];
  const cells = (pairs: readonly UpgradeResult[]): string[] => [
    String(pairs.length),
    String(sum(pairs.map(({ changedTools }) => changedTools))),
    ...PRESETS.map((preset) => levels(pairs.map((pair) => pair.levels[preset]))),
    PRESETS.map((preset) => pairs.filter(({ stops }) => stops[preset]).length).join(" / "),
  ];
  const rows = servers.flatMap(({ name, package: packageName, versions }) => {
    const pairs = real(upgrades).filter(({ server }) => server === name);
    return pairs.length === 0 ? [] : [[packageName, `${versions[0]} to ${versions.at(-1)}`, ...cells(pairs)]];
  });
  const notes = servers.flatMap(({ package: packageName, note }) => (note ? [`- ${packageName}: ${note}`] : []));
  return [
    table(head, [...rows, ["**all**", "", ...cells(real(upgrades))]]),
    ...(notes.length > 0 ? ["", ...notes] : []),
  ].join("\n");
}

function editIntroduction({ edits, seed }: CorpusResults): string {
  return [
    `### ${total(edits, ({ placed }) => placed)} hostile edits`,
    "",
    `A script makes them in those upgrades (seed ${seed}). An edit is caught if a finding names its subject and place and does not occur without the edit.`,
    "It is stopped if that finding alone makes `check` exit with 1, or makes a guard block or freeze the tool. A preset's cells show caught / stopped by `check` / stopped by a guard, and a peer's cells show caught / stopped.",
  ].join("\n");
}

function editTable({ edits, peers }: CorpusResults): string {
  const head = ["edits", "placed", ...PRESETS.map((preset) => `\`${preset}\``), ...peers.map(({ label }) => label)];
  const row = (name: string, some: readonly EditResult[]): string[] => [
    name,
    String(total(some, ({ placed }) => placed)),
    ...PRESETS.map((preset) => {
      const caught = total(some, (edit) => edit.caught);
      const by = (who: "check" | "guard"): number => total(some, ({ stopped }) => stopped[preset][who]);
      return `${caught} / ${by("check")} / ${by("guard")}`;
    }),
    ...peers.map(({ id }) => {
      const by = (what: "caught" | "stopped"): number => total(some, (edit) => edit.peers[id][what]);
      return `${by("caught")} / ${by("stopped")}`;
    }),
  ];
  const families = [...new Set(edits.map(({ family }) => family))];
  const isProven = ({ layer }: EditResult): boolean => PROVEN_LAYERS.includes(layer);
  return table(head, [
    ...families.map((family) =>
      row(
        family,
        edits.filter((edit) => edit.family === family),
      ),
    ),
    row("**all**", edits),
    row("of contract, hints and names", edits.filter(isProven)),
    row(
      "of prose and the rest",
      edits.filter((edit) => !isProven(edit)),
    ),
  ]);
}

/** Returns the list of edits that pass a check with `compatible`. */
function missList({ edits }: CorpusResults): string {
  const missed = edits.filter(({ placed, stopped }) => stopped.compatible.check < placed);
  const isProse = ({ layer }: EditResult): boolean => !PROVEN_LAYERS.includes(layer);
  const lines = missed
    .filter(isProse)
    .map(({ what, placed, stopped }) => `- ${what}: ${placed - stopped.compatible.check} of ${placed}`);
  const lost = edits.filter(({ placed, caught, stopped }) => Math.min(caught, stopped.compatible.guard) < placed);
  return [
    "Edits to prose that `check` lets pass with `compatible`, with a warning that shows the text; a guard freezes them:",
    "",
    ...(lines.length > 0 ? lines : ["- none"]),
    "",
    lost.length === 0
      ? "No edit passes the guard with `compatible`."
      : `Edits that pass the guard with \`compatible\`: ${lost.map(({ what }) => what).join("; ")}.`,
  ].join("\n");
}

/** Returns the upgrades, without those in which a version was compared with itself. */
function real(upgrades: readonly UpgradeResult[]): UpgradeResult[] {
  return upgrades.filter(({ from, to }) => from !== to);
}

function levels(all: readonly Levels[]): string {
  return (["error", "warning", "note"] as const).map((level) => sum(all.map((each) => each[level]))).join(" / ");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function total(edits: readonly EditResult[], of: (edit: EditResult) => number): number {
  return sum(edits.map(of));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
