import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { type Entry, launch, OWN, WrappedProject } from "../support/wrapped-project.ts";

const space = new WrappedProject();
const { env, lockFile: LOCK } = space;

beforeAll(async () => {
  await space.pinFiles();
  return () => space[Symbol.dispose]();
});

describe("a guard that wrap wrote", () => {
  beforeAll(async () => {
    space.write(launch(OWN));
    expect((await space.run(["wrap", "--mcp-config", "mcp.json"], env)).code).toBe(0);
    expect((await space.run(["check"], env)).code).toBe(0);
    return () => rmSync(space.path("state"), { recursive: true, force: true });
  });

  const edit = (change: (entry: { command: string; args: string[] }) => Entry): void => {
    const { files } = JSON.parse(space.read()).mcpServers;
    space.write(change(files));
  };

  test.each<[string, (entry: { command: string; args: string[] }) => Entry]>([
    ["was taken away", () => launch(OWN)],
    ["became another program", (entry) => ({ ...entry, command: "/tmp/evil" })],
    [
      "got another lock",
      ({ command, args }) => ({ command, args: args.map((each) => (each === LOCK ? "other.lock" : each)) }),
    ],
    [
      "got an option",
      ({ command, args }) => ({ command, args: args.toSpliced(args.indexOf("--lock"), 0, "--dry-run") }),
    ],
    ["got code for Node", (entry) => ({ ...entry, env: { NODE_OPTIONS: "--import=/tmp/evil.js" } })],
    ["became an address", () => ({ url: "https://evil.example/mcp" })],
  ])("and that %s is drift until it is put back or unwrapped", async (_, change) => {
    const written = space.read();
    edit(change);
    const check = await space.run(["check", "--format", "json"], env);
    const file = realpathSync(space.path("mcp.json"));
    expect(check.code).toBe(1);
    expect(JSON.parse(check.stdout).findings[0]).toMatchObject({
      rule: "client/guard-replaced",
      place: { subject: `files in ${file}` },
    });
    expect((await space.run(["check", "files"], env)).stdout).toContain("does not start the guard any more");
    expect(await space.diagnose()).toMatchObject({ isGuarded: false, isReplaced: true });
    // Wrapping another server does not remove this entry.
    await space.run(["wrap", "--mcp-config", "mcp.json", "--dry-run"], env);
    expect((await space.run(["check"], env)).code).toBe(1);
    writeFileSync(space.path("mcp.json"), written);
    expect((await space.run(["check"], env)).code).toBe(0);
  });

  test("and that cannot be read is never 'no drift'", async () => {
    const written = space.read();
    writeFileSync(space.path("mcp.json"), written.slice(0, -5));
    const check = await space.run(["check", "--format", "json"], env);
    expect(check.code).toBe(2);
    const [finding] = JSON.parse(check.stdout).findings;
    expect(finding).toMatchObject({ rule: "client/guard-replaced", couldNotTell: true });
    space.write({ args: [1] });
    expect((await space.run(["check"], env)).code).toBe(2);
    writeFileSync(space.path("mcp.json"), written);
  });

  test("is forgotten when its entry is removed, and when it is unwrapped", async () => {
    const written = space.read();
    writeFileSync(space.path("mcp.json"), "{}");
    expect((await space.run(["check"], env)).code).toBe(0);
    rmSync(space.path("mcp.json"));
    expect((await space.run(["check"], env)).code).toBe(0);
    writeFileSync(space.path("mcp.json"), written);
    expect((await space.run(["unwrap", "--mcp-config", "mcp.json"], env)).code).toBe(0);
    expect((await space.run(["check"], env)).code).toBe(0);
  });

  test("at the address of another machine counts as a guard where wrap put it", async () => {
    const there = { url: "https://files.example/mcp" };
    space.write(there, "there.json");
    const wrap = ["wrap", "--mcp-config", "there.json", "--http", "guard.internal:4000"];
    expect((await space.run(wrap, env)).code).toBe(0);
    expect(await space.diagnose("there.json")).toMatchObject({ isGuarded: true });
    const elsewhere = { ...env, XDG_STATE_HOME: space.path("another-state") };
    const run = await space.run(["doctor", "--mcp-config", "there.json", "--format", "json"], elsewhere);
    expect(JSON.parse(run.stdout).servers).toMatchObject([
      { isGuarded: false, reason: "its address leads to guard.internal:4000, where agentprint wrap put no guard" },
    ]);
  });
});

test("a lock that is created after wrap in a folder behind a link is used", async () => {
  mkdirSync(space.path("real"));
  symlinkSync(space.path("real"), space.path("linked"));
  space.write(launch(OWN), "linked/mcp.json");
  const lock = space.path("linked/agentprint.lock");
  const wrapped = await space.run(["wrap", "--mcp-config", "linked/mcp.json", "--lock", lock], env);
  expect(wrapped.code).toBe(0);
  writeFileSync(lock, readFileSync(LOCK));
  const doctor = ["doctor", "--mcp-config", "linked/mcp.json", "--lock", lock];
  expect((await space.run(doctor, env)).code).toBe(0);
  space.write(launch(OWN), "linked/mcp.json");
  expect((await space.run([...doctor, "--format", "json"], env)).stdout).toContain('"isReplaced":true');
  expect((await space.run(["check", "--lock", lock], env)).code).toBe(1);
});
