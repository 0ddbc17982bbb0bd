import { sha256Hex } from "@agentprint/canonical-json";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

describe("agentprint canonicalize and hash", () => {
  test("writes exactly the bytes that are hashed", async () => {
    const run = await runCli(["canonicalize"], { stdin: '{ "b": 1.0, "a": [true, null] }' });
    expect(run).toEqual({ code: 0, stdout: '{"a":[true,null],"b":1}', stderr: "" });
  });

  test("hashes the canonical text", async () => {
    // printf '{"a":2,"b":1}' | sha256sum
    const digest = "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772";
    for (const args of [["-"], ["--format", "text"]]) {
      const text = await runCli(["hash", ...args], { stdin: '{"b":1,"a":2}' });
      expect(text).toEqual({ code: 0, stdout: `${digest}\n`, stderr: "" });
    }
    const json = await runCli(["hash", "--format", "json"], { stdin: '{"b":1,"a":2}' });
    expect(JSON.parse(json.stdout)).toEqual({ sha256: digest, profile: "rfc8785", keyOrder: "code-unit" });
  });

  test("names the requested key order and profile", async () => {
    const input = '{"a":1,"B":2}';
    expect((await runCli(["canonicalize"], { stdin: input })).stdout).toBe('{"B":2,"a":1}');
    expect((await runCli(["canonicalize", "--key-order", "locale"], { stdin: input })).stdout).toBe('{"a":1,"B":2}');
  });

  test("refuses input longer than --max-bytes without a digest", async () => {
    const run = await runCli(["hash", "--max-bytes", "4"], { stdin: "[1,2,3]" });
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("standard input is longer than 4 bytes");
    expect(run.stderr).toContain("raise the limit with --max-bytes");
  });

  test("canonicalize refuses a limit above the maximum, hash takes any", async () => {
    const run = await runCli(["canonicalize", "--max-bytes", "67108865"], { stdin: "[]" });
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("at most 67108864");
    expect((await runCli(["canonicalize", "--max-bytes", "67108864"], { stdin: "[]" })).code).toBe(0);
    expect((await runCli(["hash", "--max-bytes", "67108865"], { stdin: "[]" })).code).toBe(0);
  });

  test("hash gives the digest of the other order of keys", async () => {
    const run = await runCli(["hash", "--key-order", "locale"], { stdin: '{"B":2,"a":1}' });
    expect(run.stdout).toBe(`${sha256Hex('{"a":1,"B":2}')}\n`);
  });

  test("hash names the place where a text is not strict JSON", async () => {
    const run = await runCli(["hash"], { stdin: '{"a":1,\n"a":2}' });
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("duplicate-key");
    expect(run.stderr).toContain("standard input:2:1 at /a");
  });

  test("names the file that it could not read", async () => {
    const run = await runCli(["hash", "no\u001b[31msuch.json"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain("cannot read no\\u{1b}[31msuch.json");
  });
});
