import type { TokenEndpointResponse } from "oauth4webapi";

/** The tokens of a login, and what they are good for. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** The time in milliseconds since 1970 at which the access token expires; absent where the server does not say. */
  readonly expiresAt?: number | undefined;
  readonly scopes: readonly string[];
}

/** Returns the scopes of a text that separates them by spaces. */
export function scopesIn(text: string | undefined): string[] {
  return [...new Set(text?.split(" ").filter((scope) => scope !== ""))];
}

/** Returns the tokens of an answer of a token endpoint. Scopes that it does not name are those that were asked for. */
export function tokensOf(answer: TokenEndpointResponse, asked: readonly string[], now: number = Date.now()): Tokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = answer;
  return {
    accessToken,
    refreshToken,
    expiresAt: seconds === undefined ? undefined : now + seconds * 1000,
    scopes: scope === undefined ? asked : scopesIn(scope),
  };
}
