import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { agentprint, run } from "../guard-cost/programs.ts";
import { HostileHttp } from "./hostile-http.ts";

export const SERVER: string = fileURLToPath(new URL("stdio-server.mjs", import.meta.url));
const META = "io.modelcontextprotocol/";
const JSON_TYPES = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** A folder with a lock of three servers: `honest` and `hostile`, which are started, and `remote`, which is reached over HTTP. */
export class World implements AsyncDisposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "agentprint-attacks-"));
  readonly remote: HostileHttp = new HostileHttp();
  readonly #guards: ChildProcess[] = [];
  #ids = 0;

  static async open(): Promise<World> {
    const world = new World();
    process.env["XDG_STATE_HOME"] = world.path("state");
    const url = await world.remote.listen();
    for (const name of ["honest", "hostile"]) world.pin(name, "--", process.execPath, SERVER, name);
    // The command runs asynchronously, because the server is in this process.
    await world.command("pin", "--name", "remote", "--url", url);
    return world;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  pin(name: string, ...launch: string[]): void {
    run(this.folder, agentprint("pin", "--name", name, ...launch));
  }

  /** Runs a command of agentprint to its end; rejects if its exit code is not one of these. */
  async command(...args: string[]): Promise<string> {
    const { code, text } = await this.ended(...args);
    if (code !== 0) throw new Error(`agentprint ${args[0]}: exit code ${code}\n${text}`);
    return text;
  }

  async ended(...args: string[]): Promise<{ readonly code: number | null; readonly text: string }> {
    const [program = "", ...rest] = agentprint(...args);
    const child = spawn(program, rest, { cwd: this.folder });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => said.push(text));
    }
    const [code] = (await once(child, "close")) as [number | null];
    return { code, text: said.join("") };
  }

  /** Selects the attack that the server `hostile` makes from its next start on. */
  set mode(mode: string) {
    writeFileSync(this.path("mode.txt"), mode);
  }

  /** Starts a guard for the three servers over HTTP. */
  async guard(...more: string[]): Promise<GuardUnderAttack> {
    const [program = "", ...args] = agentprint(
      "guard",
      "--http",
      "127.0.0.1:0",
      "honest",
      "hostile",
      "remote",
      ...more,
    );
    const child = spawn(program, args, { cwd: this.folder, stdio: ["ignore", "ignore", "pipe"] });
    this.#guards.push(child);
    let said = "";
    const url = await new Promise<string>((resolve, reject) => {
      child.once("exit", () => reject(new Error(said)));
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        said = (said + text).slice(-100_000);
        const [found] = /http:\/\/127[^/]+/.exec(said) ?? [];
        if (found) resolve(found);
      });
    });
    return new GuardUnderAttack(child, url, () => ++this.#ids);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const guard of this.#guards) {
      if (guard.exitCode !== null || guard.signalCode !== null) continue;
      const ended = once(guard, "exit");
      guard.kill("SIGKILL");
      await ended;
    }
    this.remote[Symbol.dispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The client that asks. */
export interface Client {
  readonly headers?: Readonly<Record<string, string>>;
  readonly meta?: object;
  readonly signal?: AbortSignal;
}

/** A running guard, and functions that send it its clients' requests. */
export class GuardUnderAttack {
  readonly child: ChildProcess;
  readonly url: string;
  readonly #nextId: () => number;

  constructor(child: ChildProcess, url: string, nextId: () => number) {
    this.child = child;
    this.url = url;
    this.#nextId = nextId;
  }

  /** Sends a request in the new era. */
  ask(server: string, method: string, params: object = {}, { headers, meta, signal }: Client = {}): Promise<Response> {
    const id = this.#nextId();
    const _meta = {
      [`${META}protocolVersion`]: "2026-07-28",
      [`${META}clientInfo`]: { name: "attacker", version: "1" },
      [`${META}clientCapabilities`]: {},
      progressToken: id,
      ...meta,
    };
    const name = "name" in params ? { "mcp-name": String(params.name) } : {};
    const modern = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...name };
    return fetch(`${this.url}/${server}`, {
      method: "POST",
      headers: { ...JSON_TYPES, ...modern, ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } }),
      ...(signal && { signal }),
    });
  }

  /** Calls a tool in the new era, and returns the complete text of the response. */
  async call(server: string, name: string, client?: Client): Promise<string> {
    return (await this.ask(server, "tools/call", { name, arguments: {} }, client)).text();
  }

  /** Sends a message in the old era. */
  post(server: string, message: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(`${this.url}/${server}`, {
      method: "POST",
      headers: { ...JSON_TYPES, ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  }

  /** Begins a session in the old era. */
  async initialize(server: string, name = "attacker"): Promise<Response> {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name, version: "1" } };
    return this.post(server, { id: 0, method: "initialize", params });
  }

  /** Returns the guard's peak memory, in MiB. */
  get peak(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, "utf8");
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? [];
    return Number(kilobytes) / 1024;
  }
}

/** Resolves when the condition holds; rejects if it does not hold within the given number of seconds. */
export async function until(isSo: () => boolean | Promise<boolean>, about: string, seconds = 60): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not within ${seconds} s: ${about}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
