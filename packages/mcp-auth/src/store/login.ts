import { parseJson } from "@agentprint/canonical-json";
import { z } from "zod";
import type { RegisteredClient } from "../client.ts";
import type { NamedProvider } from "../grants/enterprise.ts";
import type { ProofKey } from "../proof.ts";

/** How a login's tokens are renewed. Secrets are only referred to, and not stored here. */
export type Renewal =
  | { readonly type: "refresh" }
  | { readonly type: "client-credentials"; readonly secret: SecretPlace }
  | { readonly type: "token-file"; readonly file: string }
  | { readonly type: "github-oidc"; readonly audience: string }
  /** The file contains an ID token from the enterprise's provider; the secret belongs to the server's client. */
  | {
      readonly type: "enterprise";
      readonly provider: NamedProvider;
      readonly file: string;
      readonly secret?: SecretPlace | undefined;
    }
  | { readonly type: "command"; readonly command: string };

/** Where a client's secret is: in an environment variable, or in a file that contains a private key. */
export type SecretPlace = { readonly variable: string } | { readonly keyFile: string };

/** A login without its secrets. */
export interface Login {
  /** A random id, different for every login to the same server; it stays the same when the tokens are renewed. */
  readonly id: string;
  /** The address of the server. */
  readonly server: string;
  /** The user's name for the account, if there is more than one for the server. */
  readonly account?: string | undefined;
  readonly issuer: string;
  readonly resource: string;
  readonly scopes: readonly string[];
  /** The addresses in the authorization server's metadata at the time of login, by member name. */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly client: RegisteredClient;
  readonly renewal: Renewal;
  /** In milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
}

/** The secrets of a login. */
export interface LoginSecrets {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** The secret of a client that was registered for the login. */
  readonly clientSecret?: string | undefined;
  /** The key that the tokens are bound to. */
  readonly proofKey?: ProofKey | undefined;
}

/** A login as stored in the logins file. The secrets are absent if they are in the operating system's secret store. */
export interface StoredLogin extends Login {
  readonly secrets?: LoginSecrets | undefined;
}

const SECRETS = z.strictObject({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  clientSecret: z.string().optional(),
  proofKey: z
    .strictObject({
      kty: z.literal("EC"),
      crv: z.enum(["P-256", "P-384", "P-521"]),
      x: z.string(),
      y: z.string(),
      d: z.string(),
    })
    .optional(),
});

const PLACE = z.union([z.strictObject({ variable: z.string() }), z.strictObject({ keyFile: z.string() })]);

const LOGINS = z.strictObject({
  agentprintLogins: z.literal(1),
  logins: z.array(
    z.strictObject({
      id: z.string(),
      server: z.url(),
      account: z.string().optional(),
      issuer: z.url(),
      resource: z.url(),
      scopes: z.array(z.string()),
      endpoints: z.record(z.string(), z.url()),
      client: z.strictObject({
        kind: z.enum(["pre-registered", "metadata-document", "dynamic"]),
        id: z.string(),
        method: z.enum(["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]),
      }),
      renewal: z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("refresh") }),
        z.strictObject({ type: z.literal("client-credentials"), secret: PLACE }),
        z.strictObject({ type: z.literal("token-file"), file: z.string() }),
        z.strictObject({ type: z.literal("github-oidc"), audience: z.string() }),
        z.strictObject({
          type: z.literal("enterprise"),
          provider: z.strictObject({ issuer: z.url(), clientId: z.string() }),
          file: z.string(),
          secret: PLACE.optional(),
        }),
        z.strictObject({ type: z.literal("command"), command: z.string() }),
      ]),
      expiresAt: z.number().optional(),
      secrets: SECRETS.optional(),
    }),
  ),
});

/** Returns the logins in a text, or `undefined` if it is not the text of a logins file. */
export function parseLogins(text: string): readonly StoredLogin[] | undefined {
  return LOGINS.safeParse(parsed(text)).data?.logins;
}

/** Returns the secrets in a text, or `undefined` if it has none. */
export function parseSecrets(text: string): LoginSecrets | undefined {
  return SECRETS.safeParse(parsed(text)).data;
}

/** Returns the text of a logins file. */
export function formatLogins(logins: readonly StoredLogin[]): string {
  return `${JSON.stringify({ agentprintLogins: 1, logins }, undefined, 2)}\n`;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
