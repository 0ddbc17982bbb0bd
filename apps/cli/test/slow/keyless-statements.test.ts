import { createHash, generateKeyPairSync } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readReference } from "@agentprint/statement";
import { runBeside, runProgram } from "@agentprint/testing/programs";
import { identityToken, SigstoreInstance } from "@agentprint/testing/statement/sigstore-instance";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { AuthorProject, note } from "../support/author-project.ts";

let project: AuthorProject;
let instance: SigstoreInstance;
const FILE = "notes.statement.json";
const ROOT = "trusted_root.json";
const ISSUER = "https://token.actions.githubusercontent.com";
const WORKFLOW = "https://github.com/me/notes/.github/workflows/release.yml@refs/tags/v1.2.0";
const PEM = { format: "pem", type: "spki" } as const;
const BUNDLES = new Map<string, string>();

const RELEASE = ["release", "--against", "v1.2.0", "--statement", FILE, "--sigstore", ROOT];
const services = (url = instance.url) => ["--fulcio", url, "--rekor", url, "--tsa", `${url}/`];
const sign = (...args: string[]) => project.run([...RELEASE, ...services(), ...args]);
const check = () => project.run(["check", "--format", "json"]);
const show = (name: string) => writeFileSync(project.path(FILE), BUNDLES.get(name) ?? name);

const ruleOf = (identity: string, issuer: string, trustedRoot = ROOT) => ({
  trustedRoot,
  identities: [{ identity, issuer }],
});

function configure(identity = WORKFLOW, issuer = ISSUER, rule: object = {}): void {
  const sigstore = ruleOf(identity, issuer);
  writeFileSync(
    project.path("agentprint.config.json"),
    JSON.stringify({ statements: { notes: { from: FILE, sigstore, ...rule } } }),
  );
}

async function rulesFound(): Promise<string[]> {
  const { code, stdout, stderr } = await check();
  expect([0, 1], stderr).toContain(code);
  return JSON.parse(stdout).findings.map(({ rule }: { rule: string }) => rule);
}

/** Releases 1.2.0, which is pinned, and 1.2.1, each with a statement by the workflow. */
beforeAll(async () => {
  project = new AuthorProject();
  instance = await SigstoreInstance.start();
  writeFileSync(project.path(ROOT), instance.trustedRoot);
  writeFileSync(project.path("author.pub"), generateKeyPairSync("ed25519").publicKey.export(PEM));
  await using other = await SigstoreInstance.start();
  writeFileSync(project.path("other_root.json"), other.trustedRoot);
  vi.stubEnv("SIGSTORE_ID_TOKEN", identityToken(WORKFLOW, ISSUER));
  await project.release("1.2.0", [note("keep")]);
  for (const [name, args] of [
    ["mine", services()],
    ["other", [...services(other.url), "--sigstore", "other_root.json"]],
  ] as const) {
    rmSync(project.path(FILE), { force: true });
    const run = await project.run([...RELEASE, ...args]);
    if (run.code !== 0) throw new Error(run.stderr);
    BUNDLES.set(name, readFileSync(project.path(FILE), "utf8"));
  }
  writeFileSync(project.path("start.cjs"), 'require("./server.cjs");');
  await project.run(["pin", "--name", "notes", "--", "node", "start.cjs"]);
});
afterAll(async () => {
  project[Symbol.dispose]();
  await instance[Symbol.asyncDispose]();
});
beforeEach(() => {
  vi.stubEnv("SIGSTORE_ID_TOKEN", identityToken(WORKFLOW, ISSUER));
  show("mine");
  configure();
});
afterEach(() => vi.unstubAllEnvs());

test("a statement of the identity holds, and its lock keeps it", async () => {
  expect(await rulesFound()).toEqual([]);
  configure(WORKFLOW.replace("v1.2.0", "*"), ISSUER, { required: true });
  expect(await rulesFound()).toEqual([]);
  expect(await project.run(["pin", "--lock", "b.lock", "--name", "notes", "--", "node", "start.cjs"])).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining("statement/"),
  });
  const { statements } = JSON.parse(readFileSync(project.path("b.lock"), "utf8"));
  expect(statements).toMatchObject([{ server: "notes", version: "1.2.0" }]);
});

const prove = (...args: string[]) => project.run(["statement", FILE, "notes", "--format", "json", ...args]);

test("a bundle is proven only by the configuration's identities, even with a key", async () => {
  writeFileSync(project.path("old.statement.json"), BUNDLES.get("mine") ?? "");
  expect(await prove("--accepted", "old.statement.json")).toMatchObject({ code: 0 });
  const proven = await project.run(["statement", FILE, "notes", "--key", "author.pub", "--format", "json"]);
  expect(proven).toMatchObject({ code: 0 });
  expect(JSON.parse(proven.stdout).statement).toMatchObject({ version: "1.2.0", keyId: `${WORKFLOW} of ${ISSUER}` });
  writeFileSync(project.path("agentprint.config.json"), "{}");
  expect(await prove()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("sigstore of statements.notes in agentprint.config.json"),
  });
});

