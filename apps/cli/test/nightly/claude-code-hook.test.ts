import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import {
  isHookSetUp,
  readState,
  type ServerState,
  stateFileOf,
  type ToolState,
  writeStates,
} from "../../src/guard/state-file.ts";
import { askHook, startSession } from "../support/claude-code-hook.ts";
import { hostile } from "../support/hostile.ts";
import { memoryContext } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const DAY = 24 * 60 * 60 * 1000;
const LOCK = "agentprint.lock";
const [command = "", script = ""] = hostile("tells-a-file");

/** A project with a folder for states and a home folder; its hook can be asked for decisions. */
class Project extends Workspace {
  readonly env = { XDG_STATE_HOME: this.path("state"), HOME: this.path("home"), TOLD: "" };
  readonly context = memoryContext([], { cwd: this.folder, env: this.env });

  ask(tool: string, more: Readonly<Record<string, string>> = {}): string {
    return askHook(this.folder, tool, { ...this.env, ...more });
  }

  /** Writes a lock with servers of these names, and the states of some of them. */
  async keep(names: readonly string[], states: Readonly<Record<string, Partial<ServerState>>>): Promise<void> {
    const text = JSON.stringify({ servers: names.map((name) => ({ name })) });
    writeFileSync(this.path(LOCK), text);
    const whole = { by: "check", digest: "0", verifiedAt: new Date().toISOString(), tools: {} } as const;
    const servers = Object.fromEntries(Object.entries(states).map(([name, state]) => [name, { ...whole, ...state }]));
    await writeStates(this.context, LOCK, Buffer.from(text), servers);
  }
}

describe("after a check", () => {
  const space = new Project();
  const { env, context } = space;
  let [file, written] = ["", ""];

  function change(edit: (state: ServerState) => unknown): void {
    writeFileSync(file, JSON.stringify(edit(JSON.parse(written))));
  }

  beforeAll(async () => {
    writeFileSync(space.path("description.txt"), "Reads a file");
    expect(space.ask("mcp__my_files__read")).toMatch(/^ask: agentprint has not checked/);
    expect((await space.run(["pin", "--name", "my.files", "--", command, script], env)).code).toBe(0);
    expect((await space.run(["check"], env)).code).toBe(0);
    file = await stateFileOf(context, LOCK, "my.files");
    written = readFileSync(file, "utf8");
    expect(await readState(context, LOCK, "my.files")).toMatchObject({ tools: { read: "pass" } });
    return () => space[Symbol.dispose]();
  });

  test("a tool that is unchanged since it was pinned is left to Claude Code", () => {
    change((state) => state);
    expect(space.ask("mcp__my_files__read")).toBe("nothing");
    expect(space.ask("Bash")).toBe("not asked");
  });

  test("a tool that drifted or is not in the lock is denied", async () => {
    change((state) => state);
    expect(space.ask("mcp__other__read")).toMatch(/^deny: This server is not in agentprint\.lock/);
    expect(space.ask("mcp__my_files__write")).toMatch(/^deny: This tool is not in agentprint\.lock/);
    writeFileSync(space.path("description.txt"), "Reads a file, then sends it on");
    expect((await space.run(["check"], env)).code).toBe(1);
    expect(space.ask("mcp__my_files__read")).toMatch(/^deny: This tool is not as it was pinned/);
  });

  test.each([
    { part: "the version", edit: (state: ServerState) => ({ ...state, stateVersion: 1 }) },
    { part: "the path of the lock", edit: (state: ServerState) => ({ ...state, lock: null }) },
    { part: "the name of the server", edit: (state: ServerState) => ({ ...state, server: "my_files" }) },
    { part: "everything", edit: () => [] },
  ])("a state with a wrong $part is ignored, and leads to a question", async ({ edit }) => {
    change(edit);
    expect(await readState(context, LOCK, "my.files")).toBe(undefined);
    expect(space.ask("mcp__my_files__read")).toMatch(/^ask: The server my_files was not checked/);
  });

  test.each([
    { part: "the writer", edit: (state: ServerState) => ({ ...state, by: "me" }) },
    { part: "a decision", edit: (state: ServerState) => ({ ...state, tools: { read: "fine" } }) },
    { part: "a second decision", edit: (state: ServerState) => ({ ...state, tools: { read: "pass", "re d": 1 } }) },
  ])("agentprint ignores a state with a wrong $part", async ({ edit }) => {
    change(edit);
    expect(await readState(context, LOCK, "my.files")).toBe(undefined);
  });

  test("an unknown decision leads to a question", () => {
    change((state) => ({ ...state, tools: { read: "fine" } }));
    expect(space.ask("mcp__my_files__read")).toMatch(/^ask: A state is unknown/);
  });

  test("a frozen tool is denied unless the guard gives the locked definition", () => {
    const frozen = (by: "check" | "guard") => (state: ServerState) => ({ ...state, by, tools: { read: "freeze" } });
    change(frozen("check"));
    expect(space.ask("mcp__my_files__read")).toMatch(/^deny/);
    change(frozen("guard"));
    expect(space.ask("mcp__my_files__read")).toBe("nothing");
  });

  test("a state that is old, missing or of another lock leads to a question", () => {
    for (const time of [Date.now() - DAY - 1000, Date.now() + DAY + 60_000, Number.NaN]) {
      change((state) => ({ ...state, verifiedAt: Number.isNaN(time) ? "soon" : new Date(time).toISOString() }));
      expect(space.ask("mcp__my_files__read")).toMatch(/^ask: The last check is older than a day/);
    }
    change((state) => ({ ...state, lockDigest: "0".repeat(64) }));
    expect(space.ask("mcp__my_files__read")).toMatch(/^ask: agentprint\.lock changed/);
    writeFileSync(file, "no JSON");
    expect(space.ask("mcp__my_files__read")).toMatch(/^ask: The server my_files was not checked/);
    expect(space.ask("mcp__my_files__read", { AGENTPRINT_LOCK: "/nowhere/agentprint.lock" })).toMatch(
      /^ask: agentprint has not/,
    );
  });
});

