import { describe, expect, test } from "vitest";
import { type Launch, type SuspicionReason, suspectedSecrets } from "../src/index.ts";
import { isRedacted, isSecretName, redactLaunch } from "../src/redact/index.ts";

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

describe("the name of an image", () => {
  const RANDOM = "aB3dE5gH7jK9mN1pQ3sT";
  const run = (command: string, ...args: string[]): Launch => ({ type: "stdio", command, args, env: [] });
  const suspected = (...args: string[]) => suspectedSecrets(run("docker", "run", ...args));
  const images = [
    "ghcr.io/github/github-mcp-server",
    "ghcr.io/github/github-mcp-server:v0.13.0",
    "mcp/token:latest",
    "localhost:5000/me/api-token",
    "cr7f3k2m9x1q8w5z.azurecr.io/mcp/server:1.2",
    `docker.io/mcp/fetch@sha256:${"0a1b".repeat(16)}`,
  ];

  test.each(images)("%s is not a secret after the name of a variable or a container", (image) => {
    for (const before of [
      ["-e", "API_KEY"],
      ["--env", "GITHUB_TOKEN"],
      ["--name", "secret"],
      ["-i", "--rm"],
    ]) {
      expect(suspected(...before, image)).toEqual([]);
      expect(suspected(...before, image, "stdio", "--verbose")).toEqual([]);
      expect(suspectedSecrets(run("/usr/bin/podman", "run", ...before, image))).toEqual([]);
    }
  });

  test("a token in or after its tag, or in a text that is not an image, is still found", () => {
    expect(suspected("-e", "API_KEY", `mcp/server:${RANDOM}`)).toEqual([{ pointer: "/args/3", reason: "random-text" }]);
    expect(suspected("mcp/server", `--seed=${RANDOM}`)).toEqual([{ pointer: "/args/2", reason: "random-text" }]);
    expect(suspected("mcp/server", "-u", "me:hunter2")).toEqual([{ pointer: "/args/3", reason: "behind-secret-name" }]);
    for (const [text, reason] of [
      [RANDOM, "behind-secret-name"],
      [`mcp/server?x=${RANDOM}`, "random-text"],
      [`me:hunter2@registry.example.com/server`, "password-in-address"],
    ] as const) {
      expect(suspected("-e", "API_KEY", text)).toEqual([{ pointer: "/args/3", reason }]);
    }
    // Other programs read these words differently.
    expect(suspectedSecrets(run("setx", "run", "API_KEY", "mcp/server"))).toEqual([
      { pointer: "/args/2", reason: "behind-secret-name" },
    ]);
  });

  test.each([`ghp_${"x1".repeat(18)}`, `1?token=${RANDOM}`, `1?sig=${RANDOM}`])(
    "a token is hidden in %s behind an image",
    (behind) => {
      const redacted = redactLaunch(run("docker", "run", "-e", "API_KEY", `mcp/server:${behind}`));
      expect(JSON.stringify(redacted)).not.toMatch(new RegExp(`${RANDOM}|ghp_`));
      expect(isRedacted(redacted)).toBe(true);
    },
  );
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
