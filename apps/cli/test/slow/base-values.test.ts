import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createLock } from "@agentprint/mcp-lock";
import { answersOf } from "@agentprint/testing/lock/offer";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { loadsCode } from "../../src/launch/loading-variables.ts";
import { ChangeWorkspace, pinIt, SERVER } from "../support/change-workspace.ts";
import { Workspace } from "../support/workspace.ts";

/** The server, pinned with an additional variable. */
type Pinned = Awaited<ReturnType<typeof pinIt>>;

const locks = new Map<string, Pinned>();
beforeAll(async () => {
  for (const name of ["TOKEN", "NODE_OPTIONS"]) {
    locks.set(name, await pinIt({ HOSTILE_TEXT: "before", TOKEN: "x", NODE_OPTIONS: "" }, {}, [name]));
  }
});

let workspace: ChangeWorkspace;
beforeEach(() => {
  workspace = new ChangeWorkspace();
});
afterEach(() => workspace[Symbol.dispose]());

const [command = "", ...args] = SERVER;

function configure(entry: object, file = ".mcp.json"): void {
  writeFileSync(workspace.path(file), JSON.stringify({ mcpServers: { it: { command, args, ...entry } } }));
}

/** Commits a base whose `TOKEN` has one value; a change that sets another must not be started. */
function baseWith(variable: string, entry: object): void {
  const lock = locks.get(variable);
  if (lock !== undefined) workspace.writeLock(lock);
  configure(entry);
  workspace.commitBase();
}

const marker = () => workspace.path("ran");
const evil = () => {
  writeFileSync(workspace.path("x.cjs"), `require("node:fs").writeFileSync(${JSON.stringify(marker())}, "")`);
  return `--require=${workspace.path("x.cjs")}`;
};
const check = (env: Record<string, string> = {}, more: readonly string[] = []) =>
  workspace.check(["--mcp-config", ".mcp.json", ...more], { HOSTILE_TEXT: "before", TOKEN: "t", OTHER: "o", ...env });

const HELD = { code: 2, stdout: expect.stringContaining("so it was not started") };

describe("check --base, values from a file of the change", () => {
  test("have to be those of the base", async () => {
    const env = { HOSTILE_TEXT: "before", TOKEN: `\${TOKEN}` };
    baseWith("TOKEN", { env });
    expect(await check()).toMatchObject({ code: 0 });
    const others = ["plain", `\${OTHER}`, `\${env:OTHER:-x}`, `\${TOKEN}\${OTHER}`, ""];
    for (const TOKEN of others) {
      configure({ env: { ...env, TOKEN } });
      const held = await check();
      expect(held, TOKEN).toMatchObject(HELD);
      expect(held.stdout).toContain(".mcp.json gives it a different value of TOKEN than in base (");
    }
    configure({ env: { ...env, TOKEN: `\${OTHER}` } });
    expect(await check({}, ["--allow-changed-launch"])).toMatchObject({ code: 0 });
    // A server started with the environment's value has no value from the change.
    expect(await workspace.check([], { HOSTILE_TEXT: "before", TOKEN: "t" })).toMatchObject({ code: 0 });
    configure({ env });
    expect(await check()).toMatchObject({ code: 0 });
  });

  test("have to be those of the base also in an env file, which the change can name or write", async () => {
    writeFileSync(workspace.path("a.env"), "TOKEN=a\nHOSTILE_TEXT=before\n");
    writeFileSync(workspace.path("b.env"), "TOKEN=b\nHOSTILE_TEXT=before\n");
    baseWith("TOKEN", { envFile: workspace.path("a.env") });
    expect(await check()).toMatchObject({ code: 0 });
    configure({ envFile: `\${workspaceFolder}/a.env` });
    expect(await check()).toMatchObject({ code: 0 });
    configure({ envFile: workspace.path("b.env") });
    expect(await check()).toMatchObject(HELD);
    configure({ envFile: workspace.path("a.env") });
    writeFileSync(workspace.path("a.env"), "TOKEN=c\nHOSTILE_TEXT=before\n");
    expect(await check()).toMatchObject(HELD);
  });

  test.each(["a word of the launch", "a configuration of the user"])(
    "have to be those of the base also in an env file that %s names",
    async (namedBy) => {
      using outside = new Workspace();
      const variables = workspace.path(".env");
      const [config, entry] =
        namedBy === "a word of the launch"
          ? [
              workspace.path(".mcp.json"),
              { args: [`--env-file=${variables}`, ...args], env: { HOSTILE_TEXT: "before" } },
            ]
          : [outside.path("mcp.json"), { args, envFile: variables }];
      const text = "HOSTILE_TEXT=before\nTOKEN=a\n";
      writeFileSync(variables, text);
      writeFileSync(config, JSON.stringify({ mcpServers: { it: { command, ...entry } } }));
      const named = ["--mcp-config", config];
      expect((await workspace.run(["pin", ...named], {})).code).toBe(0);
      const base = workspace.commitBase();
      expect(await workspace.check(named, {})).toMatchObject({ code: 0 });
      writeFileSync(variables, text.replace("TOKEN=a", "TOKEN=b"));
      const held = await workspace.check(named, {});
      expect(held).toMatchObject(HELD);
      expect(held.stdout).toContain(`it gets variables from ${variables}, which differs in base (`);
      expect(await workspace.check([...named, "--allow-changed-launch"], {})).toMatchObject({ code: 0 });
      workspace.repository.git("rm", "--quiet", "--force", ".env");
      expect(workspace.commitBase()).not.toBe(base);
      writeFileSync(variables, text);
      expect(await workspace.check(named, {})).toMatchObject(HELD);
    },
  );

  test("have to be those of the base also where the lock keeps no secret of a launch", async () => {
    const secret = (word: string) => ({ args: [...args, "--api-key", word], env: { HOSTILE_TEXT: "before" } });
    configure(secret("s3cret-of-the-base-0123456789"));
    const pin = ["pin", "--mcp-config", ".mcp.json"];
    expect((await workspace.run(pin, {})).code).toBe(0);
    expect(workspace.lockText()).toContain("<redacted>");
    workspace.commitBase();
    expect(await check()).toMatchObject({ code: 0 });
    configure(secret("s3cret-of-the-change-0123456789"));
    expect(await check()).toMatchObject(HELD);
    // Characters that a shell interprets are not part of the secret.
    configure(secret("$(touch ran)-0123456789abcdef"));
    expect(await check()).toMatchObject({
      code: 2,
      stdout: expect.stringContaining("launches the server differently"),
    });
  });

  test("are not taken from the base where the base has no such file or server", async () => {
    workspace.writeLock(locks.get("TOKEN") as Pinned);
    workspace.commitBase();
    configure({ env: { HOSTILE_TEXT: "before", TOKEN: "x" } });
    expect(await check()).toMatchObject(HELD);
    using outside = new Workspace();
    mkdirSync(outside.path("home"));
    const entry = { command, args, env: { HOSTILE_TEXT: "before", TOKEN: "x" } };
    writeFileSync(outside.path("home/mcp.json"), JSON.stringify({ mcpServers: { it: entry } }));
    // A user's file is not part of the change.
    const own = ["--mcp-config", outside.path("home/mcp.json")];
    expect(await workspace.check(own, {})).toMatchObject({ code: 0 });
  });
});

