import { readFileSync } from "node:fs";
import { hashManifest, parseManifest } from "@agentprint/manifest";
import { AgentIdSchema } from "@agentprint/registry-api/answers";
import type { Command } from "commander";
import { RegistryError } from "../errors.ts";
import { ManifestCache } from "../store/manifest-cache.ts";
import { createAgent, publishVersion } from "../store/publish.ts";
import type { Surroundings } from "../surroundings.ts";
import { agentId } from "./agent-id.ts";
import { withExistingStore, withStore } from "./with-store.ts";

/** Stands for the key of a version that an operator gave back. */
const OPERATOR = "operator";

/** `versions`: what a rollback lost, and how it is given back. */
export function addVersionCommands(program: Command, surroundings: Surroundings): void {
  const { stdout } = surroundings;
  const versions = program.command("versions").description("list and give back versions that a rollback lost");
  versions
    .command("lost")
    .description("list the agents that have lost versions, one a line")
    .action(() =>
      withExistingStore(surroundings, async ({ db }) => {
        const rows = await db
          .selectFrom("lost_heads")
          .leftJoin("agents", "agents.id", "lost_heads.agent_id")
          .select((eb) => ["lost_heads.agent_id", "agents.version", eb.fn.max("lost_heads.size").as("until")])
          .groupBy(["lost_heads.agent_id", "agents.version"])
          .orderBy("lost_heads.agent_id")
          .execute();
        for (const { agent_id, version, until } of rows) {
          const first = (version ?? 0) + 1;
          if (!AgentIdSchema.safeParse(agent_id).success || first > Number(until)) continue;
          stdout.write(`${agent_id}  versions ${first} to ${until} are lost\n`);
        }
      }),
    );
  versions
    .command("give-back")
    .description("give the next lost version of an agent back, from the copy of somebody who pulled it")
    .argument("<agent>", "the id of the agent", agentId)
    .argument("<file>", "the manifest of the version, as `agentprint manifest pull` wrote it")
    .requiredOption("--hash <hash>", "the hash that the version had, as clients remember it")
    .action((agent: string, file: string, { hash }: { hash: string }) =>
      withStore(surroundings, async (store) => {
        const parsed = parseManifest(readManifest(file));
        if (!parsed.ok) throw new RegistryError("INVALID_BODY", `${file}: ${parsed.issues[0]?.message}`);
        const received = hashManifest(parsed.manifest);
        if (received !== hash)
          throw new RegistryError("INVALID_BODY", `${file} has the hash ${received}, expected ${hash}`);
        const publishing = { store, manifests: new ManifestCache(), now: () => new Date() };
        const submission = { agentId: agent, keyId: OPERATOR, ...parsed, isGivenBack: true };
        const exists = await store.db.selectFrom("agents").select("id").where("id", "=", agent).executeTakeFirst();
        const save = exists ? publishVersion : createAgent;
        const { version } = await save(publishing, submission);
        stdout.write(`Gave back version ${version} of ${agent}\n`);
      }),
    );
}

function readManifest(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new RegistryError("INVALID_BODY", `cannot read ${file}: ${code}`, { cause });
  }
}
