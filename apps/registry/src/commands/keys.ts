import { type Command, InvalidArgumentError, Option } from "commander";
import { confirmKey, EVERY_AGENT, issueKey, listKeys, revokeKey, rotateKey } from "../keys/keys.ts";
import type { NewToken } from "../keys/token.ts";
import type { KeyRow } from "../store/schema.ts";
import type { Surroundings } from "../surroundings.ts";
import { agentId } from "./agent-id.ts";
import { withExistingStore, withStore } from "./with-store.ts";

const MS_PER_HOUR = 3_600_000;
const MAX_GRACE_HOURS = 8760;

/** `keys`: issues, lists, rotates, revokes and confirms the keys that change agents. */
export function addKeyCommands(program: Command, surroundings: Surroundings): void {
  const { stdout } = surroundings;
  const show = ({ id, token }: NewToken): void => {
    stdout.write(`${token}\n`);
    surroundings.stderr.write(`This is the only time that key ${id} is shown: the registry keeps only its hash.\n`);
  };
  const keys = program.command("keys").description("issue, list, rotate, revoke and confirm keys");
  keys
    .command("issue")
    .description("issue a key; its token is written to standard output")
    .addOption(
      new Option("--agent <id>", "the agent that the key may add and change")
        .argParser(agentId)
        .conflicts("everyAgent"),
    )
    .option("--every-agent", "let the key add and change every agent")
    .action(async ({ agent, everyAgent }: { agent?: string; everyAgent?: true }) => {
      const bound = everyAgent ? EVERY_AGENT : agent;
      if (bound === undefined) return keys.error("error: expected --agent <id> or --every-agent", { exitCode: 2 });
      await withStore(surroundings, async (store) => show(await issueKey(store, bound, new Date())));
    });
  keys
    .command("list")
    .description("list the keys, without their secrets, one per line")
    .action(() =>
      withExistingStore(surroundings, async ({ db }) => {
        for (const key of await listKeys(db)) stdout.write(lineOf(key));
      }),
    );
  keys
    .command("rotate")
    .description("issue a new key for the same agent; the old key then ends")
    .argument("<id>", "the id of the key, as `keys list` shows it")
    .addOption(new Option("--grace-hours <n>", "how long the old key is still accepted").argParser(hours).default(24))
    .action((id: string, { graceHours }: { graceHours: number }) =>
      withExistingStore(surroundings, async (store) =>
        show(await rotateKey(store, id, new Date(), graceHours * MS_PER_HOUR)),
      ),
    );
  keys
    .command("revoke")
    .description("end a key immediately")
    .argument("<id>", "the id of the key, as `keys list` shows it")
    .action((id: string) =>
      withExistingStore(surroundings, async (store) => {
        await revokeKey(store, id, new Date());
        stdout.write(`Revoked ${id}\n`);
      }),
    );
  keys
    .command("confirm")
    .description("confirm keys that a rollback suspended, so that they can be used again")
    .argument("<id...>", "the ids of the keys, as `keys list` shows them")
    .action((ids: string[]) =>
      withExistingStore(surroundings, async (store) => {
        for (const id of ids) {
          await confirmKey(store, id, new Date());
          stdout.write(`Confirmed ${id}\n`);
        }
      }),
    );
}

function lineOf({ id, agent_id, created_at, expires_at, revoked_at, suspended_at, last_used_at }: KeyRow): string {
  const end = revoked_at ? `revoked ${revoked_at}` : expires_at ? `ends ${expires_at}` : "no end";
  const suspended = suspended_at ? `  suspended ${suspended_at}` : "";
  return `${id}  ${agent_id}  issued ${created_at}  ${end}  used ${last_used_at ?? "never"}${suspended}\n`;
}

function hours(text: string): number {
  if (/^\d{1,4}$/.test(text) && Number(text) <= MAX_GRACE_HOURS) return Number(text);
  throw new InvalidArgumentError(`expected a whole number of hours from 0 to ${MAX_GRACE_HOURS}`);
}
