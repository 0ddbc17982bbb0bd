import { AuthError } from "@agentprint/mcp-auth";
import type { Context } from "../run/context.ts";
import { ask, canAsk } from "../terminal/ask.ts";
import { openLogins } from "./open-logins.ts";
import { runLogin } from "./run-login.ts";

/** A visit that a server refused. */
interface RefusedVisit {
  /** The name of the server, as the question shows it. */
  readonly name: string;
  readonly account: string | undefined;
  readonly error: Error;
}

/** One question at a time, because several servers are visited at the same time. */
let asked: Promise<unknown> = Promise.resolve();

/**
 * Asks a person to log in again if a server wants more scopes than the login has. Returns whether there is a new login;
 * there is never one in CI, without a terminal, or for a program's login.
 */
export function offerStepUp(context: Context, refused: RefusedVisit): Promise<boolean> {
  const turn = asked.then(() => offer(context, refused));
  asked = turn.catch(() => undefined);
  return turn;
}

async function offer(context: Context, { name, account, error: { cause } }: RefusedVisit): Promise<boolean> {
  if (!(cause instanceof AuthError) || cause.code !== "auth-scope") return false;
  const { where: server, scopes = [] } = cause.details;
  if (server === undefined || context.env["CI"] || !canAsk(context)) return false;
  const stored = await (await openLogins(context)).find(server, account);
  if (stored?.renewal.type !== "refresh" || stored.client.method === "private_key_jwt") return false;
  const answer = await ask(context, `${name}: ${cause.message}. Log in for ${scopes.join(" ")}?`, {
    yes: "log in again in the browser, with these scopes",
    no: "send nothing, and end with exit code 2",
  });
  if (answer === "no") return false;
  const { kind, id } = stored.client;
  await runLogin(context, server, {
    browser: true,
    ...(account !== undefined && { account }),
    scope: scopes,
    ...(kind === "pre-registered" && { clientId: id }),
    ...(kind === "metadata-document" && { clientMetadata: id }),
  });
  return true;
}
