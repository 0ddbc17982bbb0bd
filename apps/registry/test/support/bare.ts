// Bare Hono routes to compare the registry with. PATCH parses, validates and hashes a manifest, and runs the same
// number of statements in one transaction on a database with the same settings; GET reads the version and compares the
// ETag. Usage: bare.ts <database file>
import type { AddressInfo } from "node:net";
import { canonicalizeManifest, hashManifest, parseManifest } from "@agentprint/manifest";
import { createAdaptorServer } from "@hono/node-server";
import Database from "better-sqlite3";
import { Hono } from "hono";

const [, , path = ":memory:"] = process.argv;
const database = new Database(path);
database.pragma("journal_mode = WAL");
database.pragma("synchronous = FULL");
database.exec(`create table agents (id text primary key, version integer, hash text);
create table manifests (hash text primary key, body text);
create table versions (agent_id text, version integer, hash text, changes text, primary key (agent_id, version));
create table records (task_id text, position integer, hash text, content text, primary key (task_id, position));
create table keys (id text primary key, hash text);
insert into agents values ('demo', 1, 'x');
insert into keys values ('key', 'x')`);
const statements = {
  key: database.prepare("select * from keys where id = ?"),
  agent: database.prepare("select * from agents where id = ?"),
  known: database.prepare("select * from records where task_id = ? and hash = ?"),
  head: database.prepare("select position, hash from records where task_id = ? order by position desc limit 1"),
  update: database.prepare("update agents set version = ?, hash = ? where id = ?"),
  manifest: database.prepare("insert into manifests values (?, ?) on conflict do nothing"),
  version: database.prepare("insert into versions values (?, ?, ?, ?)"),
  record: database.prepare("insert into records values (?, ?, ?, ?)"),
};
const app = new Hono();
app.patch("/agents/:id", async (context) => {
  statements.key.get("key");
  const parsed = parseManifest(new Uint8Array(await context.req.arrayBuffer()));
  if (!parsed.ok) return context.json(parsed.issues, 422);
  const hash = hashManifest(parsed.manifest);
  const id = context.req.param("id");
  const version = database.transaction(() => {
    const next = (statements.agent.get(id) as { version: number }).version + 1;
    statements.known.get(id, hash);
    statements.head.get(id);
    statements.update.run(next, hash, id);
    statements.manifest.run(hash, canonicalizeManifest(parsed.manifest));
    statements.version.run(id, next, hash, "[]");
    statements.record.run(id, next, hash, JSON.stringify({ id, next, hash }));
    return next;
  })();
  return context.json({ agent_id: id, capability_manifest_version: version, capability_manifest_hash: hash });
});
app.get("/agents/:id", (context) => {
  const { version, hash } = statements.agent.get(context.req.param("id")) as { version: number; hash: string };
  const tag = `"${version}-${hash}"`;
  context.header("ETag", tag);
  return context.req.header("if-none-match") === tag ? context.body(null, 304) : context.json({ version, hash });
});
const server = createAdaptorServer({ fetch: app.fetch });
server.listen(0, "127.0.0.1", () => {
  console.log(`The registry answers at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once("SIGTERM", () => process.exit(0));
