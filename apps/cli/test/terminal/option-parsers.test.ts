import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

const SECRET = "never-shown-by-anything";
const LAUNCH = ["--", "node", "server.mjs"];

test.each([
  [["pin", "--env", `API_KEY=${SECRET}`, ...LAUNCH], "--env API_KEY"],
  [["pin", "--env", `=${SECRET}`, ...LAUNCH], "give the name of a variable"],
  [["pin", "--env", "", ...LAUNCH], "give the name of a variable"],
  [["check", "--env", `API_KEY=${SECRET}`], "--env API_KEY"],
  [["release", "--env", `API_KEY=${SECRET}`], "--env API_KEY"],
  [
    ["pin", "--url", "https://mcp.example.com/mcp", "--header", `Authorization: Bearer ${SECRET}`],
    "--header Authorization",
  ],
  [["check", "--header", `Authorization=${SECRET}`], "--header Authorization"],
  [["approve", "files", "--header", SECRET.replaceAll("-", " ")], "give the name of a header"],
])("%j is refused without its value", async (args, fix) => {
  const { code, stdout, stderr } = await runCli(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("its value comes from the environment");
  expect(stderr).toContain(fix);
  expect(stderr).not.toMatch(/never.shown/i);
});
