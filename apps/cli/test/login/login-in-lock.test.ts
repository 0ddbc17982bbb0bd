import { readFileSync, writeFileSync } from "node:fs";
import { CI } from "@agentprint/testing/mcp-servers/hosted-server";
import { makeServer } from "@agentprint/testing/mcp-servers/sdk-v2";
import { browse, oidcWorld } from "@agentprint/testing/oauth/oidc-world";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type HostedWorld, hostedWorld } from "../support/hosted-world.ts";
import { runInTerminal } from "../support/terminal.ts";

let world: HostedWorld;
beforeEach(async () => {
  world = await hostedWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const rulesOf = ({ stdout }: { stdout: string }) =>
  (JSON.parse(stdout) as { findings: { level: string; rule: string }[] }).findings.map(
    ({ level, rule }) => `${level} ${rule}`,
  );
const check = () => world.agentprint("check", "--format", "json");
const entry = () =>
  (JSON.parse(readFileSync(world.workspace.path("agentprint.lock"), "utf8")) as { servers: { auth: object }[] })
    .servers[0];

test("pin records the login of a server, and another client with the same login is not drift", async () => {
  await world.logIn();
  await world.pin();
  const { issuer, server: resource } = world.oidc;
  expect(entry()?.auth).toEqual({
    issuer,
    resource,
    scopes: ["mcp:read"],
    client: "dynamic",
    endpoints: {
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/reg`,
    },
  });
  await world.agentprint("login", "hosted", ...CI);
  expect(await world.agentprint("check")).toMatchObject({ code: 0 });
  expect(await world.pin()).toMatchObject({ code: 0 });
  expect(entry()?.auth).toMatchObject({ client: "pre-registered" });
  expect((await world.agentprint("show", "hosted")).stdout).toContain(`login     ${issuer} for mcp:read`);
});

test("a login that moved is an error under every preset, and no token is sent to it", async () => {
  await world.logIn();
  await world.pin();
  await using other = await oidcWorld();
  const { issuer } = world.oidc;
  const asked = world.oidc.tokenRequests;
  world.oidc.seen.length = 0;
  world.oidc.named = other.issuer;
  for (const preset of ["strict", "compatible", "breaking"]) {
    writeFileSync(world.workspace.path("agentprint.config.json"), JSON.stringify({ preset }));
    const run = await check();
    expect([run.code, rulesOf(run)]).toEqual([1, ["error auth/issuer-changed"]]);
  }
  const off = { rules: { "auth/issuer-changed": "off" } };
  writeFileSync(world.workspace.path("agentprint.config.json"), JSON.stringify(off));
  expect(await check()).toMatchObject({ code: 2, stderr: expect.stringContaining("no policy can decide") });
  writeFileSync(world.workspace.path("agentprint.config.json"), "{}");
  const sarif = await world.agentprint("check", "--format", "sarif");
  expect(JSON.parse(sarif.stdout)).toMatchObject({ runs: [{ results: [{ ruleId: "auth/issuer-changed" }] }] });
  // Someone who logs in again has not reviewed anything yet.
  const text = await world.agentprint("check");
  expect(text.stderr).toContain("agentprint login hosted, then agentprint approve hosted");
  expect(await world.agentprint("approve", "hosted", "--yes")).toMatchObject({ code: 2 });
  expect([world.oidc.seen, world.oidc.tokenRequests, other.tokenRequests]).toEqual([[], asked, 0]);
  expect(text.stdout + text.stderr).toContain(issuer);
});

test("a server that asks for more scopes is an error, and one that asks for fewer is a note", async () => {
  await world.logIn("--scope", "mcp:write");
  await world.pin();
  expect(entry()?.auth).toMatchObject({ scopes: ["mcp:read", "mcp:write"] });
  await world.logIn();
  const fewer = await check();
  expect([fewer.code, rulesOf(fewer)]).toEqual([0, ["note auth/scopes-narrowed"]]);
  expect(await world.agentprint("approve", "hosted", "--yes")).toMatchObject({ code: 0 });
  expect(entry()?.auth).toMatchObject({ scopes: ["mcp:read"] });
  world.oidc.scopes = "mcp:read mcp:write";
  const more = await check();
  expect([more.code, rulesOf(more)]).toEqual([1, ["error auth/scopes-widened"]]);
});

test("without a login, check ends 2, and one sentence names the login command with the name in the lock", async () => {
  await world.logIn();
  await world.pin();
  await world.agentprint("logout", "hosted");
  for (const serve of ["protected", "open"]) {
    if (serve === "open") world.oidc.isOpen = true;
    const { code, stderr } = await world.agentprint("check");
    expect([code, stderr]).toEqual([2, expect.stringContaining("log in with agentprint login hosted")]);
  }
});

test("a server that was pinned without a login is reported in the same way by its name", async () => {
  world.oidc.isOpen = true;
  expect(await world.pin()).toMatchObject({ code: 0 });
  world.oidc.isOpen = false;
  const { code, stderr } = await world.agentprint("check");
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("log in with agentprint login hosted, or pass credentials"),
  ]);
  await world.logIn();
  expect(rulesOf(await check())).toEqual(["warning auth/metadata-changed"]);
  expect(await world.agentprint("approve", "hosted", "--yes")).toMatchObject({ code: 0 });
  expect(await world.agentprint("check")).toMatchObject({ code: 0 });
});

const WANTED = 'Bearer error="insufficient_scope", scope="mcp:write"';

/** Makes the server refuse tokens that lack the scope `mcp:write`. */
function wantWriting(): void {
  const { oidc } = world;
  const { serve } = oidc;
  oidc.serve = async (request, response) => {
    const token = request.headers.authorization?.slice("Bearer ".length) ?? "";
    const scopes = (await oidc.provider.AccessToken.find(token))?.scope?.split(" ");
    if (scopes?.includes("mcp:write")) return serve(request, response);
    return response.writeHead(403, { "www-authenticate": WANTED }).end();
  };
}

const checkAtTerminal = (...dialogue: Parameters<typeof runInTerminal>[1]) =>
  runInTerminal(["check"], dialogue, {
    cwd: world.workspace.folder,
    env: { ...world.env, BROWSER: "none", CI: "" },
  });
const QUESTION = "Log in for mcp:read mcp:write?";
const openAddress = (screen: string) => void browse(/^http\S+$/m.exec(screen)?.[0] ?? "");

test("a person at a terminal is asked before the login gets more scopes, for the old and the new ones together", async () => {
  await world.logIn();
  await world.pin();
  wantWriting();
  const asked = world.oidc.tokenRequests;
  const declined = await checkAtTerminal([QUESTION, "no"]);
  expect([declined.code, declined.unasked, world.oidc.tokenRequests]).toEqual([2, [], asked]);
  const agreed = await checkAtTerminal([QUESTION, "yes"], ["Open this address", openAddress]);
  expect([agreed.code, agreed.unasked]).toEqual([1, []]);
  expect(agreed.stdout).toContain("error  scopes of the login (more than before)");
  expect(JSON.parse((await world.agentprint("whoami", "--format", "json")).stdout)).toMatchObject({
    logins: [{ scopes: ["mcp:read", "mcp:write"] }],
  });
});

test("a server that wants more scopes for a visit is exit code 2 where nobody can be asked", async () => {
  await world.logIn();
  await world.pin();
  wantWriting();
  const asked = world.oidc.tokenRequests;
  const { code, stderr } = await world.agentprint("check");
  expect(code).toBe(2);
  expect(stderr).toContain("log in with agentprint login hosted --scope mcp:read --scope mcp:write");
  expect(world.oidc.tokenRequests).toBe(asked);
});

function serverOfAdmin(): ReturnType<typeof makeServer> {
  const server = makeServer();
  server.registerPrompt("delete", { description: "Deletes" }, () => ({ messages: [] }));
  return server;
}

test("each account is pinned and checked by its own login, and a note names the lists that depend on it", async () => {
  await world.logIn();
  await world.logIn("--account", "admin", "--scope", "mcp:write");
  await world.pin();
  const { serve, provider } = world.oidc;
  const handle = toNodeHandler(createMcpHandler(serverOfAdmin, { legacy: "stateless" }));
  world.oidc.serve = async (request, response) => {
    const token = await provider.AccessToken.find(request.headers.authorization?.slice("Bearer ".length) ?? "");
    return token?.scope?.includes("mcp:write") ? handle(request as never, response) : serve(request, response);
  };
  expect(await world.agentprint("pin", "--url", world.oidc.server, "--account", "admin")).toMatchObject({ code: 0 });
  const servers = world.workspace.lock().servers;
  const name = `${new URL(world.oidc.server).host.replace(":", "-")}-admin`;
  expect(servers.map(({ name, auth }) => [name, auth?.account])).toEqual([
    [name, "admin"],
    ["hosted", undefined],
  ]);
  const checked = await check();
  expect([checked.code, rulesOf(checked)]).toEqual([0, ["note mcp/name-collision", "note lock/list-by-login"]]);
  expect((await world.agentprint("whoami", "hosted")).stdout).toContain(`${world.oidc.server} as admin`);
  expect(await world.agentprint("logout", "hosted", "--account", "admin")).toMatchObject({ code: 0 });
  const without = await world.agentprint("check");
  expect([without.code, without.stderr]).toEqual([
    2,
    expect.stringContaining(`agentprint login ${name} --account admin`),
  ]);
  const command = ["--account", "admin", "--", process.execPath, "server.js"];
  const local = await world.workspace.run(["pin", ...command], world.env);
  expect([local.code, local.stderr]).toEqual([2, expect.stringContaining("is started by a command, and has no login")]);
});
