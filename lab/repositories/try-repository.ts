import { execFile } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type NotPinned, readInit } from "./read-init.ts";

/** The outcome of trying one repository. */
export interface Tried {
  readonly repository: string;
  /** The names of the clients whose configurations have servers. */
  readonly clients: readonly string[];
  readonly servers: number;
  readonly pinned: number;
  readonly notPinned: readonly NotPinned[];
  /** The outcome of each check, in words. */
  readonly checks: readonly string[];
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const AGENTPRINT = fileURLToPath(new URL("../../apps/cli/dist/main.js", import.meta.url));
const TIMEOUT_MS = 900_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** The environment variables that the commands receive: certificates, but nothing that belongs to an account. */
const PASSED = ["HOME", "LANG", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"];

/**
 * Runs `init` and two checks in a copy of a repository.
 *
 * @param places.scratch The folder for the copy
 * @param places.programs The folder whose programs come first in the second check
 */
export async function tryRepository(
  folder: string,
  repository: string,
  { scratch, programs }: { readonly scratch: string; readonly programs: string },
): Promise<Tried> {
  const copy = join(scratch, repository.replace("/", "+"));
  cpSync(folder, copy, { recursive: true });
  try {
    const path = process.env["PATH"] ?? "";
    const init = await run(copy, path, "init", "--yes", "--scope", "project", "--ci", "none");
    const checks = [
      await run(copy, path, "check", "--format", "json"),
      await run(copy, programs + delimiter + path, "check", "--format", "json"),
    ];
    return { repository, ...readInit(init.stdout, init.stderr), checks: checks.map(outcomeOf) };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function run(cwd: string, path: string, ...args: string[]): Promise<Ran> {
  const env = Object.fromEntries(PASSED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  const options = { cwd, env: { ...env, PATH: path }, timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES };
  return new Promise((resolve) => {
    const child = execFile("node", [AGENTPRINT, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : -1, stdout, stderr });
    });
    child.stdin?.end();
  });
}

/** Returns the exit code of a check, with the rules of its errors and warnings; `no lock` if nothing was pinned. */
function outcomeOf({ code, stdout, stderr }: Ran): string {
  if (stderr.includes("missing-lock")) return "no lock";
  if (!stdout.startsWith("{")) return String(code);
  const { findings } = JSON.parse(stdout) as { findings: readonly { rule: string; level: string }[] };
  const counted = new Map<string, number>();
  for (const { rule, level } of findings) if (level !== "note") counted.set(rule, (counted.get(rule) ?? 0) + 1);
  const rules = [...counted].sort().map(([rule, times]) => `${times} ${rule}`);
  return rules.length === 0 ? String(code) : `${code}: ${rules.join(", ")}`;
}
