import { escapeText } from "@agentprint/canonical-json";
import { openTrailStore } from "@agentprint/trail-store";
import type { Command } from "commander";
import { Tokens } from "../access/tokens.ts";
import type { Config } from "../config.ts";
import type { Surroundings } from "../surroundings.ts";

/** `tokens`: issues, lists and revokes bearer tokens for clients over HTTP. */
export function addTokenCommands(
  program: Command,
  { stdout, stderr }: Surroundings,
  config: () => Promise<Config>,
): void {
  const tokens = program.command("tokens").description("issue, list and revoke the tokens of clients over HTTP");
  const withTokens = async (work: (tokens: Tokens) => Promise<void>): Promise<void> => {
    const trail = await openTrailStore((await config()).trail_url);
    try {
      await work(new Tokens(trail));
    } finally {
      await trail.close();
    }
  };
  tokens
    .command("issue")
    .description("issue a token, which is written to standard output and stored only as a hash")
    .argument("<task...>", "the tasks that the token may see: names, and prefixes of names that end with *")
    .option("--agent <id>", "the author of every thought that is recorded with the token")
    .action((tasks: string[], { agent }: { agent?: string }) =>
      withTokens(async (issuer) => {
        const { id, token } = await issuer.issue({ agentId: agent, tasks }, new Date());
        stdout.write(`${token}\n`);
        stderr.write(`This is token ${id}.\n`);
      }),
    );
  tokens
    .command("list")
    .description("list the tokens, without their secrets, one per line")
    .action(() =>
      withTokens(async (listed) => {
        for (const { id, agent_id, tasks, created_at, revoked_at } of await listed.list()) {
          const end = revoked_at === null ? "" : `  revoked ${revoked_at}`;
          stdout.write(escapeText(`${id}  ${agent_id ?? "any agent"}  ${tasks}  issued ${created_at}${end}`));
          stdout.write("\n");
        }
      }),
    );
  tokens
    .command("revoke")
    .description("revoke a token; running servers accept it for five more seconds")
    .argument("<id>", "the id of the token, as `tokens list` shows it")
    .action((id: string) =>
      withTokens(async (revoker) => {
        await revoker.revoke(id, new Date());
        stdout.write(`Revoked ${id}\n`);
      }),
    );
}
