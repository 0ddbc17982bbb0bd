import { chmodSync, globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CI } from "@agentprint/testing/mcp-servers/hosted-server";
import { tokenServer } from "@agentprint/testing/oauth/token-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type HostedWorld, hostedWorld } from "../support/hosted-world.ts";

/** The part of the stored logins that contains the key. */
interface StoredLogins {
  readonly logins: readonly { readonly secrets: { readonly proofKey: { readonly d: string } } }[];
}

let world: HostedWorld;
beforeEach(async () => {
  world = await hostedWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

/** Returns the output of the commands, and the text of all files except the logins. */
function written(): string[] {
  const files = globSync("**/*", { cwd: world.workspace.folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path !== world.store);
  return [
    ...files.map((path) => readFileSync(path, "utf8")),
    ...world.results.flatMap((each) => [each.stdout, each.stderr]),
  ];
}

test("without a login the exit code is 2, and one sentence explains how to log in", async () => {
  const { code, stderr } = await world.pin();
  expect(code).toBe(2);
  expect(stderr).toContain("the server answered HTTP 401 Unauthorized");
  expect(stderr).toContain("log in with agentprint login <url>");
});

test("a person logs in, pins and checks, and no output and no other file has a token", async () => {
  expect(await world.logIn()).toBe(0);
  expect(await world.pin()).toMatchObject({ code: 0 });
  expect(await world.agentprint("check")).toMatchObject({ code: 0 });
  const whoami = await world.agentprint("whoami", "hosted", "--format", "json");
  expect(JSON.parse(whoami.stdout)).toMatchObject({
    logins: [{ server: world.oidc.server, issuer: world.oidc.issuer, scopes: ["mcp:read"], renewal: "refresh" }],
  });
  expect((await world.agentprint("whoami")).stdout).toContain(`issuer   ${world.oidc.issuer}`);
  if (process.platform !== "win32") expect(statSync(world.store).mode & 0o777).toBe(0o600);

  const { logins } = JSON.parse(readFileSync(world.store, "utf8")) as { logins: { secrets: Record<string, string> }[] };
  const secrets = [world.secret, ...logins.flatMap((login) => Object.values(login.secrets))];
  expect(secrets.length).toBeGreaterThan(1);
  for (const secret of secrets) expect(written().filter((text) => text.includes(secret))).toEqual([]);

  expect(await world.agentprint("logout", "hosted")).toMatchObject({ code: 0 });
  expect(await world.agentprint("check")).toMatchObject({ code: 2 });
  expect(await world.agentprint("logout", "hosted")).toMatchObject({ code: 2 });
});

test.skipIf(process.platform === "win32")("logins that others can read are refused", async () => {
  expect(await world.logIn()).toBe(0);
  expect(await world.pin()).toMatchObject({ code: 0 });
  for (const mode of [0o644, 0o640, 0o606, 0o610]) {
    chmodSync(world.store, mode);
    for (const args of [["whoami"], ["check"], ["logout", "hosted"]]) {
      const { code, stderr } = await world.agentprint(...args);
      if (args[0] !== "check") expect([code, stderr]).toEqual([2, expect.stringContaining(`chmod 600 ${world.store}`)]);
      expect(code).toBe(2);
    }
  }
  chmodSync(world.store, 0o600);
  expect(await world.agentprint("check")).toMatchObject({ code: 0 });
});

test("a server that asks for proofs is pinned and checked, and no output and no other file has the key", async () => {
  world.oidc.proofs = { nonce: "n", seen: new Set() };
  for (const logInAs of [
    () => world.logIn(),
    async () => (await world.agentprint("login", world.oidc.server, ...CI)).code,
  ]) {
    expect(await logInAs()).toBe(0);
    expect(await world.pin()).toMatchObject({ code: 0 });
    expect(await world.agentprint("check")).toMatchObject({ code: 0 });
    const { logins } = JSON.parse(readFileSync(world.store, "utf8")) as StoredLogins;
    const key = logins[0]?.secrets.proofKey.d ?? "";
    expect(key).toHaveLength(43);
    expect(written().filter((text) => text.includes(key))).toEqual([]);
    await world.agentprint("remove", "hosted");
  }
  expect(world.oidc.seen.filter((each) => !each.startsWith("DPoP "))).toEqual([]);
});

test("an expired login is renewed without a person: by the refresh token, and by the client's secret", async () => {
  for (const logInAs of [
    () => world.logIn(),
    async () => (await world.agentprint("login", world.oidc.server, ...CI)).code,
  ]) {
    world.oidc.lifetime = 1;
    expect(await logInAs()).toBe(0);
    world.oidc.lifetime = 3600;
    expect(await world.pin()).toMatchObject({ code: 0 });
    expect(new Set(world.oidc.seen).size).toBe(1);
    world.oidc.seen.length = 0;
    await world.agentprint("remove", "hosted");
  }
});

test.each([
  ["none", [], undefined],
  ["client_secret_basic", ["--client-secret-env", "MCP_SECRET"], /^Basic /],
])("an enterprise's identity provider decides who may use a server: client by %s", async (_, secret, authorization) => {
  const server = await tokenServer();
  const idp = await tokenServer({}, {}, { issued_token_type: "urn:x", token_type: "N_A", access_token: "of-the-idp" });
  writeFileSync(world.workspace.path("id-token"), "the-id-token");
  const provider = ["--idp", idp.issuer, "--idp-client-id", "app", "--id-token-file", "id-token"];
  const words = ["login", server.resource, ...provider, "--client-id", "own", ...secret, "--format", "json"];
  const { code, stdout } = await world.agentprint(...words);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { issuer: server.issuer, renewal: "enterprise" }]);
  expect(Object.fromEntries(idp.asked[0]?.body ?? [])).toMatchObject({
    subject_token: "the-id-token",
    client_id: "app",
  });
  expect(server.asked.map(({ body }) => body.get("assertion"))).toEqual(["of-the-idp"]);
  if (authorization === undefined) expect(server.asked[0]?.authorization).toBeUndefined();
  else expect(server.asked[0]?.authorization).toMatch(authorization);
  for (const each of [server, idp]) await each.running[Symbol.asyncDispose]();
});

test("in CI, a command prints the token", async () => {
  const token = await new world.oidc.provider.ClientCredentials({
    client: (await world.oidc.provider.Client.find("ci")) as never,
    aud: world.oidc.server,
    scope: "mcp:read",
  } as never).save();
  writeFileSync(world.workspace.path("token"), token);
  const command = `node -p "require('fs').readFileSync('token', 'utf8')"`;
  expect(await world.agentprint("login", world.oidc.server, "--token-command", command)).toMatchObject({ code: 0 });
  const { code, stdout, stderr } = await world.pin();
  expect([code, stderr.includes(token), stdout.includes(token)]).toEqual([0, false, false]);
});

test.each([
  [["--credentials"], "client credentials consist of a client id and its secret"],
  [["--token-file", "a", "--token-command", "b"], "more than one way to log in"],
  [[...CI.slice(0, 3), "--client-secret-env", "MISSING"], "the variable MISSING is not set"],
  [["--github-oidc", "mcp"], "the variable ACTIONS_ID_TOKEN_REQUEST_URL is not set"],
  [["--github-oidc", "mcp", "--device"], "more than one way to log in"],
  [["--token-command", "exit 3"], "the token command failed"],
  [["--token-file", "missing"], "cannot read missing"],
  [
    ["--idp", "no address", "--idp-client-id", "app", "--id-token-file", "f", "--client-id", "own"],
    "a login by an identity provider needs",
  ],
  [["--idp", "https://login.example"], "a login by an identity provider needs"],
  [["--idp", "https://login.example", "--device"], "more than one way to log in"],
  [["--device"], "offers no login on another device"],
])("login with %j is refused", async (args, message) => {
  const { code, stderr } = await world.agentprint("login", world.oidc.server, ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test("a server that is started by a command has no login", async () => {
  await world.agentprint(
    "pin",
    "--name",
    "local",
    "--",
    process.execPath,
    join(import.meta.dirname, "../../../../packages/testing/src/mcp-servers/sdk-v2.ts"),
  );
  const { code, stderr } = await world.agentprint("login", "local");
  expect([code, stderr]).toEqual([2, expect.stringContaining("is started by a command")]);
});
