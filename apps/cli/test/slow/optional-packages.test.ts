import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { outputOf, type ProgramEnd, runBeside } from "@agentprint/testing/programs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { notingServer } from "../support/noting-server.ts";

const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));

let folder = "";
beforeAll(() => {
  outputOf("npx", ["--yes", "pnpm@12", "run", "build", "--filter=agentprint"], { cwd: join(PACKAGE, "../..") });
  folder = mkdtempSync(join(tmpdir(), "optional-packages-"));
  for (const name of ["package.json", "dist"]) {
    cpSync(join(PACKAGE, name), join(folder, "node_modules/agentprint", name), { recursive: true });
  }
  writeFileSync(join(folder, "server.cjs"), notingServer("first"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the built command in a folder in which no other package is installed. */
function run(...words: readonly string[]): Promise<ProgramEnd> {
  const { FORCE_COLOR: _force, AGENTPRINT_TOKEN_STORE: _store, ...env } = process.env;
  const main = join(folder, "node_modules/agentprint/dist/main.js");
  return runBeside(process.execPath, [main, ...words], {
    cwd: folder,
    env: { ...env, HOME: folder, XDG_STATE_HOME: join(folder, "state"), COLUMNS: "1000" },
  });
}

const KEYRING =
  "npm install @napi-rs/keyring@2, or keep logins in a file that only you can read: set AGENTPRINT_TOKEN_STORE=file";
const OTEL =
  "npm install @opentelemetry/api@1 @opentelemetry/core@3 @opentelemetry/exporter-trace-otlp-http@0.301 @opentelemetry/exporter-trace-otlp-proto@0.301 @opentelemetry/resources@3 @opentelemetry/sdk-trace@3";
const SIGSTORE = "npm install @sigstore/bundle@5 @sigstore/protobuf-specs@0.5 @sigstore/sign@5 @sigstore/verify@4";

test.each([
  ["login https://mcp.example.com/mcp", KEYRING],
  ["guard files --otel", OTEL],
  ["evidence verify --sigstore server.cjs server.cjs", SIGSTORE],
  ["release --statement agentprint.statement.json --sigstore server.cjs -- node server.cjs", SIGSTORE],
])("%s prints the line that installs the missing package, and is exit code 2", async (command, line) => {
  if (command.startsWith("guard")) {
    expect(await run("pin", "--name", "files", "--", "node", "server.cjs")).toMatchObject({ code: 0 });
  }
  const { code, stdout, stderr } = await run(...command.split(" "));
  expect(stderr).toContain(`install them where agentprint is, with --global if it is global: ${line}\n`);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
});

test("commands that need no optional package work without them, and reading logins needs none", async () => {
  expect(await run("pin", "--replace", "--name", "files", "--", "node", "server.cjs")).toMatchObject({ code: 0 });
  expect(await run("check")).toMatchObject({ code: 0 });
  expect(await run("whoami")).toMatchObject({ code: 0, stdout: "there is no login\n" });
});
