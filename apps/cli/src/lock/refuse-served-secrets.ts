import type { VisitAnswers } from "@agentprint/mcp";
import { findSecretsInAnswers, type ServedSecret } from "@agentprint/mcp-visit";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";

const MAX_TOLD = 20;

/**
 * Refuses answers with a secret in them, because a lock or a manifest would hold the secret.
 *
 * @throws {@link CliError} `server-secrets` when an answer has the value of a variable or a header, or a token
 */
export function refuseServedSecrets({ hidden }: Pick<Context, "hidden">, name: string, answers: VisitAnswers): void {
  const found = new Set(findSecretsInAnswers(answers, hidden.known).map(describePlace));
  if (found.size === 0) return;
  const more = found.size > MAX_TOLD ? [`and ${found.size - MAX_TOLD} more`] : [];
  throw new CliError("server-secrets", `${name} cannot be pinned, because its answers have secrets in them`, {
    where: [...[...found].slice(0, MAX_TOLD), ...more].join("\n"),
    expected: "definitions without the values of secret variables and headers, and without tokens",
    fix: "report this to the author of the server, and replace the secret, because the server shows it to every client",
  });
}

function describePlace({ kind, name, pointer, variable, tokenOf }: ServedSecret): string {
  const item = `${kind}${name === undefined ? "" : ` ${name}`}${pointer === "" ? "" : ` at ${pointer}`}`;
  return variable === undefined ? `${item}: has the form of a token (${tokenOf})` : `${item}: the value of ${variable}`;
}
