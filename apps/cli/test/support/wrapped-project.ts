import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { hostile } from "./hostile.ts";
import { Workspace } from "./workspace.ts";

/** The command of the server. */
export const OWN: readonly string[] = hostile("terminal-escapes");

/** A server's entry in a configuration. */
export interface Entry {
  readonly [member: string]: unknown;
}

/** Returns an entry that starts a command. */
export function launch([command, ...args]: readonly string[], more: Entry = {}): Entry {
  return { command, args, ...more };
}

/** A project with a pinned server named `files`, and configurations with only this server. */
export class WrappedProject extends Workspace {
  readonly env: Readonly<Record<string, string>> = { XDG_STATE_HOME: this.path("state"), HOME: this.path("home") };
  readonly lockFile: string = this.path("agentprint.lock");

  async pinFiles(): Promise<void> {
    expect((await this.run(["pin", "--name", "files", "--", ...OWN], this.env)).code).toBe(0);
  }

  write(entry: Entry, file = "mcp.json"): void {
    writeFileSync(this.path(file), JSON.stringify({ mcpServers: { files: entry } }, null, 2));
  }

  read(file = "mcp.json"): string {
    return readFileSync(this.path(file), "utf8");
  }

  /** Returns `doctor`'s diagnosis of the one server in a configuration. */
  async diagnose(file = "mcp.json"): Promise<{ isGuarded: boolean; reason?: string; isReplaced: boolean }> {
    const run = await this.run(["doctor", "--mcp-config", file, "--format", "json"], this.env);
    const [server] = JSON.parse(run.stdout).servers;
    expect(run.code).toBe(server.isGuarded && server.otherLaunch === undefined ? 0 : 1);
    return server;
  }
}
