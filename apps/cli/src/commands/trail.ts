import { randomBytes } from "node:crypto";
import { THOUGHT_TYPES, type ThoughtType } from "@agentprint/trail";
import { formatThoughtLine } from "@agentprint/trail/chain";
import { createInclusionProof, createNoteKeys, createNoteSigner } from "@agentprint/trail/checkpoint";
import type { TrailStore } from "@agentprint/trail-store";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CliError } from "../errors.ts";
import { formatJson } from "../json/format-json.ts";
import { readInput } from "../json/read-input.ts";
import { positiveInteger } from "../options.ts";
import { replaceFile } from "../replace-file.ts";
import { addExamples } from "../terminal/examples.ts";
import { addReportOptions } from "../terminal/write-report.ts";
import { readText, withStore } from "../trail/source.ts";
import { readTrailText } from "../trail/trail-text.ts";
import { type VerifyOptions, verify } from "../trail/verify.ts";

const MAX_WORKERS = 64;
const MAX_CONTENT_BYTES = 4 * 2 ** 20;
const print = (text: string): void => void process.stdout.write(text);
const list = (value: string, previous: readonly string[] = []): string[] => [...previous, value];

/** Commander argument parser: each worker has a heap, and a connection, of its own. */
function workerCount(text: string): number {
  const workers = positiveInteger(text);
  if (workers > MAX_WORKERS) throw new InvalidArgumentError(`expected at most ${MAX_WORKERS}.`);
  return workers;
}

/** Commander argument parser. */
function recordIndex(text: string): number {
  const index = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(index)) throw new InvalidArgumentError("expected a whole number.");
  return index;
}

async function expectTask(store: TrailStore, task: string): Promise<void> {
  if (await store.head(task)) return;
  throw new CliError("unreadable-input", `there is no record of task ${task}`);
}

interface AppendOptions {
  readonly task: string;
  readonly agent: string;
  readonly type: ThoughtType;
  readonly id?: string;
}

export function registerTrail(program: Command): void {
  const trail = program
    .command("trail")
    .description("Keep an agent's thoughts in a hash chain, and see what was changed");
  registerWriting(trail);
  registerReading(trail);
  registerChecking(trail);
}

function registerWriting(trail: Command): void {
  const append = trail
    .command("append")
    .description("Record a thought; its content is the argument, or standard input")
    .argument("<store>", "file:<path> or postgres://…; made where it is not there")
    .argument("[content]", "what was thought")
    .requiredOption("--task <id>", "the task whose chain it continues")
    .requiredOption("--agent <id>", "who thought it")
    .addOption(new Option("--type <type>", "kind of thought").choices(THOUGHT_TYPES).makeOptionMandatory())
    .option("--id <id>", "names it once and for all, so that a repeated append changes nothing")
    .action(async (url: string, content: string | undefined, options: AppendOptions) => {
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      const text = content ?? decoder.decode(await readInput("-", MAX_CONTENT_BYTES));
      const { task, agent, type, id } = options;
      const input = { type, task_id: task, agent_id: agent, content: text, ...(id === undefined ? {} : { id }) };
      print(formatThoughtLine(await withStore(url, "create", (store) => store.append(input))));
    });
  addExamples(append, [
    ['agentprint trail append file:trail.db --task t1 --agent planner --type plan "Migrate."', "prints the record"],
  ]);
  trail
    .command("import")
    .description("Add the whole chains of a JSON Lines file: verified first, all or nothing")
    .argument("<store>", "file:<path> or postgres://…; made where it is not there")
    .argument("[file]", "JSON Lines text, or - for standard input", "-")
    .action(async (url: string, file: string) => {
      const { added, known } = await withStore(url, "create", (store) => store.import(readTrailText(file)));
      print(`${added} records added, ${known} already there\n`);
    });
}

function registerReading(trail: Command): void {
  trail
    .command("list")
    .description("Print records of a task, or the tasks, as JSON Lines")
    .argument("<store>", "file:<path> or postgres://…")
    .option("--task <id>", "records of this task")
    .option("--after <index>", "records behind this index", recordIndex)
    .option("--limit <n>", "how many records", positiveInteger, 100)
    .action(async (url: string, options: { task?: string; after?: number; limit: number }) => {
      const { task, ...page } = options;
      await withStore(url, "read", async (store) => {
        if (task !== undefined) {
          await expectTask(store, task);
          for (const record of (await store.list(task, page)).records) print(formatThoughtLine(record));
        } else for await (const entry of store.tasks()) print(formatJson(entry));
      });
    });
  trail
    .command("show")
    .description("Print one record")
    .argument("<store>", "file:<path> or postgres://…")
    .argument("<id>", "its id")
    .action(async (url: string, id: string) => {
      const record = await withStore(url, "read", (store) => store.get(id));
      if (!record) throw new CliError("unreadable-input", `there is no record ${id}`);
      print(formatThoughtLine(record));
    });
  trail
    .command("export")
    .description("Print all records, or those of a task, as JSON Lines")
    .argument("<store>", "file:<path> or postgres://…")
    .option("--task <id>", "only this task")
    .action((url: string, { task }: { task?: string }) =>
      withStore(url, "read", async (store) => {
        if (task !== undefined) await expectTask(store, task);
        for await (const line of store.export(task)) print(line);
      }),
    );
}

