import { createHash } from "node:crypto";
import { appendFileSync, chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { formatLock, sealServer } from "@agentprint/mcp-lock";
import { expect, test } from "vitest";
import { digestFiles } from "../../src/launch/digest-files.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { Workspace } from "../support/workspace.ts";

const HOSTILE = dirname(fileURLToPath(new URL("../hostile/protocol.mjs", import.meta.url)));
const ARGS = ["--no-warnings", "server.mjs"];
const PIN = ["pin", "--name", "files", "--", process.execPath, ...ARGS];

/** Creates a folder with a server that consists of two local files. */
function workspace(): Workspace {
  const space = new Workspace(ONE_ERA);
  for (const [file, name] of [
    ["server.mjs", "terminal-escapes.mjs"],
    ["protocol.mjs", "protocol.mjs"],
  ] as const) {
    copyFileSync(`${HOSTILE}/${name}`, space.path(file));
  }
  return space;
}

test("a changed script is drift, by a separate rule, until it is approved", async () => {
  using space = workspace();
  expect((await space.run(PIN)).code).toBe(0);
  const [before] = space.lock().servers;
  expect(before).toMatchObject({ files: [{ pointer: "/args/1" }] });
  expect((await space.run(["check"])).code).toBe(0);

  appendFileSync(space.path("server.mjs"), "// the same answers\n");
  const checked = await space.run(["check"]);
  expect(checked.code).toBe(1);
  expect(checked.stdout).toContain("script or program that the launch names changed at /args/1");
  expect((await space.run(["approve", "files", "--yes"])).code).toBe(0);
  expect((await space.run(["check"])).code).toBe(0);
});

test("a lock without digests of files is a notice, and approve writes them", async () => {
  using space = workspace();
  expect((await space.run(PIN)).code).toBe(0);
  const [entry] = space.lock().servers;
  if (entry === undefined) throw new Error("nothing was pinned");
  const { files, toolsDigest: _tools, digest: _digest, setHashes: _sets, ...without } = entry;
  const old = formatLock({ lockVersion: 2, servers: [sealServer(without)] });

  writeFileSync(space.path("agentprint.lock"), old);
  const checked = await space.run(["check"]);
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining("has no digest in the lock at /args/1") });
  expect((await space.run(["approve", "files", "--yes"])).code).toBe(0);
  expect(space.lock().servers).toMatchObject([{ files }]);

  writeFileSync(space.path("agentprint.lock"), old);
  expect((await space.run(PIN)).code).toBe(0);
  expect(space.lock().servers).toMatchObject([{ files }]);
});

test("files are found as the program finds them", async () => {
  using space = workspace();
  mkdirSync(space.path("folder"));
  writeFileSync(space.path("folder/index.js"), "");
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const target = (command: string, ...args: string[]) =>
    ({ type: "stdio", command, args, cwd: space.folder, env: {} }) as const;
  expect(await digestFiles(target("node", "folder"))).toEqual([{ pointer: "/args/0", digest: empty }]);
  expect(await digestFiles(target("node", "folder/index"))).toEqual([{ pointer: "/args/0", digest: empty }]);
  expect(await digestFiles(target("node", "nothing.js"))).toEqual([]);
  expect(await digestFiles(target("./nothing"))).toEqual([]);
  expect(await digestFiles(target("tar"))).toMatchObject([{ pointer: "/command" }]);
  expect(await digestFiles({ ...target("tar"), env: { PATH: space.folder } })).toEqual([]);
});

test("a path that reaches another file another way, and an interpreter under another name, have no digest", async () => {
  using space = workspace();
  mkdirSync(space.path("far/inner"), { recursive: true });
  mkdirSync(space.path("near"));
  symlinkSync("far/inner", space.path("link"));
  symlinkSync("near", space.path("other"));
  symlinkSync(process.execPath, space.path("run"));
  symlinkSync("server.mjs", space.path("tool"));
  const text = (name: string) => `#!/usr/bin/env node\n// ${name}\n`;
  for (const folder of [".", "far"]) writeFileSync(space.path(`${folder}/s.js`), text(folder), { mode: 0o755 });
  chmodSync(space.path("server.mjs"), 0o755);
  const near = createHash("sha256").update(text(".")).digest("hex");
  const far = createHash("sha256").update(text("far")).digest("hex");
  const digestsOf = async (cwd: string, command: string, ...args: string[]) => {
    const files = await digestFiles({ command, args, cwd: space.path(cwd), env: {} });
    return files.map(({ digest }) => digest);
  };

  // `..` after a link: the link's parent folder, or its target's.
  expect(await digestsOf(".", "python3", "link/../s.js")).toEqual([]);
  expect(await digestsOf(".", "link/../s.js")).toEqual([]);
  expect(await digestsOf(".", "sh", "-c", "cd link && cd .. && node s.js")).toEqual([]);
  expect(await digestsOf(".", "node", "--import", "./link/../s.js", "s.js")).toEqual([near]);
  expect(await digestsOf(".", "node", "gone/../s.js")).toEqual([]);
  // All paths lead to the same file.
  expect(await digestsOf(".", "python3", "near/../s.js")).toEqual([near]);
  expect(await digestsOf(".", "python3", "other/../s.js")).toEqual([near]);
  expect(await digestsOf("near", "node", "../s.js")).toEqual([near]);
  expect(await digestsOf(".", "env", "-C", "link", "node", "../s.js")).toEqual([far]);
  expect(await digestsOf("link", "node", "../s.js")).toEqual([far]);

  expect(await digestsOf(".", "./run", "s")).toEqual([]);
  expect(await digestsOf(".", "./tool")).toHaveLength(1);
});