test.each<[string, () => void, string]>([
  ["of another identity", () => configure(WORKFLOW.replace("/me/", "/other/")), "statement/wrong-identity"],
  ["of another issuer", () => configure(WORKFLOW, "https://gitlab.com"), "statement/wrong-identity"],
  ["of another instance", () => show("other"), "statement/not-logged"],
  ["whose payload is another one", () => show(withPayload("e30=")), "statement/not-logged"],
  ["without an entry of a log", () => show(withEntries([])), "statement/not-logged"],
  ["that is damaged", () => show('{"dsseEnvelope":{}}'), "statement/unreadable"],
  [
    "without a bundle",
    () => show('{"payloadType":"application/vnd.in-toto+json","payload":"","signatures":[{"sig":""}]}'),
    "statement/wrong-key",
  ],
])("a statement %s is a difference", async (_, prepare, rule) => {
  prepare();
  expect(await rulesFound()).toEqual([rule]);
  const { code, stdout, stderr } = await prove();
  if (code === 1) expect(JSON.parse(stdout).findings).toMatchObject([{ rule }]);
  else expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("expected:") });
});

function withPayload(payload: string, name = "mine"): string {
  const bundle = JSON.parse(BUNDLES.get(name) ?? "");
  return JSON.stringify({ ...bundle, dsseEnvelope: { ...bundle.dsseEnvelope, payload } });
}

function withEntries(tlogEntries: readonly object[]): string {
  const bundle = JSON.parse(BUNDLES.get("mine") ?? "");
  return JSON.stringify({ ...bundle, verificationMaterial: { ...bundle.verificationMaterial, tlogEntries } });
}

test("a trusted root that cannot be read is an error of the configuration", async () => {
  writeFileSync(project.path("broken.json"), "{}");
  for (const trustedRoot of ["broken.json", "missing.json"]) {
    configure(WORKFLOW, ISSUER, { sigstore: ruleOf(WORKFLOW, ISSUER, trustedRoot) });
    expect(await check()).toMatchObject({ code: 2, stderr: expect.stringContaining(trustedRoot) });
  }
});

const SIGSTORE_GO = fileURLToPath(new URL("../../../../fixtures/tools/sigstore-go/", import.meta.url));

describe.skipIf(process.env["SIGSTORE_GO"] === undefined)(
  "sigstore-go (skipped without SIGSTORE_GO: Go compiles it for minutes)",
  () => {
    const go = (...args: string[]) => runProgram(project.path("sigstore-go"), args);

    beforeAll(() => {
      const args = ["build", "-o", project.path("sigstore-go"), "."];
      expect(runProgram("go", args, { cwd: SIGSTORE_GO }), "go build").toMatchObject({ status: 0 });
    });

    test("verifies the bundle", () => {
      const verify = (root: string, identity: string, issuer: string) =>
        go("verify", project.path(FILE), project.path(root), identity, issuer);
      expect(verify(ROOT, WORKFLOW, ISSUER)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining("/statement/v1"),
      });
      expect(verify("other_root.json", WORKFLOW, ISSUER)).toMatchObject({ status: 1 });
      expect(verify(ROOT, `${WORKFLOW}.1`, ISSUER)).toMatchObject({ status: 1 });
      expect(verify(ROOT, WORKFLOW, "https://gitlab.com")).toMatchObject({ status: 1 });
      show(withPayload("e30="));
      expect(verify(ROOT, WORKFLOW, ISSUER)).toMatchObject({ status: 1 });
    });

    test("signs a bundle that is proven here, and refuses others", async () => {
      const { payload } = JSON.parse(BUNDLES.get("mine") ?? "").dsseEnvelope;
      writeFileSync(project.path("payload.json"), Buffer.from(payload, "base64"));
      const args = ["sign", project.path("payload.json"), instance.url];
      const signed = await runBeside(project.path("sigstore-go"), args);
      expect(signed).toMatchObject({ code: 0 });
      BUNDLES.set("of Go", signed.stdout);
      show("of Go");
      expect(await prove()).toMatchObject({ code: 0 });
      expect(await rulesFound()).toEqual([]);
      for (const [identity, issuer] of [
        [`${WORKFLOW}.1`, ISSUER],
        [WORKFLOW, "https://gitlab.com"],
      ] as const) {
        configure(identity, issuer);
        expect(await rulesFound()).toEqual(["statement/wrong-identity"]);
      }
      configure(WORKFLOW, ISSUER, { sigstore: ruleOf(WORKFLOW, ISSUER, "other_root.json") });
      expect(await rulesFound()).toEqual(["statement/untrusted-certificate"]);
      configure();
      show(withPayload("e30=", "of Go"));
      expect(await rulesFound()).toEqual(["statement/not-logged"]);
    });
  },
);