function registerChecking(trail: Command): void {
  const verifying = trail
    .command("verify")
    .description("Verify a store, a JSON Lines file or standard input, and say which record was altered, cut or forked")
    .argument("[source]", "file:<path>, postgres://…, a JSON Lines file, or - for standard input", "-")
    .option("--task <id>", "only this task")
    .option("--checkpoint <file>", "a signed checkpoint that was kept elsewhere; may be repeated", list)
    .option("--key <key>", "verifier key of the log that signed it, and those in the store")
    .option("--origin <origin>", "what it must be a checkpoint of")
    .option("--witness <key>", "cosigner key of a witness; may be repeated", list)
    .option("--threshold <n>", "how many witnesses must have cosigned", positiveInteger)
    .option(
      "--workers <n>",
      `threads that verify the tasks side by side, at most ${MAX_WORKERS}; the report is the same`,
      workerCount,
      1,
    )
    .action(async (source: string, options: VerifyOptions) => {
      process.exitCode = await verify(source, options);
    });
  addReportOptions(verifying);
  addExamples(verifying, [
    ["agentprint trail verify file:trail.db", "every task of a store"],
    ["agentprint trail verify file:trail.db --workers 4", "many tasks, four at a time"],
    [
      "agentprint trail verify file:trail.db --key <key> --origin <origin>",
      "against the checkpoints in the store, too",
    ],
    ["agentprint trail verify --format json < trail.jsonl", "for scripts"],
  ]);
  trail
    .command("keygen")
    .description("Make a key for checkpoints: the secret into a file, the public keys onto standard output")
    .argument("<name>", "of the log or witness, by convention a URL without scheme")
    .argument("<file>", "where the secret key goes; must not exist")
    .action(async (name: string, file: string) => {
      const { signerKey, verifierKey, cosignerKey } = createNoteKeys(name, randomBytes(32));
      const { writeFile } = await import("node:fs/promises");
      await writeFile(file, `${signerKey}\n`, { mode: 0o600, flag: "wx" });
      print(`${verifierKey}\n${cosignerKey}\n`);
    });
  trail
    .command("checkpoint")
    .description("Sign the chain of a task as it is; the signed note is stored and printed")
    .argument("<store>", "file:<path> or postgres://…")
    .requiredOption("--task <id>", "whose chain")
    .requiredOption("--origin <origin>", "what names the log, by convention a URL without scheme")
    .requiredOption("--key-file <file>", "the secret key that keygen wrote")
    .option("--authors", "cover who wrote each record, too", false)
    .option("-o, --output <file>", "write the note to a file instead of standard output")
    .action(
      async (url: string, options: Record<"task" | "origin" | "keyFile" | "output", string> & { authors: boolean }) => {
        const { task, origin, authors, output } = options;
        const signers = [createNoteSigner((await readText(options.keyFile)).trim())];
        const note = await withStore(url, "write", async (store) => {
          await expectTask(store, task);
          return store.checkpoint(task, { origin, signers, authors });
        });
        if (output === undefined) print(note);
        else await replaceFile(output, note);
      },
    );
  trail
    .command("prove")
    .description("Print the proof that a record is in the chain of the first --size records of its task")
    .argument("<store>", "file:<path> or postgres://…")
    .argument("<id>", "the record's id")
    .option("--size <n>", "size of the checkpoint; default: the whole chain", positiveInteger)
    .action((url: string, id: string, { size }: { size?: number }) =>
      withStore(url, "read", async (store) => {
        const record = await store.get(id);
        if (!record) throw new CliError("unreadable-input", `there is no record ${id}`);
        const hashes: string[] = [];
        for await (const { hash } of store.read(record.task_id)) hashes.push(hash);
        const proof = await createInclusionProof(hashes, hashes.indexOf(record.hash), size ?? hashes.length);
        print(formatJson({ recordHash: record.hash, ...proof }));
      }),
    );
}
