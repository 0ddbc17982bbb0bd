import { fileURLToPath } from "node:url";
import { outputOf } from "@agentprint/testing/programs";

/** Runs one of the tests' programs in its own process and returns the JSON that it prints. */
export function runnerOf(program: URL): (...args: string[]) => Record<string, unknown> {
  const flags = ["--conditions=@agentprint/source", "--disable-warning=ExperimentalWarning", fileURLToPath(program)];
  return (...args) => JSON.parse(outputOf(process.execPath, [...flags, ...args]));
}
