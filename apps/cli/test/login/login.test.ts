import { randomBytes } from "node:crypto";
import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { browse, type OidcWorld, oidcWorld } from "../../../../packages/mcp-auth/test/support/oidc-world.ts";
import { makeServer } from "../../../../packages/mcp-visit/test/servers/sdk-v2.ts";
import { run } from "../../src/run.ts";
import { memoryContext, type RunResult } from "../support/run-cli.ts";
import { Workspace } from "../support/workspace.ts";

const SECRET = randomBytes(24).toString("base64url");
const client = { grant_types: ["client_credentials"], redirect_uris: [], response_types: [], scope: "mcp:read" };

let workspace: Workspace;
let world: OidcWorld;
let env: Readonly<Record<string, string>>;
let results: RunResult[];
beforeEach(async () => {
  workspace = new Workspace();
  world = await oidcWorld([{ client_id: "ci", client_secret: SECRET, ...client } as never]);
  const handle = toNodeHandler(createMcpHandler(makeServer, { legacy: "stateless" }));
  world.serve = (request, response) => handle(request as Parameters<typeof handle>[0], response);
  env = { XDG_STATE_HOME: workspace.path("state"), AGENTPRINT_TOKEN_STORE: "file", MCP_SECRET: SECRET };
  results = [];
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
  workspace[Symbol.dispose]();
});

async function agentprint(...args: string[]): Promise<RunResult> {
  const result = await workspace.run(args, env);
  results.push(result);
  return result;
}

/** Logs in as a person who opens the address that is printed. */
async function logIn(...args: string[]): Promise<number> {
  let text = "";
  const stderr = new Writable({
    write: (chunk, _encoding, done) => {
      text += chunk;
      const address = /^http\S+$/m.exec(String(chunk))?.[0];
      if (address !== undefined) void browse(address);
      done();
    },
  });
  const command = ["login", world.server, "--no-browser", ...args];
  const code = await run(memoryContext(command, { cwd: workspace.folder, env }, undefined, stderr));
  results.push({ code, stdout: "", stderr: text });
  return code;
}

const pin = () => agentprint("pin", "--name", "hosted", "--url", world.server);
const store = () => join(workspace.path("state"), "agentprint", "logins", "logins.json");
const CI = ["--credentials", "--client-id", "ci", "--client-secret-env", "MCP_SECRET"];

test("without a login the exit code is 2, and one sentence says how to log in", async () => {
  const { code, stderr } = await pin();
  expect(code).toBe(2);
  expect(stderr).toContain("the server answered HTTP 401 Unauthorized");
  expect(stderr).toContain("log in with agentprint login <url>");
});

test("a person logs in, pins and checks, and no output and no other file has a token", async () => {
  expect(await logIn()).toBe(0);
  expect(await pin()).toMatchObject({ code: 0 });
  expect(await agentprint("check")).toMatchObject({ code: 0 });
  const whoami = await agentprint("whoami", "hosted", "--format", "json");
  expect(JSON.parse(whoami.stdout)).toMatchObject({
    logins: [{ server: world.server, issuer: world.issuer, scopes: ["mcp:read"], renewal: "refresh" }],
  });
  expect((await agentprint("whoami")).stdout).toContain(`issuer   ${world.issuer}`);
  if (process.platform !== "win32") expect(statSync(store()).mode & 0o777).toBe(0o600);

  const { logins } = JSON.parse(readFileSync(store(), "utf8")) as { logins: { secrets: Record<string, string> }[] };
  const secrets = [SECRET, ...logins.flatMap((login) => Object.values(login.secrets))];
  expect(secrets.length).toBeGreaterThan(1);
  const files = globSync("**/*", { cwd: workspace.folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path !== store());
  const texts = [
    ...files.map((path) => readFileSync(path, "utf8")),
    ...results.flatMap((each) => [each.stdout, each.stderr]),
  ];
  for (const secret of secrets) expect(texts.filter((text) => text.includes(secret))).toEqual([]);

  expect(await agentprint("logout", "hosted")).toMatchObject({ code: 0 });
  expect(await agentprint("check")).toMatchObject({ code: 2 });
  expect(await agentprint("logout", "hosted")).toMatchObject({ code: 2 });
});

test("an expired login is renewed without a person: by the refresh token, and by the client's secret", async () => {
  for (const logInAs of [() => logIn(), async () => (await agentprint("login", world.server, ...CI)).code]) {
    world.lifetime = 1;
    expect(await logInAs()).toBe(0);
    world.lifetime = 3600;
    expect(await pin()).toMatchObject({ code: 0 });
    expect(new Set(world.seen).size).toBe(1);
    world.seen.length = 0;
    await agentprint("remove", "hosted");
  }
});

test("in CI, a command prints the token", async () => {
  const token = await new world.provider.ClientCredentials({
    client: (await world.provider.Client.find("ci")) as never,
    aud: world.server,
    scope: "mcp:read",
  } as never).save();
  writeFileSync(workspace.path("token"), token);
  const command = `node -p "require('fs').readFileSync('token', 'utf8')"`;
  expect(await agentprint("login", world.server, "--token-command", command)).toMatchObject({ code: 0 });
  const { code, stdout, stderr } = await pin();
  expect([code, stderr.includes(token), stdout.includes(token)]).toEqual([0, false, false]);
});

test.each([
  [["--credentials"], "client credentials are a client and its secret"],
  [["--token-file", "a", "--token-command", "b"], "more than one way to log in"],
  [[...CI.slice(0, 3), "--client-secret-env", "MISSING"], "the variable MISSING is not set"],
  [["--token-command", "exit 3"], "the token command failed"],
  [["--token-file", "missing"], "cannot read missing"],
  [["--device"], "offers no login on another device"],
])("login with %j is refused", async (args, message) => {
  const { code, stderr } = await agentprint("login", world.server, ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test("a server that is started by a command has no login", async () => {
  await agentprint(
    "pin",
    "--name",
    "local",
    "--",
    process.execPath,
    join(import.meta.dirname, "../../../../packages/mcp-visit/test/servers/sdk-v2.ts"),
  );
  const { code, stderr } = await agentprint("login", "local");
  expect([code, stderr]).toEqual([2, expect.stringContaining("is started by a command")]);
});
