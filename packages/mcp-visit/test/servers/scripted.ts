import { createInterface } from "node:readline";
import { processesFrom } from "../support/shown-process.ts";
import { type Script, ScriptedServer } from "./scripted-server.ts";

// A stdio server that follows its argument, a `Script` as a JSON object.

const script = JSON.parse(process.argv[2] ?? "{}") as Script;

const server = new ScriptedServer(script, {
  write: (line) => process.stdout.write(line),
  end: (code) => process.exit(code),
});

if (script.log !== undefined) {
  const ancestors = [...processesFrom(process.ppid)];
  server.log({ visitor: { argv: process.argv, env: process.env, title: process.title, ancestors } });
}

createInterface({ input: process.stdin }).on("line", (line) => server.receive(line));
