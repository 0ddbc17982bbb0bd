import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { computeHash, type ThoughtRecord } from "@agentprint/trail/record";
import { expectStory, heading, say, show } from "./story.ts";

const REGISTRY = fileURLToPath(new URL("../../registry/dist/main.js", import.meta.url));
const POLL_MS = 200;
const TASK = "agents/weather";

/** A question that asks a user about one permission. */
interface Asked {
  readonly id: string;
  readonly accepted_sensitivity: string | null;
  readonly ask: string;
  readonly asked_anew: boolean;
}

/** Publishes a manifest, then weakens it: the registry names the users to ask, and a rewritten history is detected. */
export async function tellOfRegistry(first: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "agentprint-demo-registry-"));
  const env = {
    AGENTPRINT_REGISTRY_LOG_LEVEL: "silent",
    AGENTPRINT_REGISTRY_PORT: "0",
    AGENTPRINT_REGISTRY_CHECKPOINT_INTERVAL_SECONDS: "1",
  };
  const words = { cwd: folder, env: { ...process.env, ...env }, encoding: "utf8" } as const;
  const { stdout: token } = spawnSync(process.execPath, [REGISTRY, "keys", "issue", "--agent", "weather"], words);
  const registry = spawn(process.execPath, [REGISTRY], {
    cwd: folder,
    env: words.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = await addressOf(registry);
    process.env["AGENTPRINT_PUBLISH_TOKEN"] = token.trim();
    const publish = ["manifest", "publish", "manifest.json", "--registry", url, "--agent", "weather"];

    heading(first, "You publish what your agent may do; users read it and agree.");
    writeManifest(folder, "high");
    show(folder, [...publish, "--create"], 0);

    heading(first + 1, "The next version asks less often for the location, and wants the clipboard.");
    writeManifest(folder, "low", "clipboard:read");
    show(folder, publish, 1);
    say("Nothing is published before someone accepts it.");
    show(folder, [...publish, "--accept"], 0);

    heading(first + 2, "Who must be asked? A user who accepted version 1:");
    const { scopes } = (await (await fetch(`${url}/agents/weather/consent?accepted=1`)).json()) as { scopes: Asked[] };
    for (const { id, ask, asked_anew } of scopes) {
      console.log(
        `   ${id.padEnd(16)} ${ask.padEnd(12)} ${asked_anew ? "is new to the user" : "as the user accepted it"}`,
      );
    }
    expectStory(
      scopes.map(({ ask, asked_anew }) => `${ask} ${asked_anew}`).join() === "every_call false,first_use true",
      "the location should be asked for at every call as before, and the clipboard again",
    );
    say("The location is low now, but the user agreed to high: they are still asked at every call.");

    heading(first + 3, "Someone with the database rewrites history: version 2 weakened nothing.");
    const { checkpoint, origin, verifier_key } = await historyOf(url);
    writeFileSync(join(folder, "kept.checkpoint"), checkpoint);
    await end(registry);
    rewrite(join(folder, "registry.db"));
    say("The hash of the record was recomputed, so that the chain fits. The checkpoint that you kept does not.");
    const trust = ["--key", verifier_key, "--origin", origin, "--checkpoint", "kept.checkpoint"];
    show(folder, ["trail", "verify", "file:registry.db", "--task", TASK, ...trust], 1);
  } finally {
    delete process.env["AGENTPRINT_PUBLISH_TOKEN"];
    await end(registry);
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeManifest(folder: string, location: "high" | "low", ...more: string[]): void {
  const scopes = [
    { id: "location:read", label_i18n_key: "scopes.location", sensitivity: location },
    ...more.map((id) => ({ id, label_i18n_key: `scopes.${id}`, sensitivity: "medium" })),
  ];
  const manifest = {
    schema_version: "1.0",
    agent_version: `1.${more.length}.0`,
    tools: scopes.map(({ id }) => ({
      name: `use_${id.replace(":", "_")}`,
      description_i18n_key: `tools.${id}`,
      input_schema: { type: "object", additionalProperties: false },
      permission_scope: id,
    })),
    permission_scopes: scopes,
    capability_flags: {},
  };
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Returns the address that a registry prints. */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout) {
    for await (const line of createInterface({ input: stdout })) {
      const [, url] = /^The registry answers at (\S+)$/.exec(line) ?? [];
      if (url !== undefined) return url;
    }
  }
  expectStory(false, "the registry should print its address");
}

interface SignedHistory {
  readonly checkpoint: string;
  readonly origin: string;
  readonly verifier_key: string;
}

/** Waits until a checkpoint of both versions is signed, and returns the agent's history. */
async function historyOf(url: string): Promise<SignedHistory> {
  for (;;) {
    const history = (await (await fetch(`${url}/agents/weather/history`)).json()) as SignedHistory;
    if (history.checkpoint?.includes("\n2\n")) return history;
    await delay(POLL_MS);
  }
}

async function end(registry: ChildProcess): Promise<void> {
  if (registry.exitCode !== null || registry.signalCode !== null) return;
  registry.kill();
  await once(registry, "exit");
}

/** Changes the newest record and its hash, as anyone with write access to the database can. */
function rewrite(path: string): void {
  const database = new DatabaseSync(path);
  const where = "where task_id = ? and position = 1";
  const record = database.prepare(`select * from thoughts ${where}`).get(TASK) as unknown as ThoughtRecord;
  const content = record.content.replace('"weakens_consent":true', '"weakens_consent":false');
  expectStory(content !== record.content, "the record should say that the version weakens consent");
  database.exec("drop trigger thoughts_no_update");
  database
    .prepare(`update thoughts set content = ?, hash = ? ${where}`)
    .run(content, computeHash({ ...record, content }), TASK);
  database.close();
}