describe("names that Claude Code writes the same way", () => {
  const PASS = { tools: { c: "pass", b__c: "pass" } } as const;

  test.each([
    { names: ["my.server", "my_server"], call: "mcp__my_server__c" },
    { names: ["a__b", "a"], call: "mcp__a__b__c" },
    { names: ["a.b", "a b", "a_b"], call: "mcp__a_b__c" },
  ])("$names: the strictest decides, in any order", async ({ names, call }) => {
    using space = new Project();
    for (const [state, verdict] of [
      [{ tools: { c: "block", b__c: "block" } }, /^deny: This tool is not as it was pinned/],
      [{ tools: { c: "ask", b__c: "ask" } }, /^ask: The policy requires asking/],
      [{ ...PASS, verifiedAt: new Date(0).toISOString() }, /^ask: The last check is older/],
      [undefined, /^ask: The server \w+ was not checked/],
      [PASS, /^nothing$/],
    ] as const) {
      for (const strict of names) {
        for (const order of [names, names.toReversed()]) {
          rmSync(space.path("state"), { recursive: true, force: true });
          const states = names.flatMap((name) => (name === strict ? (state ? [[name, state]] : []) : [[name, PASS]]));
          await space.keep(order, Object.fromEntries(states));
          expect(space.ask(call), `${strict} of ${order}`).toMatch(verdict);
        }
      }
    }
  });

  test("a server without such a tool is not a match", async () => {
    using space = new Project();
    await space.keep(["a__b", "a"], { a__b: { tools: { c: "pass" } }, a: { tools: { d: "block" } } });
    expect(space.ask("mcp__a__b__c")).toBe("nothing");
    expect(space.ask("mcp__a__d")).toMatch(/^deny/);
    expect(space.ask("mcp__a__b__d")).toMatch(/^deny: This tool is not in/);
  });

  test.each([".mcp.json", "home/.claude.json", "home/.claude.json of the project"])(
    "a server of %s that nobody pinned is denied, and so is a pinned one of the same written name",
    async (where) => {
      using space = new Project();
      mkdirSync(space.path("home"));
      await space.keep(["my_server"], { my_server: PASS });
      expect(space.ask("mcp__my_server__c")).toBe("nothing");
      const mcpServers = { "my.server": { command: "evil" } };
      const [file = ""] = where.split(" ");
      const whole = where === file ? { mcpServers } : { projects: { [space.folder]: { mcpServers } } };
      writeFileSync(space.path(file), JSON.stringify(whole));
      expect(space.ask("mcp__my_server__c")).toMatch(/^deny: This server is not in agentprint\.lock/);
    },
  );

  test("the strictest verdict of all matching servers is used", async () => {
    using space = new Project();
    const part = fc.constantFrom("a", "a.b", "a_b", "a b", "a__b", "b__c", "c", "b");
    const state = fc.option(
      fc.record({
        by: fc.constantFrom("check" as const, "guard" as const),
        isOld: fc.boolean(),
        tools: fc.dictionary(part, fc.constantFrom<ToolState>("pass", "freeze", "ask", "block"), { maxKeys: 3 }),
      }),
      { nil: undefined, freq: 6 },
    );
    const worlds = fc.array(fc.tuple(part, state), { minLength: 1, maxLength: 4 });
    const shown = (name: string): string => name.replaceAll(/[^\w-]/g, "_");
    await fc.assert(
      fc.asyncProperty(worlds, part, part, async (found, server, tool) => {
        const servers = new Map(found);
        rmSync(space.path("state"), { recursive: true, force: true });
        const states = [...servers].flatMap(([name, known]) => {
          const verifiedAt = new Date(Date.now() - (known?.isOld ? 2 * DAY : 0)).toISOString();
          return known ? [[name, { by: known.by, tools: known.tools, verifiedAt }] as const] : [];
        });
        await space.keep([...servers.keys()], Object.fromEntries(states));
        const call = `mcp__${shown(server)}__${shown(tool)}`;
        const meant = [...servers].filter(([name]) => call.startsWith(`mcp__${shown(name)}__`));
        const verdicts = meant.flatMap(([name, known]): ("deny" | "ask" | "nothing")[] => {
          const decisions = Object.entries(known?.tools ?? {})
            .filter(([each]) => `mcp__${shown(name)}__${shown(each)}` === call)
            .map(([, decision]) => decision);
          if (decisions.includes("block")) return ["deny"];
          if (decisions.includes("freeze") && known?.by === "check") return ["deny"];
          if (known === undefined || known.isOld || decisions.includes("ask")) return ["ask"];
          return decisions.length > 0 ? ["nothing"] : [];
        });
        const strictest = (["deny", "ask", "nothing"] as const).find((verdict) => verdicts.includes(verdict)) ?? "deny";
        expect(space.ask(call).split(":")[0]).toBe(strictest);
      }),
      { numRuns: 25 },
    );
  });
});

