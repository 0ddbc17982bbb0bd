import { fileURLToPath } from "node:url";
import { outputOf } from "@agentprint/testing/programs";
import { describe, expect, test } from "vitest";

const program = fileURLToPath(new URL("purity/import-trapped.ts", import.meta.url));

function importTrapped(specifier: string): { violations: string[]; exports: string[] } {
  const subject = new URL(specifier, import.meta.url).href;
  const args = ["--conditions=@agentprint/source", program, subject];
  return JSON.parse(outputOf(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] }));
}

describe("purity §1", () => {
  test("touches no I/O, environment, clock or randomness when it is imported", () => {
    const { violations, exports } = importTrapped("../src/index.ts");
    expect(exports).toContain("computeHash");
    expect(violations).toEqual([]);
  });

  test("would have caught a module that does", () => {
    const { violations } = importTrapped("purity/packages/trail/src/impure.ts");
    for (const what of ["process.env.HOME", "crypto.randomUUID", "new Date", "fs.readFileSync", "console.error"]) {
      expect(violations).toContain(what);
    }
  });
});
