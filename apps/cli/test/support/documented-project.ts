import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CLIENTS } from "@agentprint/client-configs";
import { expect } from "vitest";
import { type FoundServer, findServers } from "../../src/clients/find-servers.ts";
import type { DocumentedConfig } from "./documented-configs.ts";
import { memoryContext, type RunResult, runCli } from "./run-cli.ts";
import { Workspace } from "./workspace.ts";

const VALUES = { CHARTS_KEY: "ck", TIDES_KEY: "tk", BOAT: "boat", AGENTPRINT_INPUT_TIDES_KEY: "asked" };

/** A project and a home folder with a configuration's files. */
export class DocumentedProject extends Workspace {
  readonly project: string = this.path("project");
  readonly file: string;
  readonly text: string;
  readonly env: Readonly<Record<string, string>> = {
    HOME: this.path("home"),
    XDG_CONFIG_HOME: "",
    XDG_STATE_HOME: this.path("state"),
    CODEX_HOME: "",
    COPILOT_HOME: "",
    ...VALUES,
  };

  constructor({ path, text, beside = {} }: DocumentedConfig, lineBreak: "\n" | "\r\n" = "\n") {
    super();
    this.text = text.replace("{project}", this.project).replaceAll("\n", lineBreak);
    this.file = path.startsWith("~/") ? join(this.path("home"), path.slice(2)) : join(this.project, path);
    const files = Object.entries(beside).map(([name, text]) => [join(this.project, name), text] as const);
    for (const [file, text] of [...files, [this.file, this.text] as const]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    mkdirSync(this.project, { recursive: true });
  }

  /** Returns the servers that clients start, with or without the servers that are switched off. */
  async find(includeOff: boolean): Promise<readonly FoundServer[]> {
    const context = memoryContext([], { cwd: this.project, env: this.env });
    const { servers, problems } = await findServers(context, "linux", {
      clients: CLIENTS,
      scopes: ["project", "user"],
      files: [],
      recognize: () => undefined,
      includeOff,
      startedBy: [],
    });
    expect(problems).toEqual([]);
    return servers;
  }

  start(...args: string[]): Promise<RunResult> {
    return runCli(args, { cwd: this.project, env: this.env });
  }

  /** Returns the servers that `doctor` finds behind the guard. */
  async guarded(): Promise<string[]> {
    const { stdout } = await this.start("doctor", "--format", "json");
    const { servers } = JSON.parse(stdout) as { servers: { server: string; isGuarded: boolean }[] };
    return servers.flatMap(({ server, isGuarded }) => (isGuarded ? [server] : [])).sort();
  }
}
