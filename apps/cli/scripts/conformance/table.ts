import { type Check, SUITE_VERSION } from "./run-suite.ts";

/** The suite's results for a server and one revision. */
export interface Row {
  readonly sdk: string;
  readonly revision: string;
  /** The required scenarios; the suite reports others, too. */
  readonly required: ReadonlySet<string>;
  readonly direct: readonly Check[];
  /** The checks through the guard, which reaches the server over HTTP or over its standard streams. */
  readonly http: readonly Check[];
  readonly stdio: readonly Check[];
}

/** The reasons why optional scenarios fail directly, by name prefix. */
const CAUSES: readonly (readonly [prefix: string, cause: string])[] = [
  ["tasks-", "the tasks extension is a package of its own, and the servers do not have it"],
  ["json-schema-2020-12", "the servers have no tool of the name that it asks for"],
  ["http-custom-header-server-validation", "the servers have no tool with `x-mcp-header`"],
  ["server-sse-polling", "the servers keep no events, so that no stream can be resumed"],
];

/** Returns the checks that pass directly but not through the guard. */
export function lostChecks({ direct, ...ways }: Row, way: "http" | "stdio"): readonly Check[] {
  const held = new Set(ways[way].filter((check) => check.held).map(keyOf));
  return direct.filter((check) => check.passed && !held.has(keyOf(check)));
}

function keyOf({ scenario, id }: Check): string {
  return `${scenario} ${id}`;
}

/** The table as Markdown. */
export function formatTable(rows: readonly Row[]): string {
  const lines = rows.flatMap((row) => {
    const of = (checks: readonly Check[]): string => {
      const required = checks.filter(({ scenario }) => row.required.has(scenario));
      return `${required.filter(({ held }) => held).length} of ${required.length}`;
    };
    const line = (way: string, checks: readonly Check[], lost: string): string =>
      `| ${row.sdk} | ${row.revision} | ${way} | ${row.required.size} | ${of(checks)} | ${lost} |`;
    return [
      line("directly", row.direct, ""),
      line("HTTP to HTTP", row.http, String(lostChecks(row, "http").length)),
      line("HTTP to stdio", row.stdio, String(lostChecks(row, "stdio").length)),
    ];
  });
  const failed = [
    ...new Set(rows.flatMap(({ direct }) => direct.flatMap((each) => (each.held ? [] : [each.scenario])))),
  ];
  const causes = CAUSES.map(([prefix, cause]) => [failed.filter((name) => name.startsWith(prefix)), cause] as const);
  const known = causes.flatMap(([names]) => names);
  return [
    `Server checks of \`@modelcontextprotocol/conformance\` ${SUITE_VERSION}, run on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node}:`,
    "",
    "| server on | revision | way | required scenarios | their checks that hold | passed directly, and not through the guard |",
    "| --- | --- | --- | --- | --- | --- |",
    ...lines,
    "",
    "The last column also counts scenarios that the suite reports and no revision requires. Of those, these fail directly:",
    "",
    ...causes.filter(([names]) => names.length > 0).map(([names, cause]) => `- ${list(names)}: ${cause}.`),
    ...failed.filter((name) => !known.includes(name)).map((name) => `- ${list([name])}.`),
  ].join("\n");
}

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
