import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { VisitSettings } from "@agentprint/policy/settings";
import { afterEach, beforeEach } from "vitest";
import type { RunResult } from "./run-cli.ts";
import { Workspace } from "./workspace.ts";

/** A project and its user's home folder, both new for each test. */
export interface ProjectAndHome {
  workspace: Workspace;
  home: Workspace;
  /** Writes a project file: a string as it is, or another value as JSON. */
  readonly write: (file: string, value: unknown) => void;
  /** Runs a command in the project as its user. */
  readonly run: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<RunResult>;
}

/**
 * Creates a project and a home folder before each test in the file, and removes them after it.
 *
 * @param visits Visit settings for the project
 */
export function projectAndHome(visits?: VisitSettings): ProjectAndHome {
  const world = {
    write: (file: string, value: unknown): void => {
      mkdirSync(dirname(world.workspace.path(file)), { recursive: true });
      writeFileSync(
        world.workspace.path(file),
        typeof value === "string" ? value : JSON.stringify(value, undefined, 2),
      );
    },
    run: (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<RunResult> => {
      const { folder } = world.home;
      const surroundings = { HOME: folder, USERPROFILE: folder, XDG_CONFIG_HOME: "", CODEX_HOME: "" };
      return world.workspace.run([...args], { ...surroundings, ...env });
    },
  } as ProjectAndHome;
  beforeEach(() => {
    world.workspace = new Workspace(visits);
    world.home = new Workspace();
  });
  afterEach(() => {
    for (const each of [world.workspace, world.home]) each[Symbol.dispose]();
  });
  return world;
}
