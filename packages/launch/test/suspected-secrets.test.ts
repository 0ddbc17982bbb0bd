import { describe, expect, test } from "vitest";
import type { Launch } from "../src/index.ts";
import { isSecretName, type SuspicionReason, suspectedSecrets } from "../src/redact/index.ts";

const stdio = (...args: string[]): Launch => ({ type: "stdio", command: "npx", args, cwd: "/srv", env: [] });

describe("suspectedSecrets", () => {
  test.each<[text: string, reason: SuspicionReason]>([
    ["https://x.test/s/NjM2YTk4ZDItOGU0Zi/mcp", "random-text"],
    ["https://x.test/123e4567-e89b-12d3-a456-426614174000", "random-text"],
    ["https://hooks.x.test/services/T024BE7LD/B024BE7LD/7Zq1vX9cT3mKp0Lw2Rb8Yd5s", "random-text"],
    ["--x=%7B%22apiKey%22%3A%22hunter2%22%7D", "encoded-secret"],
    [`--config=${btoa('{"apiKey":"hunter2"}')}`, "encoded-secret"],
    ["me:hunter2@x.test", "password-in-address"],
    ["postgres://me:hun/ter2@x.test", "password-in-address"],
    ["--seed=NjM2YTk4ZDItOGU0Zi", "random-text"],
    ["--token --aB3dE5gH7jK9mN1pQ3sT", "random-text"],
  ])("%s", (text, reason) => {
    expect(suspectedSecrets(stdio("server", text))).toEqual([{ pointer: "/args/1", reason }]);
    expect(suspectedSecrets({ type: "http", url: text, headers: [] })).toEqual([{ pointer: "/url", reason }]);
    expect(suspectedSecrets({ type: "stdio", command: text, args: [], env: [] })).toEqual([
      { pointer: "/command", reason },
    ]);
    expect(suspectedSecrets({ type: "stdio", command: "x", args: [], cwd: text, env: [] })).toEqual([
      { pointer: "/cwd", reason },
    ]);
  });

  test("names a value behind a name without dashes, and a login", () => {
    expect(suspectedSecrets(stdio("setx", "API_KEY", "hunter2", "-u", "me:hunter2"))).toEqual([
      { pointer: "/args/2", reason: "behind-secret-name" },
      { pointer: "/args/4", reason: "behind-secret-name" },
    ]);
  });

  test("names no redacted value, and nothing in an ordinary launch", () => {
    expect(
      suspectedSecrets(stdio("--token", "NjM2YTk4ZDItOGU0Zi", "https://u:hunter2@x.test", `ghp_${"x1".repeat(18)}`)),
    ).toEqual([]);
    for (const args of [
      ["-y", "@modelcontextprotocol/server-filesystem@2026.7.4", "/srv/a@b"],
      ["run", "-i", "--rm", "-u", "1000:1000", `ghcr.io/acme/search@sha256:${"0a1b".repeat(16)}`],
      ["--from", "git+https://github.com/acme/mcp-server-very-long-name-of-2026", "acme-server"],
      ["--viewport=1440x900", "--screenshotMaxWidth=1440", "--project=/srv/2026/a-very-long-name"],
      ["npm:server@1.2.3", "--root", "/home/me/projects/agentprint/packages/mcp-lock"],
    ]) {
      expect(suspectedSecrets(stdio(...args))).toEqual([]);
    }
  });
});

test.each([
  ["API_KEY", true],
  ["Authorization", true],
  ["PGPASSWORD", true],
  ["PUBLIC_KEY", false],
  ["max-tokens", false],
  ["PWD", false],
])("%s is a secret name: %s", (name, isSecret) => {
  expect(isSecretName(name)).toBe(isSecret);
});
