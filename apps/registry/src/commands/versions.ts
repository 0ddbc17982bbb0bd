import { readFileSync } from "node:fs";
import { hashManifest, parseManifest } from "@agentprint/manifest";
import { readReached } from "@agentprint/registry-api";
import type { SignerKey } from "@agentprint/trail-store";
import { type Command, InvalidArgumentError } from "commander";
import { loadSigning } from "../config/signer-key.ts";
import { predecessorsOf } from "../elsewhere/kept-notes.ts";
import { RegistryError } from "../errors.ts";
import { listLost } from "../rollback/list-lost.ts";
import { settleAgent, settleRest } from "../rollback/settle.ts";
import { listSuccessions } from "../signer/rotate-signer.ts";
import { ManifestCache } from "../store/manifest-cache.ts";
import type { RegistryStore } from "../store/open-store.ts";
import { createAgent, publishVersion } from "../store/publish.ts";
import type { Surroundings } from "../surroundings.ts";
import { agentId } from "./agent-id.ts";
import { withExistingStore, withStore } from "./with-store.ts";

/** Replaces the key's id for a version that an operator restored. */
const OPERATOR = "operator";

/**
 * `versions`: lists the versions lost in a rollback, restores them, and declares the last version that each agent had
 * reached.
 */
export function addVersionCommands(program: Command, surroundings: Surroundings): void {
  const { stdout } = surroundings;
  const versions = program.command("versions").description("list and restore versions that a rollback lost");
  versions
    .command("lost")
    .description("list lost and unknown versions, one agent per line")
    .action(() =>
      withExistingStore(surroundings, async ({ db }) => {
        for (const line of await listLost(db)) stdout.write(`${line}\n`);
      }),
    );
  versions
    .command("give-back")
    .description("restore an agent's next lost version from the copy of someone who pulled it")
    .argument("<agent>", "the id of the agent", agentId)
    .argument("<file>", "the manifest of the version, as `agentprint manifest pull` wrote it")
    .requiredOption("--hash <hash>", "the hash of the version, as clients remember it")
    .action((agent: string, file: string, { hash }: { hash: string }) =>
      withStore(surroundings, async (store) => {
        const parsed = parseManifest(readFile(file));
        if (!parsed.ok) throw new RegistryError("INVALID_BODY", `${file}: ${parsed.issues[0]?.message}`);
        const received = hashManifest(parsed.manifest);
        if (received !== hash)
          throw new RegistryError("INVALID_BODY", `expected ${file} to have the hash ${hash}, received ${received}`);
        const publishing = { store, manifests: new ManifestCache(), now: () => new Date() };
        const submission = { agentId: agent, keyId: OPERATOR, ...parsed, isGivenBack: true };
        const exists = await store.db.selectFrom("agents").select("id").where("id", "=", agent).executeTakeFirst();
        const save = exists ? publishVersion : createAgent;
        const { version } = await save(publishing, submission);
        stdout.write(`Restored version ${version} of ${agent}\n`);
      }),
    );
  versions
    .command("reached")
    .description(
      "declare the last versions before a rollback: lost numbers up to them are given up, and new versions are accepted",
    )
    .argument("[agent]", "the id of an agent", agentId)
    .argument("[version]", "the highest version that anyone can have seen, or 0", versionNumber)
    .option("--memory <file...>", "a client's memory, agentprint.registry.json; each agent's highest version counts")
    .option(
      "--rest",
      "no other agent had newer versions than the database shows, and there were no other agents",
      false,
    )
    .action(async (agent, version, { memory = [], rest }: { memory?: string[]; rest: boolean }, command: Command) => {
      if ((agent !== undefined && version === undefined) || (agent === undefined && memory.length === 0 && !rest)) {
        return command.error("error: expected an agent and a version, --memory <file> or --rest", { exitCode: 2 });
      }
      await withExistingStore(surroundings, async (store) => {
        const signing = loadSigning(surroundings.config());
        for (const [id, reached] of await reachedOf(store, signing, { agent, version, files: memory })) {
          const count = await settleAgent(store, id, reached, new Date());
          stdout.write(`${id} had reached version ${reached}${count === 0 ? "" : `; numbers given up: ${count}`}\n`);
        }
        if (rest) await settleRest(store, new Date());
        if (rest) stdout.write("No other agent had newer versions\n");
      });
    });
}

/**
 * Returns the versions that agents had reached, from the command line and from clients' memories
 * (`agentprint.registry.json`).
 */
async function reachedOf(
  { db }: RegistryStore,
  { signer, verifierKey }: SignerKey,
  { agent, version, files }: { agent: string | undefined; version: string | undefined; files: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  const reached = new Map<string, number>();
  if (agent !== undefined && version !== undefined) reached.set(agent, Number(version));
  const notes = (await listSuccessions(db)).map(({ note }) => note);
  const keys = predecessorsOf(notes, signer.name, verifierKey);
  for (const file of files) {
    for (const [id, seen] of await readReached(new TextDecoder().decode(readFile(file)), keys)) {
      reached.set(id, Math.max(seen, reached.get(id) ?? 0));
    }
  }
  return reached;
}

function versionNumber(text: string): string {
  if (/^(?:0|[1-9]\d{0,8})$/.test(text)) return text;
  throw new InvalidArgumentError("expected a version number, or 0 if there was no version.");
}

function readFile(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new RegistryError("INVALID_BODY", `cannot read ${file}: ${code}`, { cause });
  }
}
