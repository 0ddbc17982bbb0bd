import { hashCanonical, sha256Hex } from "@agentprint/canonical-json";
import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import { type Era, EXCHANGE_KEYS, eraOfRequest, META, type RequestMessage, type View } from "@agentprint/mcp";
import type { ConnectionOptions } from "../options.ts";
import { capabilitiesIn } from "./client-capabilities.ts";

/**
 * The client for which a list is verified: a digest of everything by which the server can distinguish it from other
 * clients.
 */
export interface ClientKey {
  readonly peer: string;
  readonly digest: string;
  readonly era: Era;
  /** `bare` if, to the server, the client declares no capabilities at all. */
  readonly view: View;
}

/** The members of a request's metadata that belong only to that request. */
const OWN: ReadonlySet<string> = new Set([...EXCHANGE_KEYS, META.relatedTask]);

const NONE: JsonObject = Object.freeze({});

const PROFILE = { profile: "ecmascript" } as const;

/** The digest that a connection's requests share as long as they come with the same headers and session. */
interface Common {
  readonly presented: string;
  readonly session: string | undefined;
  readonly digest: string;
}

/** The properties by which a server can distinguish a connection's client from others. Keeps digests only. */
export class ClientIdentity {
  /** The digest of the connection's credentials. */
  readonly authorization: string;
  readonly #peer: string;
  readonly #session: ConnectionOptions["session"] | undefined;
  /** The digest of the client's part of the handshake. */
  #handshake = "";
  #version = "";
  /** The capabilities in the handshake; absent if the guard saw no handshake. */
  #capabilities: JsonObject | undefined;
  #common: Common | undefined;
  readonly #denied: () => ReadonlySet<string>;

  constructor(
    peer: string,
    authorization: ConnectionOptions["authorization"],
    session: ConnectionOptions["session"] | undefined,
    denied: () => ReadonlySet<string>,
  ) {
    this.#denied = denied;
    this.#peer = peer;
    this.authorization = authorization === undefined ? "" : sha256Hex(authorization);
    this.#session = session;
  }

  /** Receives the client's part of the handshake. */
  greets(message: RequestMessage): void {
    const { _meta, ...said } = message.params;
    this.#handshake = hashCanonical([said, clientMeta(message)], PROFILE);
    this.#capabilities = capabilitiesIn(message) ?? NONE;
    this.#common = undefined;
  }

  agrees(version: string | undefined): void {
    this.#version = version ?? "";
    this.#common = undefined;
  }

  /** Returns the digest of the credentials and the headers that come with a message. */
  presented(headers: string): string {
    return sha256Hex(`${this.authorization} ${headers}`);
  }

  /** Returns the key of the client to which a verdict on a request applies. */
  keyOf(message: RequestMessage, presented = ""): ClientKey {
    const session = this.#session?.();
    if (this.#common?.presented !== presented || this.#common.session !== session) {
      const parts = [this.#peer, presented, session ?? null, this.#handshake, this.#version];
      this.#common = { presented, session, digest: hashCanonical(parts, PROFILE) };
    }
    const { digest } = this.#common;
    const era = eraOfRequest(message);
    return { peer: this.#peer, digest: withMeta(digest, clientMeta(message)), era, view: this.viewOf(message) };
  }

  /** Returns the view that a request's client has. The server does not see capabilities that the policy denies. */
  viewOf(message: RequestMessage): View {
    const isModern = eraOfRequest(message) === "modern";
    const declared = isModern ? (capabilitiesIn(message) ?? NONE) : this.#capabilities;
    if (declared === undefined) return "client";
    return Object.keys(declared).every((name) => this.#denied().has(name)) ? "bare" : "client";
  }
}

function withMeta(digest: string, meta: JsonObject): string {
  for (const _ in meta) return hashCanonical([digest, meta], PROFILE);
  return digest;
}

/**
 * Returns the metadata by which a server can distinguish its client from other clients; an empty object if there is
 * none.
 */
export function clientMeta({ params: { _meta: meta } }: Pick<RequestMessage, "params">): JsonObject {
  if (!isJsonObject(meta)) return NONE;
  const kept = Object.entries(meta).filter(([name]) => !OWN.has(name));
  return kept.length === 0 ? NONE : Object.fromEntries(kept);
}
