import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canRun } from "@agentprint/testing/programs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BuildProcess } from "../../../bench/gate/build-process.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "build-process-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a build with one row whose job starts a program through a shell that does not wait for the program. */
function writeBuild(program: string): void {
  mkdirSync(join(folder, "bench"));
  writeFileSync(join(folder, "program.mjs"), program);
  writeFileSync(
    join(folder, "bench/suites.ts"),
    `import { spawnSync } from "node:child_process";
    const words = ['"$0" "$1" & exit', process.execPath, ${JSON.stringify(join(folder, "program.mjs"))}];
    const job = () => spawnSync("/bin/sh", ["-c", ...words], { stdio: "ignore" }).status;
    const row = { name: "leaves", reference: "ours", ours: "ours", bar: 1, contenders: { ours: job } };
    export const SUITES = { servers: () => ({ title: "servers", comparisons: () => [() => row] }) };`,
  );
}

test.skipIf(process.platform !== "linux" || !canRun("python3"))(
  "counts the processor time of what a program starts and leaves to end",
  async () => {
    writeBuild("while (process.cpuUsage().user < 100_000);");
    await using build = new BuildProcess("servers", 0, folder);
    expect((await build.ready()).runsPrograms).toBe(true);
    const { processor } = await build.run(2);
    expect(processor).toBeGreaterThan(200_000);
  },
);
