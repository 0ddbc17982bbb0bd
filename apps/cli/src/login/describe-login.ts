import { escapeText } from "@agentprint/canonical-json/text";
import type { Login } from "@agentprint/mcp-auth";

/** A login as JSON shows it. */
export interface ShownLogin {
  readonly server: string;
  /** The name of the account; absent for a login without one. */
  readonly account?: string;
  readonly issuer: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly client: { readonly kind: string; readonly id: string };
  /** The expiry time in ISO 8601; `null` if the authorization server does not state it. */
  readonly expires: string | null;
  readonly renewal: string;
}

/** Returns the printable parts of a login: no token and no secret. */
export function showLogin({
  server,
  account,
  issuer,
  resource,
  scopes,
  client,
  expiresAt,
  renewal,
}: Login): ShownLogin {
  const expires = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
  return {
    server,
    ...(account !== undefined && { account }),
    issuer,
    resource,
    scopes,
    client: { kind: client.kind, id: client.id },
    expires,
    renewal: renewal.type,
  };
}

/** Returns the lines of a login for a terminal. */
export function loginLines(login: Login): string {
  const { server, account, issuer, scopes, expires, renewal, client } = showLogin(login);
  return [
    account === undefined ? server : `${server} as ${account}`,
    `  issuer   ${issuer}`,
    `  scopes   ${scopes.length === 0 ? "none named" : scopes.join(" ")}`,
    `  client   ${client.id} (${client.kind})`,
    `  expires  ${expires ?? "not known"}, renewed by ${renewal}`,
  ]
    .map((line) => `${escapeText(line)}\n`)
    .join("");
}
