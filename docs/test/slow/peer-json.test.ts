import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { findCoercions } from "../coercions.ts";

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));

/** Sources that read the messages of a client or a server, or foreign files. */
const OF_PEERS = [
  "packages/guard",
  "packages/guard-proxy",
  "packages/mcp-lock",
  "packages/mcp-visit",
  "packages/policy",
  "apps/cli/src/guard",
];

/** The sources that hash or judge parsed JSON: every package except the parser and the test tools, and the command. */
const HASHING = ["packages/!(canonical-json|testing)/src", "apps/cli/src"];

/**
 * Calls of `JSON.parse` that are allowed: the number of places in a file, and the reason why nothing can be misread.
 */
const ALLOWED: Readonly<Record<string, readonly [places: number, why: string]>> = {
  "apps/cli/src/init/ci-files.ts": [1, "a file of npm, of which one member is compared with a pattern"],
  "apps/cli/src/trail/trail-report.ts": [1, "a copy of what this program made"],
  "packages/trail-page/src/page/browser/main.ts": [1, "what this program wrote into the page"],
  "packages/trail-page/src/page/entry-lines.ts": [3, "what this program wrote into the page"],
  "packages/content-hash/src/tool/execute.ts": [2, "one string, number or word each"],
  "packages/content-hash/src/tool/read-members.ts": [1, "one string"],
  "packages/manifest/src/consent/consent-gate.ts": [1, "three strings that the same file wrote"],
  "packages/recorder/src/envelope/open-envelope.ts": [1, "taken only where it is written again as the same text"],
  "packages/statement/src/evidence/verify-trail.ts": [1, "taken only where it is written again as the same text"],
  "packages/trail/src/accelerators/parse-record-line.ts": [1, "one string"],
  "packages/trail/src/chain/thought-lines.ts": [1, "taken only where it is written again as the same text"],
};

const sourcesIn = (folders: readonly string[]): string[] =>
  folders.flatMap((folder) =>
    globSync(`${folder}/**/*.ts`, { cwd: REPOSITORY, exclude: ["**/node_modules/**", "**/dist/**", "**/test/**"] }),
  );

test("no unchecked value is turned into a text or a number", () => {
  const { config } = ts.readConfigFile(`${REPOSITORY}tsconfig.base.json`, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, REPOSITORY);
  const files = sourcesIn(OF_PEERS.map((folder) => (folder.startsWith("apps") ? folder : `${folder}/src`)));
  expect(files.length).toBeGreaterThan(100);
  const probe = fileURLToPath(new URL("../coercions.example.ts", import.meta.url));
  const found = findCoercions([...files.map((file) => REPOSITORY + file), probe], options);
  expect(found.filter(({ file }) => file === probe).map(({ line }) => line)).toEqual([12, 13, 14, 15, 16, 17, 18, 19]);
  const others = found.filter(({ file }) => file !== probe);
  expect(others.map(({ file, line, text }) => `${file.replace(REPOSITORY, "")}:${line} ${text}`)).toEqual([]);
});

test("hashed or judged JSON is parsed by canonical-json", () => {
  const files = sourcesIn(HASHING);
  for (const folder of [
    "packages/guard/src",
    "packages/guard-proxy/src",
    "packages/mcp-visit/src",
    "apps/cli/src/guard",
    "apps/cli/src/wrap",
  ])
    expect(files.some((file) => file.startsWith(folder))).toBe(true);
  const places = files.flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(REPOSITORY + file, "utf8"), ts.ScriptTarget.Latest);
    const count = parsesIn(source, source);
    return count === 0 ? [] : [[file, count] as const];
  });
  const allowed = Object.entries(ALLOWED).map(([file, [count]]) => [file, count] as const);
  expect(Object.fromEntries(places)).toEqual(Object.fromEntries(allowed));
});

/** Returns the number of times that a part of a file names `JSON.parse`. */
function parsesIn(node: ts.Node, source: ts.SourceFile): number {
  const isParse =
    (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) &&
    node.expression.getText(source) === "JSON" &&
    /\bparse\b/.test(node.getText(source));
  const isTaken = ts.isVariableDeclaration(node) && node.initializer?.getText(source) === "JSON";
  let count = isParse || isTaken ? 1 : 0;
  ts.forEachChild(node, (child) => {
    count += parsesIn(child, source);
  });
  return count;
}