test("evidence has a bundle, and a trusted root verifies it", async () => {
  await project.run(["pin", "--lock", "c.lock", "--name", "notes", "--", "node", "start.cjs"]);
  const make = () => project.run(["evidence", "audit.intoto.jsonl", "--lock", "c.lock"]);
  const verify = async (...args: string[]) => {
    const command = ["evidence", "verify", "audit.intoto.jsonl", "--format", "json", ...args];
    const { code, stdout, stderr } = await project.run(command);
    expect(stderr).toBe("");
    const findings: { rule: string; place: { subject: string } }[] = JSON.parse(stdout).findings;
    return { code, rules: findings.flatMap(({ rule, place }) => (place.subject === "statements/0.json" ? rule : [])) };
  };
  expect(await make()).toMatchObject({ code: 0, stderr: expect.stringContaining("3 parts") });
  expect(await verify("--sigstore", ROOT)).toEqual({ code: 2, rules: [] });
  expect(await verify()).toEqual({ code: 2, rules: ["evidence/not-verified"] });
  expect(await verify("--sigstore", "other_root.json")).toEqual({ code: 1, rules: ["evidence/statement-invalid"] });
  configure(WORKFLOW.replace("/me/", "/other/"));
  expect(await make()).toMatchObject({ code: 0 });
  expect(await verify("--sigstore", ROOT)).toEqual({ code: 1, rules: ["evidence/statement-invalid"] });
  configure();
  show(withPayload("e30="));
  expect(await make()).toMatchObject({ code: 1, stderr: expect.stringContaining("did not accept this statement") });
});

test("server.json names the bundle by its payload", async () => {
  const address = "https://notes.example/notes.statement.json";
  project.write("1.2.1", [note("keep")]);
  writeFileSync(project.path("server.json"), '{"name":"io.github.me/notes","description":"Notes.","version":"1.2.1"}');
  expect(await sign("--server-json", address)).toMatchObject({ code: 0 });
  const { payload } = JSON.parse(readFileSync(project.path(FILE), "utf8")).dsseEnvelope;
  const sha256 = createHash("sha256").update(Buffer.from(payload, "base64")).digest("hex");
  expect(readReference(JSON.parse(readFileSync(project.path("server.json"), "utf8")))).toMatchObject({
    address,
    sha256,
  });
  project.write("1.2.0", [note("keep")]);
});

test("a new statement follows the one in the file, unless that was changed", async () => {
  const digest = (text: string) =>
    JSON.parse(Buffer.from(JSON.parse(text).dsseEnvelope.payload, "base64").toString()).predicate.verdict;
  project.write("1.2.1", [note("keep")]);
  expect(await sign()).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`signed by ${WORKFLOW} of ${ISSUER}`),
  });
  expect(digest(readFileSync(project.path(FILE), "utf8"))).toMatchObject({
    against: { version: "1.2.0", statement: { sha256: expect.any(String) } },
  });
  show(withPayload("e30="));
  expect(await sign()).toMatchObject({ code: 2, stderr: expect.stringContaining("another statement") });
  project.write("1.2.0", [note("keep")]);
});

test("nothing is signed without a token, or with one that an instance refuses", async () => {
  vi.stubEnv("SIGSTORE_ID_TOKEN", "");
  expect(await sign()).toMatchObject({ code: 2, stderr: expect.stringContaining("id-token: write") });
  vi.stubEnv("SIGSTORE_ID_TOKEN", "hidden-and-no-token");
  const none = await sign();
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("the identity token is not valid") });
  expect(none.stderr + none.stdout).not.toContain("hidden-and-no-token");
  const token = identityToken("", "");
  vi.stubEnv("SIGSTORE_ID_TOKEN", token);
  const refused = await sign();
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be read") });
  for (const part of token.split(".")) expect(refused.stderr + refused.stdout).not.toContain(part);
  expect(readFileSync(project.path(FILE), "utf8")).toBe(BUNDLES.get("mine"));
});

test("a bundle that the trusted root does not know is not written", async () => {
  rmSync(project.path(FILE));
  const run = await sign("--sigstore", "other_root.json");
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("--sigstore") });
  expect(() => readFileSync(project.path(FILE))).toThrow("ENOENT");
});

test("options that have no effect together are refused", async () => {
  expect(await sign("--key", "author.pem")).toMatchObject({ code: 2, stderr: expect.stringContaining("--sigstore") });
  expect(await sign("--fulcio", "http://a.example")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("https"),
  });
});
