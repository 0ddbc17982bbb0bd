import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLock, formatLock, isRedacted, type Launch } from "../src/index.ts";
import { redactLaunchV1 } from "../src/redact/redact-launch-v1.ts";
import { snapshotOf } from "./arbitraries.ts";

const stdio = (...args: string[]): Launch => ({ type: "stdio", command: "npx", args, env: [] });
const http = (url: string): Launch => ({ type: "http", url, headers: [] });

const ref = (name: string): string => `\${${name}}`;

// Made-up values in the form of real ones, put together so that no scanner takes them for real.
const TOKEN = `ghp_${"x".repeat(36)}`;

describe("redactLaunchV1", () => {
  test.each<[string, Launch, Launch]>([
    ["user information", http("https://me:hunter2@x.test/mcp"), http("https://<redacted>@x.test/mcp")],
    [
      "a secret parameter",
      http("https://x.test/mcp?apiKey=hunter2&profile=a#f"),
      http("https://x.test/mcp?apiKey=<redacted>&profile=a#f"),
    ],
    [
      "several",
      http("https://x.test/?access_token=a&sig=b&key=c&q=d"),
      http("https://x.test/?access_token=<redacted>&sig=<redacted>&key=<redacted>&q=d"),
    ],
    [
      "a secret argument",
      stdio("--api-key", "hunter2", "--root", "/srv"),
      stdio("--api-key", "<redacted>", "--root", "/srv"),
    ],
    [
      "a secret argument with =",
      stdio("--token=hunter2", "PASSWORD=hunter2"),
      stdio("--token=<redacted>", "PASSWORD=<redacted>"),
    ],
    [
      "a variable of a container",
      stdio("-e", "GITHUB_PERSONAL_ACCESS_TOKEN=hunter2"),
      stdio("-e", "GITHUB_PERSONAL_ACCESS_TOKEN=<redacted>"),
    ],
    [
      "a header",
      stdio("--header", "Authorization: Bearer hunter2", "--header", "X-Api-Key: hunter2"),
      stdio("--header", "Authorization: <redacted>", "--header", "X-Api-Key: <redacted>"),
    ],
    ["a connection string", stdio("postgres://me:hunter2@db.test/x"), stdio("postgres://<redacted>@db.test/x")],
    [
      "text beside a reference, and its default value",
      stdio("--token", `${ref("env:A")}hunter2`, "--token", ref("env:A:-hunter2"), `https://me:${ref("env:A")}@x.test`),
      stdio("--token", "<redacted>", "--token", "<redacted>", "https://<redacted>@x.test"),
    ],
    [
      "a header with a reference and more",
      stdio("--header", `Authorization: Bearer hunter2 ${ref("env:A")}`, `Cookie-Token: ${ref("env:A")}\nhunter2`),
      stdio("--header", "Authorization: <redacted>", "Cookie-Token: <redacted>"),
    ],
    ["a well-known token", stdio(TOKEN, `--x=${TOKEN}`), stdio("<redacted>", "--x=<redacted>")],
  ])("%s", (_name, launch, redacted) => {
    expect(redactLaunchV1(launch)).toEqual(redacted);
    expect(isRedacted(redactLaunchV1(launch))).toBe(true);
    expect(redactLaunchV1(redacted)).toEqual(redacted);
    const text = formatLock(createLock({ s: snapshotOf([], { launch }) }));
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain(TOKEN);
  });

  test.each<[string, Launch]>([
    [
      "paths and packages",
      stdio("-y", "@modelcontextprotocol/server-filesystem@2026.7.4", "/srv/a@b", "--max-tokens", "100", "--keyring=x"),
    ],
    ["a flag without a value", stdio("--token", "--verbose")],
    ["an address", http("https://x.test:8080/mcp?profile=default#top")],
    ["an at sign in a path", http("https://x.test/@me/mcp")],
    [
      "references that hold no secret",
      stdio(
        ...["--token", ref("env:TOKEN"), `--api-key=${ref("input:api-key")}`, "-e", `PASSWORD=${ref("env:PASSWORD")}`],
        ...["--header", `Authorization: Bearer ${ref("env:TOKEN")}`, `X-Api-Key: ${ref("input:key")}`],
        `postgres://${ref("env:USER")}:${ref("env:PASSWORD")}@db.test/x`,
      ),
    ],
    ["references in an address", http(`https://${ref("input:user")}@x.test/mcp?token=${ref("env:TOKEN")}&a=b`)],
  ])("leaves %s", (_name, launch) => {
    expect(redactLaunchV1(launch)).toEqual(launch);
    expect(isRedacted(launch)).toBe(false);
  });

  test("redacting a redacted launch changes nothing", () => {
    const piece = fc.constantFrom(
      ...[
        "https://",
        "@",
        "/",
        "?",
        "#",
        "&",
        ";",
        "=",
        ":",
        "-",
        " ",
        "x",
        "host",
        "token",
        "--token",
        "Authorization: ",
      ],
      ...["Bearer ", "Basic ", `sk-${"a".repeat(20)}`, `eyJ${"a".repeat(8)}.a.b`, ref("env:T"), "<redacted>"],
    );
    const arg = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(""));
    const launch = fc.oneof(
      fc.array(arg, { maxLength: 3 }).map((args) => stdio(...args)),
      arg.map(http),
    );
    fc.assert(
      fc.property(launch, (launch) => {
        const redacted = redactLaunchV1(launch);
        expect(redactLaunchV1(redacted)).toEqual(redacted);
      }),
      { numRuns: 10_000, examples: [[stdio("https://Bearer a/b c@host")]] },
    );
  });

  test("keeps only names, sorted and each once", () => {
    expect(redactLaunchV1({ type: "stdio", command: "c", args: [], cwd: "/srv", env: ["B", "A", "B"] })).toEqual({
      type: "stdio",
      command: "c",
      args: [],
      cwd: "/srv",
      env: ["A", "B"],
    });
    expect(redactLaunchV1({ type: "http", url: "https://x.test/", headers: ["X-B", "X-A"] })).toMatchObject({
      headers: ["X-A", "X-B"],
    });
  });

  test("a text that is made to slow down the search takes time in proportion to its length", () => {
    for (const piece of ["eyJ-", "eyJ.", "?a", "&=", ";", "Bearer ", "sk-", "--token=", "a-key"]) {
      expect(redactLaunchV1(stdio(piece.repeat(300_000)))).toMatchObject({ type: "stdio" });
    }
  });
});
