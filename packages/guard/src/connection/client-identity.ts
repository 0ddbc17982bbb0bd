import { hashCanonical, sha256Hex } from "@agentprint/canonical-json";
import type { JsonObject } from "@agentprint/canonical-json/json-value";
import type { ConnectionOptions } from "../options.ts";
import type { RequestMessage } from "../read/message-shape.ts";
import type { ClientKey } from "../verify/client-lists.ts";
import { eraOf } from "./era.ts";
import { clientMeta } from "./request-meta.ts";

const PROFILE = { profile: "ecmascript" } as const;

/** The digest that requests of a connection share while they come with the same headers and session. */
interface Common {
  readonly presented: string;
  readonly session: string | undefined;
  readonly digest: string;
}

/** By what a server can tell the client of a connection from others. Only digests are kept. */
export class ClientIdentity {
  readonly #peer: string;
  readonly #authorization: string;
  readonly #session: ConnectionOptions["session"] | undefined;
  /** Of what the client said in its handshake, and the version that the two sides agreed on. */
  #handshake = "";
  #version = "";
  #common: Common | undefined;

  constructor(
    peer: string,
    authorization: ConnectionOptions["authorization"],
    session: ConnectionOptions["session"] | undefined,
  ) {
    this.#peer = peer;
    this.#authorization = authorization === undefined ? "" : sha256Hex(authorization);
    this.#session = session;
  }

  /** The client greets the server. */
  greets(message: RequestMessage): void {
    const { _meta, ...said } = message.params;
    this.#handshake = hashCanonical([said, clientMeta(message)], PROFILE);
    this.#common = undefined;
  }

  agrees(version: string | undefined): void {
    this.#version = version ?? "";
    this.#common = undefined;
  }

  /** The digest of what comes with a message, such as its headers. */
  presented(headers: string | undefined): string {
    if (headers === undefined) return this.#authorization;
    return sha256Hex(`${this.#authorization} ${headers}`);
  }

  /** For whom a verdict about a request counts. */
  keyOf(message: RequestMessage, presented: string): ClientKey {
    const session = this.#session?.();
    if (this.#common?.presented !== presented || this.#common.session !== session) {
      const parts = [this.#peer, presented, session ?? null, this.#handshake, this.#version];
      this.#common = { presented, session, digest: hashCanonical(parts, PROFILE) };
    }
    const { digest } = this.#common;
    return { peer: this.#peer, digest: withMeta(digest, clientMeta(message)), era: eraOf(message) };
  }
}

function withMeta(digest: string, meta: JsonObject): string {
  for (const _ in meta) return hashCanonical([digest, meta], PROFILE);
  return digest;
}
