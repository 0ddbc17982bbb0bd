import { writeFileSync } from "node:fs";
import { hostile } from "./hostile.ts";
import { Workspace } from "./workspace.ts";

/** The environments in which the servers `a`, `b` and `c` of {@link DriftingServers} have these texts. */
export const before: Readonly<Record<string, string>> = { HOSTILE_TEXT: "before" };
export const after: Readonly<Record<string, string>> = { HOSTILE_TEXT: "after" };

/**
 * The lock of servers `a`, `b` and `c`, whose texts come from their environment, and of `steady`, whose texts never
 * change.
 */
let pinned: string | undefined;

async function pinServers(): Promise<string> {
  using first = new Workspace();
  const drifting = ["--env", "HOSTILE_TEXT", "--", ...hostile("terminal-escapes")];
  const steady = ["--", ...hostile("many-tools"), "1"];
  for (const [name, args] of Object.entries({ a: drifting, b: drifting, c: drifting, steady })) {
    const { code, stderr } = await first.run(["pin", "--name", name, ...args], before);
    if (code !== 0) throw new Error(stderr);
  }
  return first.lockText();
}

/** A workspace with four pinned servers; they are pinned once per test file. */
export class DriftingServers extends Workspace {
  readonly pinned: string;

  private constructor(lockText: string) {
    super();
    this.pinned = lockText;
    this.restore();
  }

  static async create(): Promise<DriftingServers> {
    pinned ??= await pinServers();
    return new DriftingServers(pinned);
  }

  /** Restores the original lock. */
  restore(): void {
    writeFileSync(this.path("agentprint.lock"), this.pinned);
  }

  /** Returns the names of the servers whose entries differ from those pinned first. */
  changed(): string[] {
    const digests = new Map(this.lock().servers.map(({ name, digest }) => [name, digest]));
    const { servers } = JSON.parse(this.pinned) as { servers: { name: string; digest: string }[] };
    return servers.filter(({ name, digest }) => digests.get(name) !== digest).map(({ name }) => name);
  }

  /** Writes a client's configuration, `mcp.json`. */
  configure(mcpServers: Readonly<Record<string, unknown>>): void {
    writeFileSync(this.path("mcp.json"), JSON.stringify({ mcpServers }));
  }
}
