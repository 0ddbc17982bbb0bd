import { untypedRefusals } from "@agentprint/testing/wrong-arguments";
import { expect, test } from "vitest";
import * as root from "../src/index.ts";
import { type Launch, launchCoverage, launchedFiles, launchedPackages } from "../src/index.ts";
import * as redact from "../src/redact/index.ts";

test("no exported function answers a wrong argument with an error without a code", async () => {
  expect(await untypedRefusals([root, redact])).toEqual([]);
}, 60_000);

test.each([
  ["launch.args[1]", { type: "stdio", command: "node", args: ["server.js", 1], env: [] }],
  ["launch.env[0]", { type: "stdio", command: "node", args: [], env: [null] }],
  ["launch.headers[0]", { type: "http", url: "https://files.example", headers: [{}] }],
])("%s that is no string is refused with its place", (place, launch) => {
  for (const read of [launchCoverage, launchedFiles, launchedPackages]) {
    expect(() => read(launch as unknown as Launch)).toThrow(
      expect.objectContaining({ code: "invalid-argument", message: expect.stringContaining(place) }),
    );
  }
});
