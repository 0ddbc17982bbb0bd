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
 * An elliptic-curve private key as a JWK (RFC 7518, 6.2). Tokens that are bound to the key are useless without it
 * (DPoP, RFC 9449).
 */
export interface ProofKey {
  readonly kty: "EC";
  readonly crv: (typeof CURVES)[keyof typeof CURVES];
  readonly x: string;
  readonly y: string;
  readonly d: string;
}

/** Signs a login's proofs, and keeps the nonces that servers issue for them. */
export interface Prover {
  readonly key: ProofKey;
  readonly handle: DPoPHandle;
}

/** The algorithms that a server and its authorization server accept. */
interface AskedProofs {
  /** Empty if the server names none; absent if it requires no proofs. */
  readonly proofAlgorithms?: readonly string[] | undefined;
  readonly metadata: AuthorizationServer;
}

/**
 * Returns a new key for the login to a server, or `undefined` if the server requires no proofs.
 *
 * @throws {@link AuthError} `auth-metadata` if the servers support none of this package's algorithms
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
 * Returns the prover for a key, or `undefined` without a key. @throws {@link AuthError} `auth-store` if the key is
 * invalid
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
    throw new AuthError("auth-store", "the login's key cannot be read", { fix: "log in again" });
  }
}

/** A request to a server. */
export interface ProvenRequest {
  readonly method: string;
  readonly address: string;
}

/**
 * Returns the headers that authorize one request with a token, including a proof if there is a prover.
 *
 * @throws {@link AuthError} `auth-response` if a bound token cannot be sent in a header
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
 * Makes the library build a request's headers and read a nonce from an answer, and returns the headers. The library
 * does this only for requests that it sends, so this request is never sent to a server.
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
    throw new AuthError("auth-response", "the login's token cannot be sent", { where: quoted(address) });
  });
  return headers;
}
