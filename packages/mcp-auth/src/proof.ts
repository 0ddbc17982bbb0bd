import {
  type AuthorizationServer,
  allowInsecureRequests,
  type CryptoKeyPair,
  customFetch,
  DPoP,
  type DPoPHandle,
  generateKeyPair,
  protectedResourceRequest,
} from "oauth4webapi";
import { AuthError } from "./errors.ts";
import { quoted } from "./http/quoted.ts";

const CURVES = { ES256: "P-256", ES384: "P-384", ES512: "P-521" } as const;

/**
 * A private key of an elliptic curve as JWK (RFC 7518, 6.2). Tokens that are bound to it are useless without it (DPoP,
 * RFC 9449).
 */
export interface ProofKey {
  readonly kty: "EC";
  readonly crv: (typeof CURVES)[keyof typeof CURVES];
  readonly x: string;
  readonly y: string;
  readonly d: string;
}

/** Signs the proofs of a login, and keeps the nonces that servers give for them. */
export interface Prover {
  readonly key: ProofKey;
  readonly handle: DPoPHandle;
}

/** The algorithms that a server and its authorization server take. */
interface AskedProofs {
  /** Empty if the server names none, absent if it requires no proofs. */
  readonly proofAlgorithms?: readonly string[] | undefined;
  readonly metadata: AuthorizationServer;
}

/**
 * Returns a new key for the login to a server, `undefined` if the server requires no proofs.
 *
 * @throws {@link AuthError} `auth-metadata` when the servers support no algorithm of this package
 */
export async function newProofKey({ proofAlgorithms, metadata }: AskedProofs): Promise<ProofKey | undefined> {
  if (proofAlgorithms === undefined) return undefined;
  const lists = [proofAlgorithms, metadata.dpop_signing_alg_values_supported ?? []].filter((list) => list.length > 0);
  const algorithm = Object.keys(CURVES).find((each) => lists.every((list) => list.includes(each)));
  if (algorithm === undefined) {
    throw new AuthError("auth-metadata", `proofs are required with ${quoted(lists.join(", "))}`, {
      where: metadata.issuer,
      expected: `${Object.keys(CURVES).join(", ")}, for the server and its authorization server`,
    });
  }
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const { crv, x, y, d } = await crypto.subtle.exportKey("jwk", privateKey);
  return { kty: "EC", crv, x, y, d } as ProofKey;
}

/**
 * Returns the prover of a key, `undefined` without one. @throws {@link AuthError} `auth-store` when the key is invalid
 */
export async function proverOf(key: ProofKey | undefined): Promise<Prover | undefined> {
  if (key === undefined) return undefined;
  const { d: _, ...open } = key;
  const algorithm = { name: "ECDSA", namedCurve: key.crv };
  try {
    const pair: CryptoKeyPair = {
      privateKey: await crypto.subtle.importKey("jwk", { ...key }, algorithm, false, ["sign"]),
      publicKey: await crypto.subtle.importKey("jwk", open, algorithm, true, ["verify"]),
    };
    return { key, handle: DPoP({}, pair) };
  } catch {
    // The import error could contain the key.
    throw new AuthError("auth-store", "the key of the login cannot be read", { fix: "log in again" });
  }
}

/** A request to a server. */
export interface ProvenRequest {
  readonly method: string;
  readonly address: string;
}

/**
 * Returns the headers that authorize one request with a token, with a proof if there is a prover.
 *
 * @throws {@link AuthError} `auth-response` when a bound token cannot be in a header
 */
export async function provenHeaders(
  prover: Prover | undefined,
  token: string,
  request: ProvenRequest,
): Promise<Record<string, string>> {
  if (prover === undefined) return { authorization: `Bearer ${token}` };
  const { authorization = "", dpop = "" } = await askLibrary(prover, token, request, new Response(null));
  return { authorization, dpop };
}

/** Keeps the nonce that a server gave in its answer to a request, for the next proofs. */
export async function keepNonce(prover: Prover, request: ProvenRequest, nonce: string): Promise<void> {
  await askLibrary(prover, "none", request, new Response(null, { headers: { "dpop-nonce": nonce } }));
}

/**
 * Has the library build a request's headers and read a nonce from an answer, and returns the headers. The library does
 * this only for requests that it sends: this one goes nowhere.
 */
async function askLibrary(
  { handle }: Prover,
  token: string,
  { method, address }: ProvenRequest,
  answer: Response,
): Promise<Record<string, string>> {
  let headers: Record<string, string> = {};
  const options = {
    DPoP: handle,
    [customFetch]: async (_url: string, sent: { readonly headers: Record<string, string> }) => {
      headers = sent.headers;
      return answer;
    },
    [allowInsecureRequests]: true,
  };
  await protectedResourceRequest(token, method, new URL(address), undefined, undefined, options).catch(() => {
    // The error could contain the token.
    throw new AuthError("auth-response", "the token of the login cannot be sent", { where: quoted(address) });
  });
  return headers;
}
