// Tests whether a registry's answer times reveal to one key which records another key has. Usage: tenant-timings.ts
// [--pairs <n>]: pairs per row, by default 10,000. Exit code 1: they do. Exit code 2: a control shows no difference, so
// nothing was tested.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EMPTY } from "@agentprint/testing/manifest/scoped-manifests";
import { startProcess } from "@agentprint/testing/registry-process";
import { killServices } from "@agentprint/testing/service-process";
import { type Ask, openAsker, type TimedAnswer } from "@agentprint/testing/tenant-timings/ask";
import { measureRows } from "@agentprint/testing/tenant-timings/measure-rows";
import { IDS, idOf, type Row } from "@agentprint/testing/tenant-timings/rows";
import { issueKey } from "../src/keys/keys.ts";
import { migrate } from "../src/store/migrations.ts";
import { openStore } from "../src/store/open-store.ts";

const OWN_NAME = "before";

const { values } = parseArgs({ options: { pairs: { type: "string", default: "10000" } } });
const folder = mkdtempSync(join(tmpdir(), "registry-tenants-"));
try {
  const database = `file:${join(folder, "registry.db")}`;
  const store = await openStore(database);
  await migrate(store.db);
  const [a, b] = [await issueKey(store, "a", new Date()), await issueKey(store, "b", new Date())];
  const known: string[] = [];
  for (let nth = 0; nth < IDS; nth++) known.push((await issueKey(store, "a", new Date())).token);
  await store.close();
  const registry = await startProcess({ database, failure_limit: "1000000000" });
  const asker = openAsker(registry.url);
  for (const [agent_id, { token }] of Object.entries({ a, b })) {
    await expectStatus(201, asker(change(token, "POST", "/agents", { agent_id, manifest: EMPTY })));
  }
  for (let nth = 0; nth < IDS; nth++) {
    await expectStatus(200, asker(change(a.token, "PATCH", "/agents/a", manifestOf(nth), idOf("theirs", nth))));
  }
  await expectStatus(200, asker(change(b.token, "PATCH", "/agents/b", manifestOf(0), OWN_NAME)));
  asker.close();
  process.exitCode = await measureRows(registry.url, rowsOf(b.token, known), Number(values.pairs));
  await registry.end();
} finally {
  killServices();
  rmSync(folder, { recursive: true });
}

async function expectStatus(expected: number, answer: Promise<TimedAnswer>): Promise<void> {
  const { status, text } = await answer;
  if (status !== expected) throw new Error(`expected ${expected}, received ${status}: ${text}`);
}

function rowsOf(token: string, known: readonly string[]): Row[] {
  return [
    {
      about: "control: the tenant's own `Idempotency-Key`, and a new one",
      ask: (whose, nth) => named(token, whose === "theirs" ? OWN_NAME : idOf(whose, nth)),
      answers: /"capability_manifest_version"|"status":412/,
      isControl: true,
    },
    {
      about: "`PATCH` with the other tenant's `Idempotency-Key`",
      ask: (whose, nth) => named(token, idOf(whose, nth)),
      answers: /"status":412/,
    },
    {
      about: "`PATCH` of the other tenant's agent",
      ask: (whose) => change(token, "PATCH", `/agents/${whose === "theirs" ? "a" : "z"}`, EMPTY),
      answers: /"status":403/,
    },
    {
      about: "a wrong token with the id of one of the other tenant's keys",
      ask: (whose, nth) => {
        const wrong = wrongToken(known[nth % known.length] ?? "", whose, nth);
        return change(wrong, "PATCH", "/agents/b", EMPTY);
      },
      answers: /"status":401/,
    },
  ];
}

/** Returns a change that is refused after its name is looked up, so that no name is used twice. */
function named(token: string, name: string): Ask {
  const ask = change(token, "PATCH", "/agents/b", manifestOf(0), name);
  return { ...ask, headers: { ...ask.headers, "if-match": '"other"' } };
}

/** Returns a token with a wrong secret and the id of a key, or an id that no key has. */
function wrongToken(token: string, whose: "theirs" | "nobodys", nth: number): string {
  const [prefix = "", id = "", secret = ""] = [token.slice(0, 4), token.slice(4, 20), token.slice(20)];
  const none = String(nth % IDS).padStart(id.length, "0");
  const changed = secret.endsWith("A") ? `${secret.slice(0, -1)}E` : `${secret.slice(0, -1)}A`;
  return prefix + (whose === "theirs" ? id : none) + changed;
}

function manifestOf(nth: number): object {
  return { ...EMPTY, agent_version: `1.0.${nth}` };
}

function change(token: string, method: string, path: string, body: object, name?: string): Ask {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return {
    method,
    path,
    headers: { ...headers, ...(name !== undefined && { "idempotency-key": name }) },
    body: JSON.stringify(body),
  };
}
