import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { referenceTo, withKnownReferences } from "../src/client-references.ts";
import { CLIENTS } from "../src/client-table.ts";
import { entriesAt, membersWithServers } from "../src/configured-servers.ts";
import { parseConfig } from "../src/parse-config.ts";
import type { RecognizeGuard } from "../src/recognition.ts";
import { isBuiltIn, readEntry } from "../src/server-entry.ts";

const noGuard: RecognizeGuard = () => undefined;
const ref = (name: string): string => `\${env:${name}}`;
const TIDES = "https://tides.example/mcp";

/** Returns the servers in a file by name, each as read. */
async function entriesOf(file: string): Promise<Record<string, unknown>> {
  const config = await parseConfig(readFileSync(new URL(`files/${file}`, import.meta.url), "utf8"), file);
  const [member = ""] = membersWithServers(config);
  return Object.fromEntries(
    entriesAt(config, [member])
      .filter(({ state }) => state === "on")
      .map(({ name, value }) => [name, readEntry(value, noGuard)]),
  );
}

describe("an entry as written by", () => {
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

test("Gemini CLI connects to allowed servers, unless another list excludes them", async () => {
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

describe("Qwen Code reads patterns in the lists of its file:", () => {
  const statesOf = async (mcp: unknown, names: readonly string[], file = ".qwen/settings.json"): Promise<unknown[]> => {
    const text = JSON.stringify({ mcp, mcpServers: Object.fromEntries(names.map((name) => [name, { command: "c" }])) });
    return entriesAt(await parseConfig(text, file), ["mcpServers"]).map(({ state, offBy }) => offBy ?? state);
  };
  const off = "mcp patterns";

  test.each([
    [{ allowed: ["*-internal", "c?arts"] }, ["a-internal", "charts", "tides", "internal"], ["on", "on", off, off]],
    [{ excluded: ["*pup*eer*"] }, ["my-puppeteer-2", "puppet"], [off, "on"]],
    [{ allowed: ["*"], excluded: ["a", "*b"] }, ["a", "ab", "ba"], [off, off, "on"]],
    [{ allowed: ["a*b*c", "??"] }, ["abbc", "aXbYbc", "abcd", "de", "d"], ["on", "on", off, "on", off]],
    [{ allowed: ["charts", 1] }, ["charts", "Charts"], ["on", off]],
    [{ allowed: [] }, ["charts"], [off]],
    [{ allowed: "charts" }, ["charts"], ["on"]],
  ])("%j", async (mcp, names, expected) => {
    expect(await statesOf(mcp, names)).toEqual(expected);
  });

  test("too many or too long patterns switch nothing off", async () => {
    const long = "a".repeat(101);
    expect(await statesOf({ allowed: ["b*", long] }, [long, `${long}b`])).toEqual(["on", "on"]);
    expect(await statesOf({ allowed: [`*${long}`] }, ["b"])).toEqual(["on"]);
    expect(await statesOf({ excluded: Array.from({ length: 51 }, () => "*") }, ["b"])).toEqual(["on"]);
  });

  test("another client reads them as names", async () => {
    const lists = { allowed: ["charts*"] };
    expect(await statesOf(lists, ["charts-2", "charts*"], ".gemini/settings.json")).toEqual(["mcp lists", "on"]);
  });
});

const scalar = "expected a text, a number or a boolean";
const one = "expected one of them, because clients differ in which one they read";
const program = "expected a program, or a list that begins with one";
test.each([
  ["nothing", null, "entry: expected an object"],
  ["a date in its place", new Date(0), "entry: expected an object"],
  ["a command that is a number", { command: 1 }, "command: expected a text"],
  ["an empty command", { command: "" }, `command: ${program}`],
  ["a command of no words", { command: [] }, `command: ${program}`],
  ["a word that is no text", { command: ["a", 1] }, "command.1: expected a text"],
  ["arguments in one text", { command: "a", args: "-y" }, "args: expected a list"],
  ["half a character", { command: "a", args: ["\udc00"] }, "args.0: expected a text without lone surrogates"],
  ["a folder that is a list", { command: "a", cwd: [] }, "cwd: expected a text"],
  ["variables in a list", { command: "a", env: ["A=1"] }, "env: expected an object"],
  ["a variable that is an object", { command: "a", env: { A: {} } }, `env.A: ${scalar}`],
  ["a variable without a finite value", { command: "a", env: { A: Infinity } }, `env.A: ${scalar}`],
  ["a name that is no text", { command: "a", env_vars: ["A", { name: 1 }] }, "names.1: expected a text"],
  ["no launch", {}, "command, url: expected one of them, a program or an address"],
  ["an empty address", { url: "" }, "url: expected an address"],
  ["an empty address of another name", { serverUrl: "" }, "serverUrl: expected an address"],
  ["an empty program", { command: "" }, "command: expected a program, or a list that begins with one"],
  ["an empty list for variables", { command: "a", env: [] }, "env: expected an object"],
  [
    "code in its place",
    { type: "inline_python", code: "print()" },
    "type: expected a launch, because a lock does not store code from a configuration",
  ],
  ["headers that are a text", { url: TIDES, headers: "x" }, "headers: expected an object"],
  ["a header that is removed", { url: TIDES, requestOptions: { headers: { A: null } } }, `headers.A: ${scalar}`],
  ["a command and an address", { type: "http", command: "a", url: TIDES }, `command, url: ${one}`],
  ["two commands", { command: "a", cmd: "b" }, `command, cmd: ${one}`],
  ["two addresses", { url: TIDES, httpUrl: "https://b.example" }, `httpUrl, url: ${one}`],
  ["variables twice", { command: "a", env: {}, environment: { A: "1" } }, `env, environment: ${one}`],
  ["a token that is no name", { url: TIDES, bearer_token_env_var: 1 }, "token: expected a text"],
])("an entry with %s is reported in a sentence", (_, entry, sentence) => {
  expect(readEntry(entry, noGuard)).toBe(sentence);
});

test("members with the same meaning may agree", () => {
  const entry = { url: TIDES, serverUrl: TIDES, httpUrl: "", command: null };
  expect(readEntry(entry, noGuard)).toMatchObject({ type: "http", url: TIDES });
  const env = { A: "1" };
  expect(readEntry({ command: "a", env, environment: env, envs: null }, noGuard)).toMatchObject({ env });
});

test("a server built into a client has no launch", () => {
  expect([{ type: "builtin" }, { source: "extension", settings: {} }, { type: "stdio" }].map(isBuiltIn)).toEqual([
    true,
    true,
    false,
  ]);
  const others = [{ type: "builtin", command: "a" }, { source: "extension", url: TIDES }, null];
  expect(others.map(isBuiltIn)).toEqual([false, false, false]);
});

test("numbers and booleans are read as texts, and names that no client can read are ignored", () => {
  const variables: string[][] = [];
  const recognize: RecognizeGuard = (found) => void variables.push([...found.variables]);
  const entry = { command: "a", env: { A: 1.5, B: true }, env_vars: null, env_keys: ["C"] };
  expect(readEntry(entry, recognize)).toMatchObject({ env: { A: "1.5", B: "true", C: ref("C") } });
  readEntry({ command: "a", env_vars: ["C"], env_keys: "D" }, recognize);
  expect(variables).toEqual([["A", "B", "C"], ["C"]]);
});

test("an error of the recognition is not reported as a fault of the entry", () => {
  const fail: RecognizeGuard = () => {
    throw new RangeError("unreadable");
  };
  expect(() => readEntry({ command: "a" }, fail)).toThrow(RangeError);
});

describe("the guard in front of a server", () => {
  const recognize: RecognizeGuard = ({ command, url, variables }) => {
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
    expect(readEntry({ url: "http://127.0.0.1:1", uri: TIDES }, recognize)).toMatch(/^url, uri: expected one of them/);
  });
});

test.each([
  ["gemini", "$KEY", ref("KEY")],
  ["continue", "$".concat("{{ secrets.KEY }}"), ref("KEY")],
  ["crush", `$KEY \${KEY}`, `${ref("KEY")} \${KEY}`],
  ["crush", "a $(echo $KEY) `b`", `a \${shell:(echo ${ref("KEY")}) \`b\`}`],
  ["crush", "`cat key`", `\${shell:\`cat key\`}`],
  ["opencode", "{env:KEY} {file:key}", `${ref("KEY")} \${file:key}`],
  // For another client's reference, the clients' sources decide: opencode keeps the `$`, Gemini CLI the complete
  // reference.
  ["opencode", `\${env:KEY} $KEY`, `$${ref("KEY")} $KEY`],
  ["gemini", `{env:KEY} \${KEY} \${KEY:-none}`, `{env:KEY} \${KEY} \${KEY:-none}`],
  ["kilo", `{env:KEY} \${env:KEY}`, `${ref("KEY")} ${ref("KEY")}`],
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

test.each(CLIENTS.filter(({ variables }) => variables !== undefined))(
  "a reference of $name is read as one",
  (client) => {
    const written = referenceTo("KEY", client) ?? "";
    const entry = readEntry({ command: "a", args: [`--key=${written}`] }, noGuard);
    if (typeof entry === "string") throw new Error("not read");
    expect(withKnownReferences(entry, client.references)).toMatchObject({
      args: [expect.stringMatching(/^--key=\$\{(?:env:)?KEY\}$/)],
    });
  },
);

test("a client that is not known to fill in references has none", () => {
  expect(referenceTo("KEY", {})).toBeUndefined();
});
