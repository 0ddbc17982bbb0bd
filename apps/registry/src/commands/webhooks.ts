import { type Command, Option } from "commander";
import { addWebhook, disableWebhook, listWebhooks } from "../events/webhooks.ts";
import { EVERY_AGENT } from "../keys/keys.ts";
import type { Surroundings } from "../surroundings.ts";
import { agentId } from "./agent-id.ts";
import { withExistingStore, withStore } from "./with-store.ts";

/** `webhooks`: adds, lists and removes the addresses that receive breaking changes over HTTP. */
export function addWebhookCommands(program: Command, surroundings: Surroundings): void {
  const { stdout, stderr } = surroundings;
  const webhooks = program.command("webhooks").description("add, list and remove webhooks for breaking changes");
  webhooks
    .command("add")
    .description("add a webhook and write the secret that verifies its messages to standard output")
    .argument("<url>", "where to send the messages")
    .addOption(new Option("--agent <id>", "the agent to watch; by default every agent").argParser(agentId))
    .action((url: string, { agent = EVERY_AGENT }: { agent?: string }) =>
      withStore(surroundings, async ({ db }) => {
        const { id, secret } = await addWebhook(db, agent, url, new Date());
        stdout.write(`${secret}\n`);
        stderr.write(`This is the secret of webhook ${id}.\n`);
      }),
    );
  webhooks
    .command("list")
    .description("list the webhooks, without their secrets, one per line")
    .action(() =>
      withExistingStore(surroundings, async ({ db }) => {
        for (const { id, agent_id, url, disabled_at } of await listWebhooks(db)) {
          stdout.write(`${id}  ${agent_id}  ${url}${disabled_at ? `  removed ${disabled_at}` : ""}\n`);
        }
      }),
    );
  webhooks
    .command("remove")
    .description("stop sending messages to a webhook")
    .argument("<id>", "the id of the webhook, as `webhooks list` shows it")
    .action((id: string) =>
      withExistingStore(surroundings, async ({ db }) => {
        await disableWebhook(db, id, new Date());
        stdout.write(`Removed ${id}\n`);
      }),
    );
}
