import type { Layer } from "@agentprint/mcp-lock";
import type { ReleaseLevel } from "@agentprint/release";

/** The in-toto Statement type. */
export const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";

/** The predicate type. It is only an identifier, not an address. */
export const PREDICATE_TYPE = "https://agentprint.invalid/statement/v1";

/** The algorithm name for a subject whose digest is a set hash as defined in *Tool definition hash v1*. */
export const SET_HASH = "tdh1";

/** The subject of a statement: a set of tools, a package with which it is published, or an address. */
export interface Subject {
  readonly name?: string;
  readonly uri?: string;
  /** Digests by algorithm, in lowercase hex: `tdh1`, `sha256`, `sha512`. */
  readonly digest: Readonly<Record<string, string>>;
}

/** A definition, represented by its hash. */
export interface StatedItem {
  /** The name of a tool or prompt, the `uri` of a resource, or the `uriTemplate` of a template. */
  readonly name: string;
  /** The definition hash as defined in *Tool definition hash v1*. */
  readonly hash: string;
  /** The digests of a tool's layers. */
  readonly layers?: Readonly<Record<Layer, string>> | undefined;
  /** The sessions that see the definition; absent if all do. */
  readonly seenBy?: readonly string[] | undefined;
}

/** The sessions with the same set hashes, and these hashes. */
export interface StatedSet {
  readonly tools: string;
  readonly prompts: string;
  /** The instructions hash; absent if the server sent none. */
  readonly instructions?: string | undefined;
  readonly seenBy?: readonly string[] | undefined;
}

/** A server's definitions, represented by their hashes. */
export interface StatedDefinitions {
  /** The client that the visit presented. */
  readonly client: string;
  /** The protocol version in each session, which is named by its era and its view. */
  readonly sessions: readonly { readonly session: string; readonly protocolVersion: string }[];
  readonly sets: readonly StatedSet[];
  readonly tools: readonly StatedItem[];
  readonly prompts: readonly StatedItem[];
  readonly resources: readonly StatedItem[];
  readonly resourceTemplates: readonly StatedItem[];
  /** The contents that a visit reads, which are UI resources. */
  readonly contents: readonly StatedItem[];
}

/** The level of the change from another release. */
export interface StatedVerdict {
  readonly level: ReleaseLevel;
  readonly against: {
    readonly version: string;
    readonly sets: readonly StatedSet[];
    /** The payload digest of that release's statement; absent if it had none. */
    readonly statement?: { readonly sha256: string } | undefined;
  };
}

/** A statement's predicate. */
export interface StatementPredicate {
  readonly server: { readonly name: string; readonly version: string };
  readonly definitions: StatedDefinitions;
  /** Absent for the first release. */
  readonly verdict?: StatedVerdict | undefined;
  /** Maps the old names of renamed tools to their new names. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** The times of signing and of expiry: RFC 3339 in UTC, with seconds and no fraction. */
  readonly issued: string;
  readonly expires: string;
}

/** A server author's statement about a release. */
export interface Statement {
  readonly _type: typeof STATEMENT_TYPE;
  readonly subject: readonly Subject[];
  readonly predicateType: typeof PREDICATE_TYPE;
  readonly predicate: StatementPredicate;
}

/** An accepted statement in the form in which a consumer stores it. */
export interface AcceptedStatement {
  /** SHA-256 of the payload. */
  readonly digest: string;
  readonly version: string;
  readonly issued: string;
  readonly sets: readonly StatedSet[];
}

/** A statement whose signature has been checked. */
export interface OpenedStatement {
  readonly statement: Statement;
  /** The SHA-256 of the payload, by which the next statement names this one. */
  readonly digest: string;
  readonly keyId: string;
}

/** A permitted signer, as named in the certificate. */
export interface SigstoreIdentity {
  /** The address of the service that verified the signer's identity. */
  readonly issuer: string;
  /**
   * The subject alternative name. A `*` at the end, after `@refs/tags/` or `@refs/heads/`, matches the rest of a Git
   * reference.
   */
  readonly identity: string;
}
