import { createHash } from "node:crypto";
import { access, constants, open, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { LockedFile } from "@agentprint/mcp-lock";
import { type LaunchedFile, launchedFiles } from "@agentprint/mcp-lock/launch";
import type { StdioTarget } from "@agentprint/mcp-visit";
import { readChunks } from "../read-chunks.ts";
import { programCandidates } from "./program-candidates.ts";

/**
 * The digests of the local scripts and programs that a launch names, of their bytes as they are now. A name that leads to no
 * regular file has none: the server does not start either.
 */
export async function digestFiles(target: Omit<StdioTarget, "launch">): Promise<LockedFile[]> {
  const { command, args } = target;
  const files = launchedFiles({ type: "stdio", command, args: [...args], env: [] });
  const digests = files.map(async (file): Promise<LockedFile[]> => {
    const path = file.kind === "program" ? await findProgram(file.path, target) : await findScript(file, target);
    return path === undefined ? [] : [{ pointer: file.pointer, digest: await digestOf(path) }];
  });
  return (await Promise.all(digests)).flat();
}

type Place = Pick<StdioTarget, "cwd" | "env">;

async function findProgram(name: string, { cwd = ".", env }: Place): Promise<string | undefined> {
  const path = env["PATH"] ?? process.env["PATH"] ?? "";
  const search = { cwd: resolve(cwd), path, endings: env["PATHEXT"] ?? process.env["PATHEXT"] };
  for (const file of programCandidates(name, search, process.platform)) {
    if ((await isFile(file)) && (await canRun(file))) return file;
  }
  return undefined;
}

async function findScript({ path, folder = "." }: LaunchedFile, { cwd = "." }: Place): Promise<string | undefined> {
  const whole = resolve(cwd, folder, path);
  if (await isFile(whole)) return whole;
  try {
    // Node.js takes `server` for `server.js`, and a folder for the `index.js` in it.
    return createRequire(join(whole, "..", "script.js")).resolve(whole);
  } catch {
    return undefined;
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function canRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  const file = await open(path);
  try {
    for await (const chunk of readChunks(file)) hash.update(chunk);
  } finally {
    await file.close();
  }
  return hash.digest("hex");
}
