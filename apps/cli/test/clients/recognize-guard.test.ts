import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { guardWords } from "../../src/clients/guarded-launch.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import { type Entry, launch, OWN, WrappedProject } from "../support/wrapped-project.ts";

const space = new WrappedProject();
const { env, lockFile: LOCK } = space;
const GUARD = guardWords("files", LOCK);
const NPM = ["npx", "-y", "agentprint@1.2.3", ...GUARD.slice(GUARD.indexOf("guard"))];
const [node = "", condition = "", main = ""] = AGENTPRINT;

beforeAll(async () => {
  await space.pinFiles();
  mkdirSync(space.path("elsewhere"));
  writeFileSync(space.path("elsewhere/main.js"), "");
  symlinkSync(space.path("elsewhere/main.js"), space.path("main.js"));
  symlinkSync(main, space.path("main.ts"));
  symlinkSync(LOCK, space.path("link.lock"));
  writeFileSync(space.path("other.lock"), readFileSync(LOCK));
  writeFileSync(space.path(".env"), "NODE_OPTIONS=--import=data:text/javascript,1\n");
  return () => space[Symbol.dispose]();
});

describe("the guard", () => {
  test.each([
    ["by the path of this installation", launch([...GUARD, ...OWN])],
    ["from npm in an exact version", launch([...NPM, ...OWN])],
    ["in another exact version", launch([...NPM.with(2, "agentprint@1.2.3-next.1"), ...OWN])],
    ["with a link to the lock", launch([...guardWords("files", space.path("link.lock")), ...OWN])],
    ["with the lock of its folder", launch([...guardWords("files", "agentprint.lock"), ...OWN])],
    [
      "with the lock from its folder",
      launch([...guardWords("files", "../agentprint.lock"), ...OWN], { cwd: "elsewhere" }),
    ],
    ["with variables of its server", launch([...NPM, ...OWN], { env: { API_TOKEN: "x", NODE_ENV: "test" } })],
    ["with a file of variables that is not there", launch([...GUARD, ...OWN], { envFile: "no-such.env" })],
    ["in one list", { type: "local", command: [...GUARD, ...OWN], enabled: true }],
    ["in front of an address", { url: "http://127.0.0.1:4000/files#https://files.example/mcp" }],
  ])("%s is recognized", async (_, entry) => {
    space.write(entry);
    expect(await space.diagnose()).toMatchObject({ isGuarded: true });
  });

  test.each<[string, Entry, RegExp]>([
    ["an alias of another package", launch([...NPM.with(2, "agentprint@npm:evil@1.2.3"), ...OWN]), /npm:evil/],
    ["a range", launch([...NPM.with(2, "agentprint@^1.2.3"), ...OWN]), /does not write/],
    ["a tag", launch([...NPM.with(2, "agentprint@latest"), ...OWN]), /does not write/],
    ["no version", launch([...NPM.with(2, "agentprint"), ...OWN]), /does not write/],
    ["an address as version", launch([...NPM.with(2, "agentprint@https://evil.example/1.2.3"), ...OWN]), /not write/],
    ["another package", launch([...NPM.with(2, "agentprint-evil@1.2.3"), ...OWN]), /does not write/],
    ["a package of a scope", launch([...NPM.with(2, "@evil/agentprint@1.2.3"), ...OWN]), /does not write/],
    ["another registry", launch(["npx", "-y", "--registry", "http://evil.example", ...NPM.slice(2), ...OWN]), /evil/],
    [
      "another registry, as one word",
      launch(["npx", "--registry=http://evil.example", ...NPM.slice(2), ...OWN]),
      /evil/,
    ],
    ["one more package", launch(["npx", "-y", "-p", "evil", ...NPM.slice(2), ...OWN]), /does not write/],
    ["another npx", launch(["/tmp/npx", ...NPM.slice(1), ...OWN]), /does not write/],
    ["another runner", launch(["bunx", ...NPM.slice(1), ...OWN]), /does not write/],
    ["a shell", launch(["sh", "-c", `${NPM.join(" ")} evil`, "agentprint", "guard"]), /does not write/],
    [
      "another main.js",
      launch([node, space.path("elsewhere/main.js"), ...NPM.slice(3), ...OWN]),
      /not this agentprint/,
    ],
    [
      "a link to another main.js",
      launch([node, space.path("main.js"), ...NPM.slice(3), ...OWN]),
      /not this agentprint/,
    ],
    ["a link to this one", launch([node, condition, space.path("main.ts"), ...NPM.slice(3), ...OWN]), /not this/],
    ["a main.js of a folder", launch([node, "./main.js", ...NPM.slice(3), ...OWN]), /does not write/],
    ["another Node", launch(["/tmp/node", ...GUARD.slice(1), ...OWN]), /not this agentprint/],
    ["a preloaded module", launch([node, "--import=/tmp/evil.js", ...GUARD.slice(1), ...OWN]), /does not write/],
    ["another condition", launch([node, "--conditions=evil", ...GUARD.slice(2), ...OWN]), /does not write/],
    ["another lock", launch([...guardWords("files", space.path("other.lock")), ...OWN]), /another lock/],
    ["a lock that is not there", launch([...guardWords("files", "/nowhere/agentprint.lock"), ...OWN]), /another lock/],
    [
      "the lock of another folder",
      launch([...guardWords("files", "agentprint.lock"), ...OWN], { cwd: "elsewhere" }),
      /lock/,
    ],
    ["a lock of a variable", launch([...guardWords("files", "$" + "{LOCK}"), ...OWN]), /another lock/],
    ["a second lock", launch([...GUARD.slice(0, -1), "--lock", "other.lock", "--", ...OWN]), /does not write/],
    ["a policy", launch([...GUARD.slice(0, -1), "--policy", "off.json", "--", ...OWN]), /does not write/],
    ["a dry run", launch([...GUARD.slice(0, -1), "--dry-run", "--", ...OWN]), /does not write/],
    ["an open door", launch([...GUARD.slice(0, -1), "--fail-open", "--", ...OWN]), /does not write/],
    ["an option before", launch([...GUARD.toSpliced(GUARD.indexOf("guard") + 1, 0, "--dry-run"), ...OWN]), /not write/],
    ["the short option", launch([...GUARD.with(GUARD.indexOf("--lock"), "-l"), ...OWN]), /does not write/],
    ["no server", launch(GUARD), /does not write/],
    ["another command", launch([...NPM.with(3, "check"), "guard", ...OWN]), /does not write/],
    ["code for Node", launch([...GUARD, ...OWN], { env: { NODE_OPTIONS: "--import=/tmp/evil.js" } }), /NODE_OPTIONS/],
    [
      "code for Node, of a file",
      launch([...GUARD, ...OWN], { envFile: "$" + "{workspaceFolder}/.env" }),
      /NODE_OPTIONS/,
    ],
    ...["/dev/zero", "elsewhere", "~/.env", "$" + "{env:HOME}/.env"].map(
      (envFile): [string, ReturnType<typeof launch>, RegExp] => [
        `a file of variables that cannot be read, ${envFile}`,
        launch([...GUARD, ...OWN], { envFile }),
        /it is unknown which variables/,
      ],
    ),
    ["code for the linker", launch([...GUARD, ...OWN], { env: { LD_PRELOAD: "/tmp/evil.so" } }), /LD_PRELOAD/],
    [
      "a registry of npm",
      launch([...NPM, ...OWN], { env: { npm_config_registry: "http://evil.example" } }),
      /npm_config/,
    ],
    [
      "a registry of NPM",
      launch([...NPM, ...OWN], { env: { NPM_CONFIG_REGISTRY: "http://evil.example" } }),
      /NPM_CONF/,
    ],
    ["a path to another npx", launch([...NPM, ...OWN], { env: { PATH: "/tmp/evil" } }), /PATH/],
    ["a variable of the environment", launch([...GUARD, ...OWN], { env_vars: ["NODE_OPTIONS"] }), /NODE_OPTIONS/],
    ...(
      [
        [GUARD, "NODE_COMPILE_CACHE"],
        [GUARD, "NODE_CHANNEL_FD"],
        [GUARD, "OPENSSL_CONF"],
        [GUARD, "LD_BIND_NOW"],
        [GUARD, "XDG_STATE_HOME"],
        [GUARD, "HOME"],
        [GUARD, "AGENTPRINT_GUARD_TOKEN"],
        [NPM, "XDG_STATE_HOME"],
        [NPM, "LOCALAPPDATA"],
        [NPM, "SHELL"],
      ] as const
    ).map(([words, name]): [string, ReturnType<typeof launch>, RegExp] => [
      `${name} next to ${words === NPM ? "npx" : "a path"}`,
      launch([...words, ...OWN], { env: { [name]: "x" } }),
      new RegExp(name),
    ]),
    ["an address elsewhere", { url: "http://evil.example:80/files#https://files.example/mcp" }, /evil\.example/],
    ["an address elsewhere, as login", { url: "http://127.0.0.1:4000@evil.example/files#https://a.example" }, /./],
  ])("%s is reported by its kind", async (_, entry, reason) => {
    space.write(entry);
    const found = await space.diagnose();
    expect(found.isGuarded).toBe(false);
    if ("command" in entry) expect(found.reason).toMatch(reason);
    // This entry contains only the launch, so it is not the pinned entry either.
    const status = await space.run(["status", "--mcp-config", "mcp.json", "--format", "json"], env);
    const isLock = /another lock|variable/.test(found.reason ?? "");
    expect(JSON.parse(status.stdout).notPinned, isLock ? "lock" : "launch").toMatchObject([{ reason: "other-launch" }]);
  });

  test.each<[string, Entry]>([
    ["an address next to it", launch([...GUARD, ...OWN], { httpUrl: "https://evil.example/mcp" })],
    ["a second program next to it", launch([...GUARD, ...OWN], { cmd: "evil" })],
    ["a second address", { url: "http://127.0.0.1:4000/files#https://a.example", httpUrl: "http://b.example" }],
  ])("%s cannot be read", async (_, entry) => {
    space.write(entry);
    const { code, stderr } = await space.run(["status", "--mcp-config", "mcp.json"], env);
    expect(stderr).toContain("expected one of them");
    expect(code).toBe(2);
  });

  test("words other than those that wrap writes are not recognized as the guard", async () => {
    const edits = fc.record({
      base: fc.constantFrom(GUARD, NPM),
      at: fc.nat(8),
      remove: fc.nat(2),
      add: fc.array(
        fc.oneof(
          fc.constantFrom(
            "guard",
            "--",
            "--lock",
            LOCK,
            "files",
            "npx",
            "-y",
            "agentprint@1.2.3",
            "--dry-run",
            node,
            main,
            "",
          ),
          fc.string({ maxLength: 5 }),
        ),
        { maxLength: 2 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(edits, async ({ base, at, remove, add }) => {
        const words = base.toSpliced(at, remove, ...add);
        space.write(launch([...words, ...OWN]));
        const server = words[4] ?? "";
        const isWritten =
          server !== "" &&
          !server.startsWith("-") &&
          [guardWords(server, LOCK), [...NPM.slice(0, 3), ...guardWords(server, LOCK).slice(-5)]].some(
            (form) => JSON.stringify(words.slice(0, form.length)) === JSON.stringify(form),
          );
        const run = await space.run(["doctor", "--mcp-config", "mcp.json", "--format", "json"], env);
        if (words[0] === "") return;
        expect(JSON.parse(run.stdout).servers).toMatchObject([{ isGuarded: isWritten }]);
      }),
      { numRuns: 150 },
    );
  });
});

test("wrap leaves an entry that it could not recognize afterwards, with a reason", async () => {
  space.write(launch(OWN, { env: { NODE_OPTIONS: "--max-old-space-size=99" } }));
  const before = readFileSync(space.path("mcp.json"), "utf8");
  const run = await space.run(["wrap", "--mcp-config", "mcp.json"], env);
  expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining("its variable NODE_OPTIONS determines") });
  space.write(launch([...guardWords("files", space.path("other.lock")), ...OWN]));
  expect((await space.run(["wrap", "--mcp-config", "mcp.json"], env)).stdout).toContain("uses another lock");
  writeFileSync(space.path("mcp.json"), before);
});
