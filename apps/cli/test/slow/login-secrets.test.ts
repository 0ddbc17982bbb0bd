import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { CI } from "@agentprint/testing/mcp-servers/hosted-server";
import { outputOf } from "@agentprint/testing/programs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { INITIALIZE } from "../guard/guarded.ts";
import { listening } from "../guard/support.ts";
import { type HostedWorld, hostedWorld } from "../support/hosted-world.ts";

const FORMATS = ["text", "json", "markdown", "sarif", "junit", "github", "gitlab"];

let world: HostedWorld;
beforeEach(async () => {
  world = await hostedWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

/** Returns the forms in which a secret could be written. */
function formsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64").slice(0, -3)];
}

/** Returns the files of the workspace, except those that may hold secrets. */
function filesOf({ workspace, store }: HostedWorld, allowed: readonly string[]): string[] {
  return globSync("**/*", { cwd: workspace.folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => ![store, ...allowed].includes(path));
}

async function runAll(): Promise<void> {
  const { agentprint, workspace } = world;
  await agentprint("init", "--yes", "--ci", "none");
  await world.pin();
  writeFileSync(workspace.path("before.lock"), workspace.lockText());
  await agentprint("whoami");
  await agentprint("whoami", "hosted", "--format", "json");
  for (const format of FORMATS) await agentprint("check", "--format", format, "-o", `report.${format}`);
  await agentprint("check");
  await agentprint("watch", "--rounds", "1", "-o", "watched.json", "--format", "json");
  for (const words of [["status"], ["status", "--format", "json"], ["doctor"], ["doctor", "--format", "json"]]) {
    await agentprint(...words);
  }
  await agentprint("list");
  await agentprint("show", "hosted");
  await agentprint("approve", "hosted", "--yes");
  await agentprint("diff", "before.lock", "agentprint.lock");
  await agentprint("diff", world.oidc.server, "agentprint.lock");
  await agentprint("manifest", "from-mcp", "--url", world.oidc.server, "-o", "manifest.json");
}

/** Provokes failures whose messages could contain a secret. */
async function failAll(): Promise<void> {
  const { agentprint, oidc } = world;
  const { serve } = oidc;
  const challenge = 'Bearer error="insufficient_scope", scope="mcp:write"';
  // The server repeats whatever it received.
  oidc.serve = ({ headers }, response) => response.writeHead(500).end(JSON.stringify(headers));
  await agentprint("check");
  oidc.serve = (_, response) => response.writeHead(403, { "www-authenticate": challenge }).end();
  await agentprint("check", "--format", "json");
  oidc.serve = serve;
  oidc.named = "https://127.0.0.1:1";
  await agentprint("check");
  oidc.named = oidc.issuer;
}

async function guardAndRecord(): Promise<string> {
  const { workspace, env } = world;
  const options = ["--login", "--record", workspace.path("trail"), "--content-keys", workspace.path("keys")];
  const guard = await listening(workspace, ["hosted", ...options], env);
  const tokenFile = workspace.path("state/agentprint/guard/token");
  const token = readFileSync(tokenFile, "utf8").trim();
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  for (const authorization of [`Bearer ${token}`, "Bearer wrong"]) {
    const init = { method: "POST", headers: { ...headers, authorization }, body: JSON.stringify(INITIALIZE) };
    world.results.push({ code: 0, stdout: await (await fetch(guard.url, init)).text(), stderr: "" });
  }
  const processes = outputOf("ps", ["-ww", "-e", "-o", "args="], { maxBuffer: 64 * 2 ** 20 });
  world.results.push({ code: 0, stdout: processes, stderr: guard.said() });
  await guard[Symbol.asyncDispose]();
  for (const words of [
    ["guard", "log", "--record", workspace.path("trail")],
    ["trail", "list", workspace.path("trail")],
  ]) {
    await world.agentprint(...words);
  }
  const [record = ""] = globSync("**/*.jsonl", { cwd: workspace.path("trail") });
  const shown = ["trail", "show", join(workspace.path("trail"), record), "--html", "page.html"];
  const keys = [
    "--event-key",
    workspace.path("state/agentprint/recorder.key"),
    "--content-keys",
    workspace.path("keys"),
  ];
  expect(await world.agentprint(...shown, ...keys)).toMatchObject({ code: expect.any(Number) });
  const page = readFileSync(workspace.path("page.html"), "utf8");
  const packed = [...page.matchAll(/>(H4sI[\w+/= ]+)</g)].flatMap(([, blocks = ""]) => blocks.split(" "));
  const unpacked = packed
    .filter((block) => block.startsWith("H4sI"))
    .map((block) => gunzipSync(Buffer.from(block, "base64")));
  const shownPage = Buffer.concat(unpacked).toString();
  expect(shownPage).toContain('\\"kind\\":\\"session-end\\"');
  world.results.push({ code: 0, stdout: shownPage, stderr: "" });
  world.oidc.secrets.add(token);
  return tokenFile;
}

test("no token, code, verifier or secret is in a lock, report, log, record, error, page or list of processes", async () => {
  expect(await world.logIn()).toBe(0);
  await runAll();
  const tokenFile = await guardAndRecord();
  await failAll();
  expect(await world.agentprint("login", world.oidc.server, ...CI)).toMatchObject({ code: 0 });
  await world.pin();
  await world.agentprint("check");
  await world.agentprint("login", world.oidc.server, ...CI.slice(0, 3), "--client-secret-env", "WRONG_SECRET");
  await world.agentprint("logout", "hosted");
  await world.agentprint("check");

  const { secrets } = world.oidc;
  expect(world.oidc.seen.filter((sent) => !secrets.has(sent.slice("Bearer ".length)))).toEqual([]);
  expect(secrets.size).toBeGreaterThan(6);
  const texts: [string, string][] = [
    ...filesOf(world, [tokenFile]).map((path): [string, string] => [path, readFileSync(path, "latin1")]),
    ...world.results.map(({ stdout, stderr }, index): [string, string] => [`result ${index}`, stdout + stderr]),
  ];
  expect(texts.length).toBeGreaterThan(50);
  const found = [...secrets, world.secret].flatMap((secret) =>
    formsOf(secret).flatMap((form) => texts.filter(([, text]) => text.includes(form)).map(([where]) => where)),
  );
  expect(found).toEqual([]);
});
