import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { type InstallableLaunch, type Launch, readInstallable } from "@agentprint/launch";
import { runProgram } from "@agentprint/testing/programs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cleanStore } from "../src/index.ts";
import { nameOf } from "../src/install/prepare-launch.ts";
import { nameOfPython } from "../src/install/prepare-python.ts";

let store: string;
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), "agentprint-clean-"));
});
afterEach(() => rmSync(store, { recursive: true }));

const artifact = { pointer: "/args/1", kind: "npm", name: "a", version: "1.0.0", integrity: "sha512-a" } as const;
const npx: Launch = { type: "stdio", command: "npx", args: ["-y", "a@1.0.0"], env: [] };
const names = (): string[] => readdirSync(store).filter((name) => name !== "in-use");
const host = hostname().replace(/[^\w-]/g, "_");
/** Returns the ID of a process that has ended. */
const ended = (): number => runProgram(process.execPath, ["-e", ""]).pid;
function make(name: string): string {
  mkdirSync(join(store, name, "node_modules"), { recursive: true });
  return name;
}
function lease(name: string, owner: string): void {
  mkdirSync(join(store, "in-use"), { recursive: true });
  writeFileSync(join(store, "in-use", `${name}.${owner}`), "");
}

test("folders that no lock names are removed, and those of a lock stay", async () => {
  const named = make(nameOf([artifact]));
  const built = make(nameOf([{ ...artifact, scripts: ["a"] }]));
  const other = make("a".repeat(40));
  const locked = [{ ...artifact, scripts: ["a"] }, artifact].map((each) => ({ launch: npx, artifacts: [each] }));
  expect(await cleanStore(store, locked)).toEqual([{ folder: join(store, other), state: "removed" }]);
  expect(names()).toEqual([named, built].sort());
  expect(await cleanStore(store, locked.slice(1))).toEqual([{ folder: join(store, built), state: "removed" }]);
});

test("a Python environment stays while a lock has its launch", async () => {
  const files = { "a-1.0.0-py3-none-any.whl": `sha256:${"a".repeat(64)}` };
  const artifacts = [{ pointer: "/args/0", kind: "pypi", name: "a", version: "1.0.0", files } as const];
  const launches = ["a==1.0.0", "a[more]==1.0.0"].map((word): Launch => ({ ...npx, command: "uvx", args: [word] }));
  const [named, other] = launches.map((launch) =>
    make(nameOfPython(readInstallable(launch) as InstallableLaunch, artifacts)),
  ) as [string, string];
  const cleaned = await cleanStore(store, [{ launch: launches[0] as Launch, artifacts }]);
  expect(cleaned).toEqual([{ folder: join(store, other), state: "removed" }]);
  expect(names()).toEqual([named]);
});

test("a folder in use stays until its process ends, and one in use on another machine always stays", async () => {
  const [mine, theirs, past] = ["a", "b", "c"].map((each) => make(each.repeat(40))) as [string, string, string];
  lease(mine, `${host}.${process.pid}`);
  lease(theirs, `elsewhere.${ended()}`);
  lease(past, `${host}.${ended()}`);
  const states = (await cleanStore(store, [])).map(({ state }) => state);
  expect(states).toEqual(["in use", "in use", "removed"]);
  expect(names()).toEqual([mine, theirs]);
});

test("leftovers of an ended installation are removed, and files of a running one stay", async () => {
  make(`unfinished-${host}.${ended()}-AbC123`);
  const running = [`unfinished-${host}.${process.pid}-AbC123`, "unfinished-abc"].map(make);
  const cleaned = await cleanStore(store, []);
  expect(cleaned.map(({ state }) => state).sort()).toEqual(["in use", "in use", "removed"]);
  expect(names()).toEqual(running.sort());
});

test("foreign files, links and folders stay", async () => {
  writeFileSync(join(store, "b".repeat(40)), "a file");
  symlinkSync(tmpdir(), join(store, "c".repeat(40)));
  make("notes");
  make("A".repeat(40));
  const before = names();
  expect(await cleanStore(store, [])).toEqual([]);
  expect(names()).toEqual(before);
  expect(await cleanStore(join(store, "gone"), [])).toEqual([]);
});
