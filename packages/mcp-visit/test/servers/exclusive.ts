import { existsSync, openSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Script } from "./scripted-server.ts";

// The scripted server, of which only one process can run at a time: exclusive.ts <script> <kind> <port or file>. A
// second process ends ("port", "file"), waits ("wait"), cannot read its tools ("database"), ends when they are
// requested ("late"), or has other tools ("other").

export type Kind = "port" | "file" | "wait" | "database" | "late" | "other";

const [, , text = "{}", kind, place = ""] = process.argv;

async function takesPort(): Promise<boolean> {
  const server = createServer().unref();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(Number(place), "127.0.0.1", () => resolve(true));
  });
}

function takesFile(): boolean {
  try {
    openSync(place, "wx");
  } catch {
    return false;
  }
  process.once("exit", () => rmSync(place, { force: true }));
  process.once("SIGTERM", () => process.exit());
  return true;
}

const isFirst = kind === "port" ? await takesPort() : takesFile();
if (!isFirst && kind === "wait") while (existsSync(place) || !takesFile()) await delay(5);
if (!isFirst && (kind === "port" || kind === "file")) {
  process.stderr.write(`${place} is in use\n`);
  process.exit(1);
}
const changes: Partial<Record<string, Script>> = {
  database: { errors: { "tools/list": { code: -32000, message: "database is locked" } } },
  late: { exitOn: "tools/list" },
  other: { results: { "tools/list": [{ tools: [] }] } },
};
if (!isFirst) process.argv[2] = JSON.stringify({ ...JSON.parse(text), ...changes[kind ?? ""] });
await import("./scripted.ts");
