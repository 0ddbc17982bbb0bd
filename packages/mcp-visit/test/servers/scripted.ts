import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { type Script, ScriptedServer } from "./scripted-server.ts";

// A server over stdio that does what its argument says, a JSON object of `Script`.

const script = JSON.parse(process.argv[2] ?? "{}") as Script;

const server = new ScriptedServer(script, {
  write: (line) => process.stdout.write(line),
  end: (code) => process.exit(code),
});

if (script.log !== undefined) {
  const read = (file: string): string => readFileSync(file, "latin1");
  const stat = (pid: number): string[] =>
    read(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, "")
      .split(" ");
  const ancestors: string[] = [];
  for (let pid = process.ppid; pid > 1; pid = Number(stat(pid)[1])) {
    ancestors.push(`${read(`/proc/${pid}/comm`)}${read(`/proc/${pid}/cmdline`)}${read(`/proc/${pid}/environ`)}`);
  }
  server.log({ visitor: { argv: process.argv, env: process.env, title: process.title, ancestors } });
}

createInterface({ input: process.stdin }).on("line", (line) => server.receive(line));
