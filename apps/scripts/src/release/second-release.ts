import { strict as assert } from "node:assert";
import { copyFileSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { LocalRegistry } from "@agentprint/testing/npm-registry/local-registry";
import type { Project } from "./project.ts";
import { runIn } from "./project.ts";
import { checkManifests, readPublished } from "./published.ts";
import { releaseCopy, versionsIn, type WorkspaceCopy } from "./workspace-copy.ts";

const SERVER = ["node", "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", "."];
const CONFIGURATION = {
  preset: "compatible",
  rules: { "mcp/item-removed": "error" },
  servers: { files: { calls: { read_file: { ask: true } } } },
};
const SPEC = { model: "m", systemPrompt: "p", tools: [{ name: "t", description: "d", parameters: {} }] };
const SESSION = "write-session.mjs";
const LOCK = "agentprint.lock";

/** Appends a thought, verifies the store, and records and reads sessions. */
function keepTrails({ run, bin }: Project, session: string, sessions: number): void {
  const agentprint = bin("agentprint");
  run(agentprint, ["trail", "append", "file:kept.db", session, "--task", "t", "--agent", "a", "--type", "plan"]);
  const { stdout } = run(agentprint, ["trail", "verify", "file:kept.db"]);
  assert.ok(stdout.includes(`${sessions} record`), stdout);
  assert.equal(run(process.execPath, [SESSION, "sessions", session]).stdout.trim(), String(sessions));
}

/**
 * Uses the first release to write the data that people keep: a lock with a policy, trails, checkpoints, a fingerprint.
 */
export function writeWithFirst(project: Project): void {
  const { folder, run, bin } = project;
  const agentprint = bin("agentprint");
  copyFileSync(fileURLToPath(new URL(SESSION, import.meta.url)), join(folder, SESSION));
  writeFileSync(join(folder, "agentprint.config.json"), JSON.stringify(CONFIGURATION));
  writeFileSync(join(folder, "spec.json"), JSON.stringify(SPEC));
  run(agentprint, ["pin", "--name", "files", "--", ...SERVER]);
  keepTrails(project, "first", 1);
  run(agentprint, ["trail", "keygen", "log.example.org/kept", "kept.key"]);
  const checkpoint = ["trail", "checkpoint", "file:kept.db", "--task", "t", "--origin", "log.example.org/kept"];
  run(agentprint, [...checkpoint, "--key-file", "kept.key"]);
  writeFileSync(
    join(folder, "kept-hash.json"),
    run(agentprint, ["spec", "hash", "--format", "json", "spec.json"]).stdout,
  );
}

/** Uses the installed release to read, verify and renew what {@link writeWithFirst} wrote. */
function readWithNext(project: Project): void {
  const { folder, run, bin } = project;
  const agentprint = bin("agentprint");
  const lock = (): string => readFileSync(join(folder, LOCK), "utf8");
  const written = lock();
  run(agentprint, ["check"]);
  run(agentprint, ["approve", "files"]);
  assert.equal(lock(), written, "approving what did not change writes the same lock");
  writeFileSync(join(folder, "agentprint.config.json"), JSON.stringify({ ...CONFIGURATION, preset: "strict" }));
  run(agentprint, ["approve", "--policy", "--yes"]);
  assert.notEqual(lock(), written, "the lock holds the policy that was accepted");
  run(agentprint, ["check"]);
  keepTrails(project, "second", 2);
  assert.equal(
    run(agentprint, ["spec", "hash", "--format", "json", "spec.json"]).stdout,
    readFileSync(join(folder, "kept-hash.json"), "utf8"),
  );
}

/** Writes a changeset into a copy of the workspace. */
function addChangeset({ folder }: WorkspaceCopy, name: string, bump: "patch" | "minor" | "major"): void {
  writeFileSync(join(folder, ".changeset", `${bump}.md`), `---\n"${name}": ${bump}\n---\n\nA ${bump} of ${name}.\n`);
}

/**
 * Releases a patch and a minor version after the first release, installs them where the first was used, and continues
 * there. `project` is where {@link writeWithFirst} wrote. Also throws if a changed digest could be released without a
 * major version.
 */
export async function releaseAgain(copy: WorkspaceCopy, registry: LocalRegistry, project: Project): Promise<void> {
  const first = versionsIn(copy);
  addChangeset(copy, "@agentprint/findings", "patch");
  addChangeset(copy, "@agentprint/canonical-json", "minor");
  const next = releaseCopy(copy);
  assert.equal(next.get("@agentprint/findings"), "0.1.1");
  assert.equal(next.get("@agentprint/canonical-json"), "0.2.0");
  assert.notEqual(next.get("agentprint"), first.get("agentprint"), "the command includes both");
  checkManifests(await readPublished(registry, next));
  project.install(...Array.from(next, ([name, version]) => `${name}@${version}`));
  const nested = globSync("node_modules/**/node_modules/@agentprint/*", { cwd: project.folder });
  assert.deepEqual(nested, [], "each package is installed once");
  readWithNext(project);
  const changed = [...next].filter(([name, version]) => first.get(name) !== version).length;
  console.log(
    `${changed} of ${next.size} packages have a new version, and read, verify and renew what the first release wrote`,
  );
  refuseChangedDigest(copy, registry);
}

/** Changes the digest of a spec, and checks that this may be released only as a major version, not as a patch. */
function refuseChangedDigest(copy: WorkspaceCopy, registry: LocalRegistry): void {
  const file = join(copy.folder, "packages/drover/src/hash-spec.ts");
  const code = readFileSync(file, "utf8");
  const changed = code.replace("Math.imul(hash, 31)", "Math.imul(hash, 33)");
  assert.notEqual(changed, code);
  writeFileSync(file, changed);
  const gate = ["--conditions=@agentprint/source", "apps/scripts/src/release/released-vectors.ts"];
  for (const [bump, code] of [
    ["patch", 1],
    ["major", 0],
  ] as const) {
    addChangeset(copy, "@agentprint/drover", bump);
    copy.pnpm("release:version");
    const { stderr } = runIn(copy.folder, registry.env)(process.execPath, gate, { code });
    assert.equal(/@agentprint\/drover .* needs a new major version/.test(stderr), code === 1);
    console.log(
      `a changed digest of a spec as a ${bump} of @agentprint/drover: ${code === 1 ? "refused" : "accepted"}`,
    );
  }
}
