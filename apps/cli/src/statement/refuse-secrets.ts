import { CLIENTS } from "@agentprint/client-configs/client-table";
import { findTokens, isSecretName } from "@agentprint/launch/redact";
import { type Evidence, fromBase64 } from "@agentprint/statement/evidence";
import { findServers } from "../clients/find-servers.ts";
import { recognizeGuard } from "../clients/wrapped-state.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { printNotices } from "../terminal/notices.ts";

/** Shorter values occur in many texts by chance. */
const MIN_LENGTH = 8;
/** The maximum number of places that an error names. */
const MAX_PLACES = 20;

/**
 * Refuses a bundle with a secret in one of its parts: the value of a variable with a secret name, or of a variable in a
 * client's configuration, in any encoding, or a token of a well-known form.
 *
 * @throws {@link CliError} `secret-inside` with the parts and their lines, but never the secret
 */
export async function refuseSecrets(context: Context, lock: string, { subject }: Evidence): Promise<void> {
  await hideKnown(context, lock);
  const places = subject.flatMap(({ name, content }) =>
    placesIn(context, name, new TextDecoder().decode(fromBase64(content))),
  );
  if (places.length === 0) return;
  const more = places.length > MAX_PLACES ? [`and ${places.length - MAX_PLACES} more`] : [];
  throw new CliError("secret-inside", "the evidence would contain secrets", {
    where: [...places.slice(0, MAX_PLACES), ...more].join("\n"),
    expected: "parts without the values of secret variables and headers, and without tokens",
    fix: "renew the secret, because the part already contains it; leave out its task, or name a period without the record",
  });
}

/** Hides the secrets in the environment and in the configurations of clients. */
async function hideKnown(context: Context, lock: string): Promise<void> {
  const { problems } = await findServers(context, process.platform, {
    clients: CLIENTS,
    scopes: ["project", "user"],
    files: [],
    recognize: await recognizeGuard(context, lock),
  });
  printNotices(
    context,
    problems.map(({ message }) => `the secrets of one configuration are unknown: ${message}`),
  );
  context.hidden.hideFromOutput(
    Object.entries(context.env).flatMap(([name, value = ""]) =>
      isSecretName(name) && value.length >= MIN_LENGTH ? [{ name, value }] : [],
    ),
  );
}

function placesIn({ hidden }: Pick<Context, "hidden">, name: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const place = `${name}:${index + 1}`;
    const [token] = findTokens(line);
    if (token !== undefined) return [`${place}: has the form of a token (${token.service})`];
    return hidden.replace(line) === line ? [] : [`${place}: has the value of a secret variable, header or address`];
  });
}
