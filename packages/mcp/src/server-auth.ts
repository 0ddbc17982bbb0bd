/** The login by which a server is reached, without a secret. */
export interface ServerAuth {
  /** The identifier of the authorization server. */
  readonly issuer: string;
  /** The resource that tokens are requested for (RFC 8707). */
  readonly resource: string;
  /** The scopes of the login and those that the server requires, each once, in code-unit order. */
  readonly scopes: readonly string[];
  /** How the authorization server knows the client: a fact about the login and not about the server. */
  readonly client: "pre-registered" | "metadata-document" | "dynamic";
  /** The user's name for the account, if the entry is about one of several. */
  readonly account?: string;
  /** The addresses in the metadata of the authorization server, by their members. */
  readonly endpoints: Readonly<Record<string, string>>;
}
