import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { outputOf, startProgram } from "@agentprint/testing/programs";
import { InstalledUv, WheelIndex } from "@agentprint/testing/python-index/wheel-index";
import { FROM_SOURCE } from "@agentprint/testing/service-process";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { cleanStore, type PreparedLaunch, prepareLaunch } from "../../src/index.ts";

const PROGRAM = fileURLToPath(new URL("../prepare-in-process.ts", import.meta.url));

let uv: InstalledUv;
beforeAll(() => {
  uv = new InstalledUv();
});
afterAll(() => uv[Symbol.dispose]());

let folder: string;
let index: WheelIndex;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "agentprint-in-use-"));
  for (const name of ["project", "store", "home"]) mkdirSync(join(folder, name));
  index = await WheelIndex.start();
  // A server imports some modules only when it needs them.
  const one =
    "import sys\ndef main():\n  print('started', flush=True)\n  sys.stdin.readline()\n  import late\n  print(late.NOTE)\n";
  index.publish({
    name: "one",
    version: "1.0.0",
    programs: { one: "one:main" },
    requires: ["late"],
    files: { "one.py": one },
  });
  index.publish({ name: "late", version: "1.0.0", files: { "late.py": 'NOTE = "imported late"\n' } });
});
afterEach(async () => {
  await index[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

test("an environment in which another process runs a server is neither removed nor rebuilt", async () => {
  const store = join(folder, "store");
  const env = { PATH: `${uv.bin}:${process.env["PATH"]}`, HOME: join(folder, "home") };
  const [command, ...args] = ["uvx", "--index-url", index.url, "one==1.0.0"] as const;
  const cwd = join(folder, "project");
  const prepare = (more = {}): Promise<PreparedLaunch> =>
    prepareLaunch({ type: "stdio", command, args, env: [] }, { cwd, env }, { store, ...more });
  const { artifacts: locked } = await prepare();

  const given = JSON.stringify({ words: [command, ...args], store, cwd, locked });
  const other = await startProgram(process.execPath, [...FROM_SOURCE, PROGRAM, given], { env, stdio: "pipe" });
  other.stderr.resume();
  const [text] = await once(other.stdout.setEncoding("utf8"), "data");
  const { installed }: PreparedLaunch = JSON.parse(text);
  const { command: program = "", args: words = [] } = installed ?? {};
  const server = await startProgram(program, words, { env: { ...env, ...installed?.env }, stdio: "pipe" });
  server.stderr.resume();
  const says = async (): Promise<string> => (await once(server.stdout.setEncoding("utf8"), "data"))[0];
  expect(await says()).toBe("started\n");

  // The machine's interpreter is replaced.
  const [name = ""] = readdirSync(store).filter((each) => each !== "in-use");
  const python = join(store, name, "environment/bin/python");
  rmSync(python);
  symlinkSync("/nowhere/python", python);
  const again = await prepare({ locked });
  expect(again.installed?.command).not.toBe(program);
  expect(outputOf(again.installed?.command ?? "", [], { cwd, input: "\n", env })).toBe("started\nimported late\n");
  expect(await cleanStore(store, [])).toContainEqual({ folder: join(store, name), state: "in use" });
  const said = says();
  server.stdin.end("\n");
  expect(await said).toBe("imported late\n");

  const ended = once(other, "exit");
  other.stdin.end();
  await ended;
  expect((await prepare({ locked })).installed?.command).toBe(program);
  expect(existsSync(program)).toBe(true);
});
