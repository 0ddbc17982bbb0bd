import { expect, test } from "vitest";
import { logText } from "../../src/visit/log-text.ts";
import { runCli } from "../support/run-cli.ts";

test.each([
  ['{"level":30,"time":1,"msg":"listening"}', "info: listening"],
  ['{"level":"WARN","message":"no token","stack":"x"}', "warn: no token"],
  ['{"severity":"ERROR","message":"no token"}', "error: no token"],
  ['{"event":"started"}', "started"],
  ['{"level":35,"msg":"own level"}', "own level"],
  ['{"level":30}', '{"level":30}'],
  ["[1]", "[1]"],
  ["{not JSON", "{not JSON"],
  ['{"msg":"one"}\nplain\n{"msg":"two"}', "one\nplain\ntwo"],
])("a server's output %s is shown as %s", (output, text) => {
  expect(logText(output)).toBe(text);
});

test("a server that ends with a log in JSON is reported with its text", async () => {
  const script = `console.error(JSON.stringify({ level: 50, msg: "no token" })); process.exit(1)`;
  const { code, stderr } = await runCli(["pin", "--", process.execPath, "-e", script]);
  expect(code).toBe(2);
  expect(stderr).toContain("error: no token");
  expect(stderr).not.toContain('"msg"');
});
