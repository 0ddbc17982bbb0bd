import type { JsonChange } from "@agentprint/canonical-json";
import { CliError } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";

/** The error for a server that is not started, because its launch resolves to other bytes than those that were pinned. */
export class ArtifactsChangedError extends CliError {
  readonly artifacts: readonly JsonChange[];

  constructor(name: string, artifacts: readonly JsonChange[]) {
    super("launch-changed", `the launch of ${name} resolves to other bytes than those that were pinned`, {
      where: artifacts
        .map(({ pointer, before, after }) => `${name}, launch at ${pointer}: ${before} → ${after}`)
        .join("\n"),
      expected: "the bytes whose integrity is in the lock",
      fix: `look who replaced them; if they are meant, run ${commandLine(["agentprint", "approve", name])}`,
    });
    this.artifacts = artifacts;
  }
}
