import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { withKnownReferences } from "../src/client-references.ts";
import { entriesAt, membersWithServers } from "../src/configured-servers.ts";
import { parseConfig } from "../src/parse-config.ts";
import type { RecognizeGuard } from "../src/recognition.ts";
import { readEntry } from "../src/server-entry.ts";

const noGuard: RecognizeGuard = () => undefined;
const ref = (name: string): string => `\${env:${name}}`;
const TIDES = "https://tides.example/mcp";

/** The servers of a file by their names, each as it is read. */
async function entriesOf(file: string): Promise<Record<string, unknown>> {
  const config = await parseConfig(readFileSync(new URL(`files/${file}`, import.meta.url), "utf8"), file);
  const [member = ""] = membersWithServers(config);
  return Object.fromEntries(
    entriesAt(config, [member])
      .filter(({ state }) => state === "on")
      .map(({ name, value }) => [name, readEntry(value, noGuard)]),
  );
}

describe("an entry in the spelling of", () => {
  test("Codex, whose members name variables", async () => {
    expect(await entriesOf("codex.toml")).toMatchObject({
      charts: { command: "npx", env: { CHARTS_KEY: ref("CHARTS_KEY"), LANG: ref("LANG"), ROOT: "/charts" } },
      tides: { url: TIDES, headers: { Authorization: `Bearer ${ref("TIDES_KEY")}`, "X-Boat": ref("BOAT") } },
    });
  });

  test("Zed, which once had the launch below the command", async () => {
    expect(await entriesOf("zed.json")).toMatchObject({
      older: { type: "stdio", command: "older-mcp", args: ["a"], env: { A: "1" } },
    });
  });

  test("Goose, and opencode with the program and its arguments in one list", async () => {
    expect(await entriesOf("goose.yaml")).toMatchObject({
      charts: { command: "uvx", env: { CHARTS_KEY: ref("CHARTS_KEY") } },
      tides: { type: "http" },
    });
    expect(await entriesOf("opencode.jsonc")).toMatchObject({ charts: { command: "npx", args: ["-y", "charts-mcp"] } });
  });

  test("Continue, whose headers are below the options of a request", async () => {
    expect(await entriesOf("continue.yaml")).toMatchObject({
      tides: { url: TIDES, headers: { "X-Key": expect.any(String) } },
    });
  });
});

test("Gemini CLI connects to what a list allows, and to nothing that another one excludes", async () => {
  const text = JSON.stringify({
    mcp: { allowed: ["charts", "old"], excluded: ["old"] },
    mcpServers: { charts: { command: "c" }, old: { command: "o" }, tides: { command: "t" } },
  });
  const entries = entriesAt(await parseConfig(text, ".gemini/settings.json"), ["mcpServers"]);
  expect(entries.map(({ name, state }) => [name, state])).toEqual([
    ["charts", "on"],
    ["old", "off"],
    ["tides", "off"],
  ]);
});

test.each([
  ["nothing", null, "entry: expected an object"],
  ["a command that is a number", { command: 1 }, "command: "],
  ["no launch", {}, "url: "],
  ["headers that are a text", { url: TIDES, headers: "x" }, "headers: "],
])("an entry with %s is a sentence about it", (_, entry, sentence) => {
  expect(readEntry(entry, noGuard)).toEqual(expect.stringContaining(sentence));
});

describe("the guard in front of a server", () => {
  const recognize: RecognizeGuard = ({ command, url, variables, isAmbiguous }) => {
    if (isAmbiguous) return { notGuarded: "two launches" };
    if (command[0] === "guard") return { guardedAs: variables.join(), words: 1 };
    return url === undefined ? undefined : { guardedAs: "tides", url: TIDES };
  };

  test("is taken away from the words and the address", () => {
    const entry = { command: ["guard", "charts-mcp"], env: { A: "1", B: null }, env_vars: ["C", { name: "D" }] };
    const env = { A: "1", B: null, C: ref("C"), D: ref("D") };
    expect(readEntry(entry, recognize)).toMatchObject({ guardedAs: "A,C,D", command: "charts-mcp", args: [], env });
    expect(readEntry({ url: "http://127.0.0.1:1" }, recognize)).toMatchObject({ guardedAs: "tides", url: TIDES });
  });

  test("is not recognized where the client decides between two launches", () => {
    expect(readEntry({ url: "http://127.0.0.1:1", uri: TIDES }, recognize)).toMatchObject({
      notGuarded: "two launches",
      url: "http://127.0.0.1:1",
    });
  });
});

test.each([
  ["gemini", "$KEY", ref("KEY")],
  ["continue", "$".concat("{{ secrets.KEY }}"), ref("KEY")],
  ["opencode", "{env:KEY} {file:key}", `${ref("KEY")} \${file:key}`],
  [undefined, "$KEY", "$KEY"],
] as const)("a reference of %s is one that every launch knows", (references, written, known) => {
  const stdio = readEntry({ command: written, args: [written], cwd: written, env: { A: written, B: null } }, noGuard);
  const http = readEntry({ url: TIDES, headers: { A: written } }, noGuard);
  if (typeof stdio === "string" || typeof http === "string") throw new Error("not read");
  expect(withKnownReferences(stdio, references)).toMatchObject({
    command: known,
    args: [known],
    cwd: known,
    env: { A: known, B: null },
  });
  expect(withKnownReferences(http, references)).toMatchObject({ headers: { A: known } });
});
