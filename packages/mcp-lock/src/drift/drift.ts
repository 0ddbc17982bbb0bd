import type { JsonChange, JsonObject } from "@agentprint/canonical-json";
import type { Layer } from "../tool/tool-layers.ts";
import type { ItemKind } from "../visit/item-kinds.ts";
import type { CheckFailure } from "../visit/snapshot.ts";
import type { Era, ListName, SessionName } from "../visit/visit-answers.ts";
import type { SchemaVerdict } from "./judge-schemas.ts";

/**
 * What a comparison with the lock came to: nothing differs, something differs, or at least one thing could not be read.
 *
 * `unknown` wins over `drift`: a comparison that is not complete must not pass for one that is.
 */
export type Outcome = "same" | "drift" | "unknown";

/** Something that a server has once. */
export type ServerPart =
  | "launch"
  | "client"
  | "clientCapabilities"
  | "protocolVersion"
  | "supportedVersions"
  | "serverInfo"
  | "capabilities"
  | "instructions"
  | "greeting"
  | "listMembers";

/** The parts in words, in the order in which they are reported. */
export const PART_WORDS: Readonly<Record<ServerPart, string>> = Object.freeze({
  launch: "launch",
  client: "client that the visit speaks as",
  clientCapabilities: "client capabilities",
  protocolVersion: "protocol version",
  supportedVersions: "supported protocol versions",
  serverInfo: "server info",
  capabilities: "server capabilities",
  instructions: "instructions",
  greeting: "another member of the greeting",
  listMembers: "a member beside the items of a list",
});

/** A change of one tool, and the layer that it is in. */
export interface ToolChange extends JsonChange {
  readonly layer: Layer;
}

/** A set of tool members that other checkers commonly hash. */
export type CommonHash = "name+description" | "name+inputSchema" | "name+description+inputSchema";

/** One difference between a locked server and the same server now. */
export type Drift = DriftKind & {
  /** The sessions in which it was seen; absent where it was seen in all. */
  readonly sessions?: readonly SessionName[];
};

type DriftKind =
  | { readonly type: "server-not-locked" }
  /** The server speaks an era that it was not pinned in, or no longer one that it was pinned in. */
  | { readonly type: "era-added" | "era-removed"; readonly era: Era; readonly versions: readonly string[] }
  | { readonly type: "part-changed"; readonly part: ServerPart; readonly changes: readonly JsonChange[] }
  | { readonly type: "item-added"; readonly kind: ItemKind; readonly name: string; readonly after: JsonObject }
  | { readonly type: "item-removed"; readonly kind: ItemKind; readonly name: string; readonly before: JsonObject }
  | {
      readonly type: "item-changed";
      readonly kind: Exclude<ItemKind, "tool">;
      readonly name: string;
      readonly changes: readonly JsonChange[];
    }
  | {
      readonly type: "tool-changed";
      readonly name: string;
      /** The layers whose digests differ. */
      readonly layers: readonly Layer[];
      readonly changes: readonly ToolChange[];
      /** Whether the schemas whose contract changed still fit the callers. */
      readonly schemas?: readonly SchemaVerdict[];
      /** Common hashes that are the same before and after, so do not see this change. */
      readonly missedBy: readonly CommonHash[];
    }
  | {
      /** A tool that is gone and a new one that is likely the same under another name. */
      readonly type: "tool-renamed";
      readonly name: string;
      readonly previousName: string;
      /** 1 when everything but the name is the same, else how much of the two is, from 0 to 1. */
      readonly similarity: number;
      readonly layers: readonly Layer[];
      readonly changes: readonly ToolChange[];
      readonly schemas?: readonly SchemaVerdict[];
    };

/** Something worth knowing about a server as it is, whether it changed or not; no outcome depends on it. */
export type Remark =
  | {
      /** Clients of the two eras, or the common and the bare client, are shown different things. */
      readonly type: "era-divergence" | "client-divergence";
      /** From the first session of each pair to the second. */
      readonly drift: Drift;
      readonly between: readonly (readonly [SessionName, SessionName])[];
    }
  | { readonly type: "undeclared-list"; readonly list: ListName; readonly sessions: readonly SessionName[] }
  | {
      readonly type: "invalid-tool-header";
      readonly name: string;
      readonly pointer: string;
      readonly reason: string;
    }
  | { readonly type: "unstable-member"; readonly pointer: string }
  /** The entry was pinned by an older version, which saw less. */
  | { readonly type: "outdated-entry"; readonly lockVersion: number };

/** What became of one server. */
export interface ServerDrift {
  readonly server: string;
  readonly outcome: Outcome;
  readonly drifts: readonly Drift[];
  readonly remarks: readonly Remark[];
  /** Why the outcome is `unknown`. */
  readonly failure?: CheckFailure["failure"];
  /** Everything that was compared, by kind. */
  readonly checked: Readonly<Record<ItemKind, readonly string[]>>;
  /** Digest of the set of tools: as locked, as found. */
  readonly toolsDigest: { readonly before?: string; readonly after?: string };
  /** Digest of the whole server entry: as locked, as found. */
  readonly digest: { readonly before?: string; readonly after?: string };
}

/** One tool name that several of the servers offer, so that one can answer for another. */
export interface NameCollision {
  readonly name: string;
  /** Sorted; at least two. */
  readonly servers: readonly string[];
}

/** What became of all servers. */
export interface DriftReport {
  /** `unknown` when any server is, else `drift` when any server drifted. */
  readonly outcome: Outcome;
  /** Sorted by name. */
  readonly servers: readonly ServerDrift[];
  /** Tool names that servers share now; information, the outcome does not depend on it. */
  readonly collisions: readonly NameCollision[];
}
