import { basename } from "node:path";
import { count, EXIT, type ExitCode } from "@agentprint/findings";
import type { LockFile } from "@agentprint/mcp-lock";
import { createVerifier, type StatementSigner } from "@agentprint/statement";
import {
  createEvidence,
  type Evidence,
  type EvidenceInput,
  type EvidencePeriod,
  type EvidenceSource,
  sealEvidence,
  verifyEvidence,
} from "@agentprint/statement/evidence";
import type { TrailStore } from "@agentprint/trail-store";
import type { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { readRegularFile } from "../files/read-input.ts";
import { replaceFile } from "../files/replace-file.ts";
import { DEFAULT_LOCK, readLock } from "../lock/read-lock.ts";
import { policyFileOf, readConfigurationText, readPolicy } from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { MAX_ATTESTATION_BYTES } from "../statement/attestations.ts";
import { findStatement } from "../statement/author-statements.ts";
import { listAttestations } from "../statement/list-attestations.ts";
import { readable, readSigner } from "../statement/read-statement.ts";
import { refuseSecrets } from "../statement/refuse-secrets.ts";
import type { Examples } from "../terminal/examples.ts";
import { printNotices } from "../terminal/notices.ts";
import { collect, utcTime } from "../terminal/option-parsers.ts";
import { requireTask, withStore } from "../trail/source.ts";
import { openTask } from "../trail/stored-task.ts";

interface EvidenceOptions extends EvidencePeriod {
  readonly lock: string;
  readonly trail?: string;
  readonly task?: readonly string[];
  readonly key?: string;
}

export const examples: Examples = [
  [
    "agentprint evidence audit.intoto.jsonl --trail file:trail.db --from 2026-01-01 --to 2026-02-01 --key maker.pem",
    "the signed evidence for January",
  ],
  [
    "agentprint evidence verify audit.intoto.jsonl --key maker.pub --log <key> --origin <origin>",
    "what an auditor runs",
  ],
];

export function define(command: Command): void {
  command
    .enablePositionalOptions()
    .argument("<out>", "the file to write, by convention <name>.intoto.jsonl")
    .option("-l, --lock <file>", "the lock file", DEFAULT_LOCK)
    .option("--trail <store>", "the store of the trail: file:<path> or postgres://…")
    .option("--task <id>", "only this task; may be repeated", collect)
    .option("--from <time>", "the beginning of the period: 2026-01-31 or 2026-01-31T12:00:00Z, in UTC", utcTime)
    .option("--to <time>", "the end of the period, which is not part of it", utcTime)
    .option("--key <file>", "your private Ed25519 key, in PEM; without one the file is not signed");
}

export async function run(context: Context, out: string, options: EvidenceOptions): Promise<ExitCode> {
  const { lock, trail, from, to, key } = options;
  if (trail === undefined && [options.task, from, to].some((option) => option !== undefined)) {
    throw new CliError("usage", "a task and a period belong to a trail", { expected: "--trail <store>" });
  }
  const signer = key === undefined ? undefined : await readSigner(context, key);
  const files = await filesBeside(context, lock);
  const make = (trails: EvidenceInput["trails"]): Promise<Evidence> =>
    createEvidence({
      ...files,
      made: new Date(),
      versions: { agentprint: packageJson.version, node: process.versions.node },
      period: { ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
      trails,
    });
  const evidence =
    trail === undefined
      ? await make([])
      : await withStore(context, trail, "read", (store) => make(sourcesOf(store, options.task)));
  await refuseSecrets(context, lock, evidence);
  const text = readable("the evidence", "name a period that ends after it begins", () =>
    sealEvidence(evidence, signer),
  );
  await replaceFile(context, out, text);
  context.stderr.write(`wrote ${out}: ${count(evidence.subject.length, "part")}, ${signed(signer)}\n`);
  return noteDifferences(context, text, signer);
}

function signed(signer: StatementSigner | undefined): string {
  return signer === undefined ? "not signed" : `signed by the key ${signer.keyId}`;
}

type Files = Pick<EvidenceInput, "lock" | "configuration" | "attestations" | "statements">;

/** Reads the lock, and the files next to it. */
async function filesBeside(context: Context, file: string): Promise<Files> {
  const { lock, text } = await readLock(context, file);
  const configuration = await readConfigurationText(context, { lock: file });
  const attestations = await listAttestations(context, file);
  return {
    lock: { name: basename(file), bytes: text },
    ...(configuration && { configuration: { name: basename(policyFileOf({ lock: file })), bytes: configuration } }),
    attestations: await Promise.all(
      attestations.map(async (path) => ({
        name: basename(path),
        bytes: await readRegularFile(context, path, MAX_ATTESTATION_BYTES),
      })),
    ),
    statements: await statementsOf(context, file, lock),
  };
}

/**
 * Reads the authors' statements that the lock accepted, from the places that the policy names; reports unreadable
 * ones.
 */
async function statementsOf(
  context: Context,
  file: string,
  { servers, statements = [] }: LockFile,
): Promise<Files["statements"]> {
  if (statements.length === 0) return [];
  const { policy } = await readPolicy(context, { lock: file });
  const all = await Promise.all(
    statements.map(async ({ server }) => {
      const rule = Object.hasOwn(policy.statements ?? {}, server) ? policy.statements?.[server] : undefined;
      const entry = servers.find(({ name }) => name === server);
      if (rule === undefined || entry === undefined) return [];
      const found = await findStatement(context, rule, file, entry.launch);
      if ("statement" in found) return [{ server, bytes: found.statement }];
      printNotices(context, [`the statement about ${server} is not in the evidence: ${found.reason}`]);
      return [];
    }),
  );
  return all.flat();
}

/** Yields the chains of a store, or those of some tasks. */
async function* sourcesOf(
  store: TrailStore,
  tasks: readonly string[] | undefined,
): AsyncGenerator<EvidenceSource, void> {
  const sourceOf = async (task: string): Promise<EvidenceSource> => ({
    task,
    ...(await openTask(store, task)),
    checkpoints: await store.checkpoints(task),
  });
  if (tasks === undefined) {
    for await (const { taskId } of store.tasks()) yield await sourceOf(taskId);
    return;
  }
  for (const task of new Set(tasks)) {
    await requireTask(store, task);
    yield await sourceOf(task);
  }
}

/** Prints the problems that an auditor, whose keys are unknown here, will find. */
function noteDifferences(context: Context, text: string, signer: StatementSigner | undefined): ExitCode {
  const { problems, outcome } = verifyEvidence(text, { keys: signer ? [createVerifier(signer.publicKey)] : [] });
  const wrong = problems.filter(({ rule }) => rule !== "evidence/not-verified" && rule !== "evidence/earlier-entry");
  printNotices(
    context,
    wrong.map(({ rule, part, message }) => `${part}: ${message} (${rule})`),
  );
  return outcome === "drift" ? EXIT.drift : EXIT.same;
}
