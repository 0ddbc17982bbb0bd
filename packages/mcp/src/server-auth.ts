/** The login with which a server is reached, without its secrets. */
export interface ServerAuth {
  /** The identifier of the authorization server. */
  readonly issuer: string;
  /** The resource for which tokens are requested (RFC 8707). */
  readonly resource: string;
  /** The login's scopes and the scopes that the server requires, each once, in code-unit order. */
  readonly scopes: readonly string[];
  /** How the authorization server knows the client, which is a fact about the login and not about the server. */
  readonly client: "pre-registered" | "metadata-document" | "dynamic";
  /** The user's name for the account, if the entry is about one of several. */
  readonly account?: string;
  /** The addresses in the authorization server's metadata, by member. */
  readonly endpoints: Readonly<Record<string, string>>;
}
