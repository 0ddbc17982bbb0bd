import { type DPoPHandle, isDPoPNonceError, ResponseBodyError, type TokenEndpointResponse } from "oauth4webapi";
import type { ProtectedServer } from "../discovery/discover.ts";
import { AuthError } from "../errors.ts";
import type { AuthHttp } from "../http/auth-http.ts";
import { type LibraryOptions, requestOptions } from "../library.ts";
import { newProofKey, type ProofKey, type Prover, proverOf } from "../proof.ts";

/** The tokens of a login, and what they allow. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** The time in milliseconds since 1970 at which the access token expires; absent if the server does not state it. */
  readonly expiresAt?: number | undefined;
  readonly scopes: readonly string[];
  /** The key that the tokens are bound to; absent if any holder can use them. */
  readonly proofKey?: ProofKey | undefined;
}

/** A request for tokens with any kind of grant. */
export interface TokenRequest {
  readonly http: AuthHttp;
  readonly server: Pick<ProtectedServer, "metadata">;
  readonly scopes: readonly string[];
  /** Proves possession of the login's key to the authorization server. */
  readonly prover?: Prover | undefined;
}

/**
 * The number of attempts to request tokens: without a proof, with a proof, and with a proof that contains the
 * authorization server's nonce.
 */
const MAX_REQUESTS = 3;

/**
 * Returns the tokens that a request is answered with; the request is sent again if the authorization server requires a
 * proof, or a nonce in the proof.
 *
 * @param ask Sends the request with the given options and returns the answer
 */
export async function requestTokens(
  { http, server: { metadata }, scopes, prover: given }: TokenRequest,
  ask: (options: LibraryOptions & { DPoP?: DPoPHandle }) => Promise<TokenEndpointResponse>,
): Promise<Tokens> {
  let prover = given;
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await ask({ ...requestOptions(http), ...(prover !== undefined && { DPoP: prover.handle }) });
      return tokensOf(answer, scopes, prover?.key);
    } catch (error) {
      if (attempt === MAX_REQUESTS || !(isDPoPNonceError(error) || (prover === undefined && isForProof(error))))
        throw error;
      prover ??= await proverOf(await newProofKey({ proofAlgorithms: [], metadata }));
    }
  }
}

function isForProof(error: unknown): boolean {
  return error instanceof ResponseBodyError && error.error === "invalid_dpop_proof";
}

/** Returns the scopes in a space-separated text. */
export function scopesIn(text: string | undefined): string[] {
  return [...new Set(text?.split(" ").filter((scope) => scope !== ""))];
}

/**
 * Returns the tokens in a token endpoint's answer. If the answer does not state scopes, the requested scopes were
 * granted.
 */
function tokensOf(answer: TokenEndpointResponse, asked: readonly string[], key: ProofKey | undefined): Tokens {
  const isBound = answer.token_type === "dpop";
  if (isBound && key === undefined)
    throw new AuthError("auth-response", "the token is bound to a key that was not presented");
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = answer;
  return {
    accessToken,
    refreshToken,
    expiresAt: seconds === undefined ? undefined : Date.now() + seconds * 1000,
    scopes: scope === undefined ? asked : scopesIn(scope),
    proofKey: isBound ? key : undefined,
  };
}