describe("the states of servers", () => {
  test("are stored by a check only where the hook is installed, in one file per server", async () => {
    using space = new Project();
    const { env, context } = space;
    writeFileSync(space.path("description.txt"), "Reads a file");
    for (const name of ["one", "two"]) await space.run(["pin", "--name", name, "--", command, script], env);
    expect((await space.run(["check"], env)).code).toBe(0);
    expect(existsSync(space.path("state"))).toBe(false);
    expect(await isHookSetUp(context, LOCK)).toBe(false);
    startSession(space.folder, env);
    expect(await isHookSetUp(context, LOCK)).toBe(true);
    expect((await space.run(["check"], env)).code).toBe(0);
    const names = await Promise.all(["one", "two"].map((name) => stateFileOf(context, LOCK, name)));
    const [folder = ""] = readdirSync(space.path("state/agentprint/servers"));
    const files = readdirSync(space.path(`state/agentprint/servers/${folder}`));
    expect(files.sort()).toEqual([...names.map((name) => basename(name)), "hook"].sort());
    expect(space.ask("mcp__one__read")).toBe("nothing");
  });

  test("are intact despite concurrent writers, and the later verification stays", async () => {
    using space = new Project();
    const times = Array.from({ length: 40 }, (_, index) => new Date(Date.now() - index * 1000).toISOString());
    await Promise.all(times.map((verifiedAt) => space.keep(["it"], { it: { verifiedAt, tools: { a: "pass" } } })));
    expect(times).toContain((await readState(space.context, LOCK, "it"))?.verifiedAt);
    const [latest = "", earlier = ""] = times;
    await space.keep(["it"], { it: { verifiedAt: latest, tools: { a: "block" } } });
    await space.keep(["it"], { it: { verifiedAt: earlier, tools: { a: "pass" } } });
    expect((await readState(space.context, LOCK, "it"))?.tools).toEqual({ a: "block" });
    // The clock of this machine was set back.
    await space.keep(["it"], { it: { verifiedAt: new Date(Date.now() + DAY).toISOString(), tools: { a: "ask" } } });
    await space.keep(["it"], { it: { tools: { a: "pass" } } });
    expect((await readState(space.context, LOCK, "it"))?.tools).toEqual({ a: "pass" });
  });

  test("after two concurrent checks are those of one of them", async () => {
    using space = new Project();
    const { env, context } = space;
    writeFileSync(space.path("description.txt"), "Reads a file");
    for (const name of ["one", "two"]) await space.run(["pin", "--name", name, "--", command, script], env);
    startSession(space.folder, env);
    const runs = await Promise.all([1, 2, 3].map(() => space.run(["check"], env)));
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([1, 2, 3].map(() => [0, ""]));
    for (const name of ["one", "two"]) {
      expect(await readState(context, LOCK, name)).toMatchObject({ tools: { read: "pass" } });
    }
  });
});
