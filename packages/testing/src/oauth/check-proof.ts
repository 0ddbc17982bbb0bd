import { createHash, createPublicKey, type JsonWebKey, verify } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** A server's requirements for the proofs of its clients, and the proofs it has seen. */
export interface ProofDemand {
  /** The nonce that a proof must contain; if `undefined`, any nonce is accepted. */
  nonce: string | undefined;
  /** The identifiers of the proofs seen. */
  readonly seen: Set<string>;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64url");
const decoded = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, "base64url").toString());

/**
 * Returns why the proof of a request is refused (RFC 9449, 4.3), as the code of a challenge; `undefined` for a valid
 * one.
 *
 * @param jkt The digest (RFC 7638) of the key that the token is bound to
 */
export function refusalOfProof(
  { method, url = "", headers }: IncomingMessage,
  { origin, jkt, demand }: { readonly origin: string; readonly jkt: string | undefined; readonly demand: ProofDemand },
): string | undefined {
  const [scheme, token = ""] = headers.authorization?.split(" ") ?? [];
  const proof = headers["dpop"];
  if (scheme !== "DPoP" || typeof proof !== "string") return "invalid_token";
  const [head = "", body = "", signature = ""] = proof.split(".");
  const { typ, alg, jwk } = decoded(head) as { typ: string; alg: string; jwk: JsonWebKey };
  const claims = decoded(body) as Record<"htm" | "htu" | "ath" | "jti" | "nonce", string> & { iat: number };
  const { crv, kty, x, y } = jwk;
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  const isGood =
    [typ, alg, crv].join() === "dpop+jwt,ES256,P-256" &&
    !("d" in jwk) &&
    isSigned &&
    claims.htm === method &&
    claims.htu === new URL(url.split("?")[0] ?? "", origin).href &&
    claims.ath === sha256(token) &&
    Math.abs(claims.iat * 1000 - Date.now()) < 60_000 &&
    !demand.seen.has(claims.jti) &&
    jkt === sha256(JSON.stringify({ crv, kty, x, y }));
  demand.seen.add(claims.jti);
  if (!isGood) return "invalid_dpop_proof";
  return demand.nonce === undefined || claims.nonce === demand.nonce ? undefined : "use_dpop_nonce";
}
