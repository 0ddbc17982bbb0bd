import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createGuard } from "@agentprint/guard";
import { formatLock, type LockedServer, type LockFile } from "@agentprint/mcp-lock";
import { loadLock } from "../../src/guard/load-lock.ts";
import { memoryContext } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

/**
 * A server of both eras with two tools. The second tool's description is the text of the file named by the server's
 * argument.
 */
const SERVER = `
import { createInterface } from "node:readline";
import { appendFileSync, readFileSync } from "node:fs";
const name = process.argv[2];
appendFileSync(name + ".pids", process.pid + "\\n");
const about = { resultType: "complete", _meta: { "io.modelcontextprotocol/serverInfo": { name, version: "1" } } };
const tool = (name, description) => ({ name, description, inputSchema: { type: "object" } });
const tools = [tool("one", "The first"), tool("two", readFileSync(name + ".txt", "utf8"))];
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  const isModern = params._meta?.["io.modelcontextprotocol/protocolVersion"] !== undefined;
  const send = (result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { ...(isModern && about), ...result } }));
  const kept = isModern ? { ttlMs: 0, cacheScope: "private" } : {};
  if (method === "server/discover") return send({ supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, ...kept });
  if (method === "initialize") return send({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name, version: "1" } });
  if (method === "tools/list") return send({ tools, ...kept });
  if (method === "tools/call") return send({ content: [{ type: "text", text: "called " + process.pid }] });
  console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } }));
});
`;

export const NAMES = ["a", "b", "c"] as const;
export const TOOLS = ["one", "two"] as const;
const THEN = "The second";

/** A way to edit a file. */
export type Edit =
  | { readonly does: "write"; readonly text: string }
  | { readonly does: "break" | "truncate" | "delete" | "folder" | "loop" };

/** A guard's decisions. */
export interface Decided {
  /** The decisions by server and tool. */
  readonly calls: Readonly<Record<string, string>>;
  /** Servers that have no entry. */
  readonly absent: readonly string[];
}

/** A folder with three servers, and both lock entries of each, before and after a change. */
export class ModelWorkspace extends Workspace {
  #count = 0;
  entries: Readonly<Record<string, readonly [now: LockedServer, before: LockedServer]>> = {};

  /** Pins the servers twice, first with a different description of their second tools. */
  async pinAll(): Promise<void> {
    writeFileSync(this.path("server.mjs"), SERVER);
    const locks: LockFile[] = [];
    for (const description of [THEN, "Another second"]) {
      for (const name of NAMES) {
        writeFileSync(this.path(`${name}.txt`), description);
        const { code, stderr } = await this.run(["pin", "--name", name, "--", process.execPath, "server.mjs", name]);
        if (code !== 0) throw new Error(stderr);
      }
      locks.push(this.lock());
      rmSync(this.path("agentprint.lock"));
    }
    const [now, before] = locks as [LockFile, LockFile];
    const of = ({ servers }: LockFile, name: string) => servers.find((entry) => entry.name === name) as LockedServer;
    this.entries = Object.fromEntries(NAMES.map((name) => [name, [of(now, name), of(before, name)]]));
    for (const name of NAMES) {
      writeFileSync(this.path(`${name}.txt`), THEN);
      rmSync(this.path(`${name}.pids`));
    }
    this.edit("agentprint.lock", { does: "write", text: this.lockWith({ a: 0, b: 0, c: 0 }) });
  }

  /** Returns a lock with these entries: as the server is now (0), as it was before (1), or without the server. */
  lockWith(variants: Readonly<Partial<Record<string, 0 | 1>>>): string {
    const servers = NAMES.flatMap((name) => {
      const variant = variants[name];
      return variant === undefined ? [] : [this.entries[name]?.[variant] as LockedServer];
    });
    return formatLock({ lockVersion: 2, servers });
  }

  edit(file: string, edit: Edit): void {
    const path = this.path(file);
    const text = existsSync(path) && edit.does === "truncate" ? this.#textOf(path) : "";
    const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
    // Every second text is written into the existing file; the others replace it.
    if (edit.does !== "write" || !isFile || this.#count++ % 2 === 0) rmSync(path, { recursive: true, force: true });
    if (edit.does === "write") writeFileSync(path, edit.text);
    else if (edit.does === "break") writeFileSync(path, `{ "broken": ${++this.#count}`);
    else if (edit.does === "truncate") writeFileSync(path, text.slice(0, Math.floor(text.length / 2)));
    else if (edit.does === "folder") mkdirSync(path);
    else if (edit.does === "loop") symlinkSync(file, path);
  }

  #textOf(path: string): string {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return "";
    }
  }

  /** Returns a new guard's decisions for these files, or `undefined` if it cannot read them. */
  async decide(): Promise<Decided | undefined> {
    const loaded = await loadLock(memoryContext([], { cwd: this.folder }), { lock: "agentprint.lock" }).catch(
      () => undefined,
    );
    if (loaded === undefined) return undefined;
    const { lock, policy } = loaded;
    const absent = NAMES.filter((name) => !lock.servers.some((entry) => entry.name === name));
    const calls = Object.fromEntries(
      NAMES.flatMap((server) =>
        TOOLS.map((tool): [string, "called" | "refused"] => {
          if (absent.includes(server)) return [`${server} ${tool}`, "refused"];
          const guard = createGuard({ lock, server, policy });
          const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: {} } };
          const [listing] = guard.fromClient(JSON.stringify(call)).toServer;
          const { id } = JSON.parse(String(listing?.message)) as { id: string };
          const tools = this.entries[server]?.[0].tools.map(({ definition }) => definition);
          const step = guard.fromServer(JSON.stringify({ jsonrpc: "2.0", id, result: { tools } }));
          return [`${server} ${tool}`, step.toServer.length > 0 ? "called" : "refused"];
        }),
      ),
    );
    return { calls, absent };
  }
}
