import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hostile } from "../support/hostile.ts";
import type { RunResult } from "../support/run-cli.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { spawnCli } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace(ONE_ERA);
});
afterEach(() => workspace[Symbol.dispose]());

const TOKEN = 's3cr3t-"value\\-0123456789';
/** A reference to the variable, as a configuration writes it. */
const REFERENCE = "$" + "{env:API_TOKEN}";
const FORMS = [
  TOKEN,
  JSON.stringify(TOKEN).slice(1, -1),
  encodeURIComponent(TOKEN),
  Buffer.from(TOKEN).toString("base64").slice(0, -3),
  "0123456789",
  "s3cr3t",
];

function expectNoSecret(run: RunResult): void {
  for (const form of FORMS) expect(run.stdout + run.stderr).not.toContain(form);
}

describe("a server that repeats its secret", () => {
  const command = ["--env", "API_TOKEN", "--env", "HOW", "--", ...hostile("repeats-secrets")];

  test("in an error and on stderr is quoted without it, in each format", async () => {
    const pinned = await workspace.run(["pin", "--name", "it", ...command, "NjM2YTk4ZDItOGU0Zi"], {
      API_TOKEN: TOKEN,
      HOW: "",
    });
    expect(pinned.stderr).toContain("the launch of it may hold a secret at /args/1 (random text)");
    for (const format of ["text", "json", "sarif"]) {
      const run = await workspace.run(["check", "--format", format], { API_TOKEN: TOKEN, HOW: "error" });
      expect(run.code).toBe(2);
      expect(run.stdout).toContain("‹value of API_TOKEN›");
      expect(run.stderr).toContain("‹value of API_TOKEN›");
      expectNoSecret(run);
    }
  });

  test("in a tool prevents a pin, and the report of a check hides it", async () => {
    const run = await workspace.run(["pin", "--name", "it", ...command], { API_TOKEN: TOKEN, HOW: "tool" });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("tool repeat at /description: the value of API_TOKEN");
    expectNoSecret(run);
    expect(() => workspace.lockText()).toThrow("ENOENT");
    await workspace.run(["pin", "--name", "it", ...command], { API_TOKEN: TOKEN, HOW: "" });
    const check = await workspace.run(["check", "-o", "report.sarif", "--format", "sarif"], {
      API_TOKEN: TOKEN,
      HOW: "tool",
    });
    expect(check.code).toBe(1);
    expectNoSecret(check);
  });
});

test("a secret is on neither stream of a real process", async () => {
  const command = ["--env", "API_TOKEN", "--env", "HOW", "--", ...hostile("repeats-secrets")];
  const env = { API_TOKEN: TOKEN, HOW: "error" };
  const run = await spawnCli(["pin", "--name", "it", ...command], { cwd: workspace.folder, env });
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("‹value of API_TOKEN›") });
  expectNoSecret(run);
});

describe("a start that fails", () => {
  test("names a command and a folder by their unexpanded text", async () => {
    const mcpServers = {
      command: { command: `/nowhere/${REFERENCE}/x` },
      folder: { command: process.execPath, cwd: `/nowhere/${REFERENCE}` },
      url: { url: `htp://me:${REFERENCE}@x.test` },
    };
    writeFileSync(workspace.path("mcp.json"), JSON.stringify({ mcpServers }));
    const run = await workspace.run(["pin", "--mcp-config", "mcp.json"], { API_TOKEN: TOKEN });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`cannot start /nowhere/${REFERENCE}/x`);
    expect(run.stderr).toContain(`there is no folder /nowhere/${REFERENCE}`);
    expect(run.stderr).toContain(`this is not an HTTP address: htp://me:${REFERENCE}@x.test`);
    expectNoSecret(run);
  });

  test("quotes the body of a 401 without the header and the user information", async () => {
    const server = createServer((incoming, response) => {
      const login = Buffer.from((incoming.headers.authorization ?? "").slice(6), "base64").toString();
      response.writeHead(401).end(`no: ${incoming.headers["x-api-key"]} ${incoming.headers.authorization} ${login}`);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const run = await workspace.run(
      ["pin", "--url", `http://127.0.0.1:${port}/mcp`, "--header", "X-API-Key", "--header", "Authorization"],
      {
        AGENTPRINT_HEADER_X_API_KEY: "k3y",
        AGENTPRINT_HEADER_AUTHORIZATION: `Basic ${Buffer.from("me:hunter2").toString("base64")}`,
      },
    );
    server.close();
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("‹value of X-API-Key› ‹value of Authorization›");
    for (const secret of ["k3y", "hunter2", Buffer.from("me:hunter2").toString("base64")]) {
      expect(run.stdout + run.stderr).not.toContain(secret);
    }
  });
});
