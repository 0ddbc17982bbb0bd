import { resolve } from "node:path";
import { readArtifacts } from "@agentprint/artifacts";
import type { FoundArtifact, Launch } from "@agentprint/launch";
import { inheritedEnvironment, type StdioTarget } from "@agentprint/mcp-visit";
import type { Context } from "../run/context.ts";

/** The artifacts that a target would run on this machine now, before it is started. */
export function readFound(
  { pathOf, signal }: Context,
  { command, args, cwd, env }: StdioTarget,
): Promise<FoundArtifact[]> {
  const launch: Launch = { type: "stdio", command, args: [...args], env: Object.keys(env) };
  const folder = resolve(cwd ?? pathOf("."));
  const surroundings = { cwd: folder, env: { ...inheritedEnvironment(), ...env }, ...(signal && { signal }) };
  return readArtifacts(launch, surroundings);
}
