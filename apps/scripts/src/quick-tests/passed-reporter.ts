import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule, TestRunEndReason } from "vitest/node";

/**
 * Writes the roots in which no test has failed into a file, one per line; writes none if an error belongs to no test. A
 * root also counts if files were skipped, because the hash under which its result is recorded covers what the machine
 * lacks.
 */
export class PassedReporter implements Reporter {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], reason: TestRunEndReason): void {
    if (errors.length > 0 || reason === "interrupted") return;
    const passed = new Set(modules.map(rootOf));
    for (const module of modules) {
      if (!["passed", "skipped"].includes(module.state())) passed.delete(rootOf(module));
    }
    writeFileSync(this.#file, [...passed].join("\n"));
  }
}

/** Returns the root of a module's project; a root may have several, such as `packages/canonical-json (portable)`. */
const rootOf = ({ project }: TestModule): string => project.name.replace(/ \(.*$/, "");