describe("check --base, variables that load code", () => {
  test("are held back, wherever their values come from", async () => {
    baseWith("NODE_OPTIONS", { env: { HOSTILE_TEXT: "before", NODE_OPTIONS: evil() } });
    const same = await check();
    expect(same).toMatchObject(HELD);
    expect(same.stdout).toContain("it gets NODE_OPTIONS, whose value chooses which code is loaded");
    configure({ env: { HOSTILE_TEXT: "before", NODE_OPTIONS: `${evil()} ` } });
    expect(await check()).toMatchObject(HELD);
    const fromEnvironment = await workspace.check([], { HOSTILE_TEXT: "before", NODE_OPTIONS: evil() });
    expect(fromEnvironment).toMatchObject(HELD);
    expect(existsSync(marker())).toBe(false);
    // A server that receives code through a variable is never started, whatever option allows it.
    expect(await check({}, ["--allow-changed-launch"])).toMatchObject({ code: 2 });
    expect(existsSync(marker())).toBe(false);
  });

  test("are held back also where the change pins a server by version 1 of the lock", async () => {
    writeFileSync(workspace.path(".env"), `NODE_OPTIONS=${evil()}\n`);
    const launch = {
      type: "stdio" as const,
      command,
      args: [`--env-file=${workspace.path(".env")}`, ...args],
      env: [],
    };
    workspace.writeLock(createLock({ it: answersOf([], { launch }) }));
    workspace.commitBase();
    for (const options of [[], ["--allow-changed-launch"]]) {
      const held = await workspace.check(options, {});
      expect(held).toMatchObject({
        code: 2,
        stdout: expect.stringContaining("NODE_OPTIONS makes the launch of it load"),
      });
    }
    expect(existsSync(marker())).toBe(false);
  });

  test.each([
    "NODE_OPTIONS",
    "LD_PRELOAD",
    "Path",
    "npm_config_registry",
    "DYLD_INSERT_LIBRARIES",
    "PYTHONPATH",
    "UV_INDEX",
    "BASH_ENV",
    "LUA_PATH_5_4",
    "ERL_FLAGS",
    "MISE_CONFIG_FILE",
    "DOCKER_CONFIG",
  ])("are known: %s", (name) => expect(loadsCode(name)).toBe(true));
  test.each(["TOKEN", "API_KEY", "GITHUB_TOKEN", "PORT", "NODE_ENV", "LOG_LEVEL", "DATABASE_URL"])(
    "are not: %s",
    (name) => expect(loadsCode(name)).toBe(false),
  );
});
