import { runProgram } from "@agentprint/artifacts";
import { expect, test } from "vitest";

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

test("a program that cannot be started leaves no timer that keeps the process alive", async () => {
  const before = timers();
  const started = runProgram("agentprint-no-such-program", [], { cwd: "/nowhere", env: {} });
  await expect(started).rejects.toMatchObject({ code: "no-program" });
  expect(timers()).toBeLessThanOrEqual(before);
});

test("the output and the exit code of a program that gets its input", async () => {
  const copy = "process.stdin.pipe(process.stdout); process.exitCode = 3";
  const ended = await runProgram(process.execPath, ["-e", copy], { cwd: ".", env: {} }, "text");
  expect(ended).toEqual({ stdout: "text", stderr: "", code: 3 });
});
