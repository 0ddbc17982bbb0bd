import type { JsonChange, JsonObject, JsonValue } from "@agentprint/canonical-json";
import type { Outcome } from "@agentprint/findings";
import type { Launch } from "@agentprint/launch";
import type { CheckFailure, Era, ItemKind, ListName, SessionName, UnreadList } from "@agentprint/mcp";
import type { ProseSignal, ToolDrift } from "@agentprint/tool-pins/judgement";
import type { VaryingMember } from "../varies/varying-member.ts";
import type { ItemChange } from "./item-changes.ts";

/** The parts that an entry has only once, in the order in which they are reported. */
export const PARTS = [
  "launch",
  "files",
  "artifacts",
  "artifactVersions",
  "artifactFiles",
  "issuer",
  "endpointOrigin",
  "scopesAdded",
  "scopesDropped",
  "authMetadata",
  "client",
  "clientCapabilities",
  "varies",
  "sessions",
  "entry",
  "protocolVersion",
  "supportedVersions",
  "unread",
  "serverInfo",
  "capabilities",
  "instructions",
  "greeting",
  "listMembers",
] as const;

/** A part that an entry has only once. */
export type ServerPart = (typeof PARTS)[number];

/** One difference between a locked server and the same server now. */
export type Drift = DriftKind & {
  /** The sessions in which the difference was seen; absent if all sessions saw it. */
  readonly sessions?: readonly SessionName[];
};

type DriftKind =
  | { readonly type: "server-not-locked" }
  /** The server supports an era that was not pinned, or no longer supports one that was pinned. */
  | { readonly type: "era-added" | "era-removed"; readonly era: Era; readonly versions: readonly string[] }
  | { readonly type: "part-changed"; readonly part: ServerPart; readonly changes: readonly JsonChange[] }
  /** A varying member has signals that its pinned value lacks. */
  | {
      readonly type: "varying-signal";
      readonly member: VaryingMember;
      readonly before: JsonValue;
      readonly after: JsonValue;
      /** At least one. */
      readonly signals: readonly ProseSignal[];
    }
  | {
      readonly type: "item-added";
      readonly kind: Exclude<ItemKind, "tool">;
      readonly name: string;
      readonly after: JsonObject;
    }
  | {
      readonly type: "item-removed";
      readonly kind: Exclude<ItemKind, "tool">;
      readonly name: string;
      readonly before: JsonObject;
    }
  | {
      readonly type: "item-changed";
      readonly kind: Exclude<ItemKind, "tool">;
      readonly name: string;
      readonly changes: readonly ItemChange[];
    }
  /** The numbers whose value changes when they are read as doubles; each side has only its own such numbers. */
  | {
      readonly type: "numbers-changed";
      readonly kind: ItemKind;
      readonly name: string;
      readonly changes: readonly JsonChange[];
    }
  | ToolDrift;

/** An observation about a server that does not concern a change; no outcome depends on it. */
export type Remark =
  | {
      /** The server gives different answers to clients of the two eras, or to the common and the bare client. */
      readonly type: "era-divergence" | "client-divergence";
      /** The difference from the first session of each pair to the second. */
      readonly drift: Drift;
      readonly between: readonly (readonly [SessionName, SessionName])[];
    }
  /** A list that the server answers with an error, so none of its items are pinned or compared. */
  | { readonly type: "unread-list"; readonly list: UnreadList; readonly sessions: readonly SessionName[] }
  | { readonly type: "undeclared-list"; readonly list: ListName; readonly sessions: readonly SessionName[] }
  | {
      readonly type: "invalid-tool-header";
      readonly name: string;
      readonly pointer: string;
      readonly reason: string;
    }
  /** MCP does not allow one of a tool's schemas, but the tool was pinned with it. */
  | {
      readonly type: "schema-not-allowed";
      readonly name: string;
      readonly pointer: string;
      readonly reason: string;
    }
  /** The number texts were not known, so integers of an item may differ even if they become the same double. */
  | {
      readonly type: "integers-not-compared";
      readonly kind: ItemKind;
      readonly name: string;
      readonly pointers: readonly string[];
    }
  /** Items differ although the version and the launch's digests are the same. */
  | { readonly type: "dependency-changed"; readonly packages: readonly MovedPackage[] }
  | { readonly type: "unstable-member"; readonly pointer: string }
  /** A member that the entry allows to vary. */
  | { readonly type: "varying-member"; readonly member: VaryingMember }
  /** The launch names a local file whose digest the entry lacks. */
  | { readonly type: "unpinned-file"; readonly pointer: string }
  /**
   * Text with characters that a reader cannot see or confuses with others; without an item, the text belongs to the
   * server itself.
   */
  | {
      readonly type: "hidden-text";
      readonly kind?: ItemKind;
      readonly name?: string;
      readonly places: readonly HiddenText[];
    }
  /** The tools without hints, and the total number of tools. */
  | { readonly type: "missing-hints"; readonly tools: readonly string[]; readonly of: number }
  /** As far as is known, the entry's digests do not cover everything that the launch interprets. */
  | { readonly type: "launch-not-covered"; readonly word: string; readonly pointer: string };

/**
 * A package that is installed with a server, the versions that only the entry has, and the versions that only the check
 * found.
 */
export interface MovedPackage {
  readonly name: string;
  /** At least one. */
  readonly before: readonly string[];
  /** At least one. */
  readonly after: readonly string[];
}

/** A place with invisible characters (`U+200B, 2 times`) or mixed-script words. */
export interface HiddenText {
  readonly pointer: string;
  /** At least one and at most eight. */
  readonly found: readonly string[];
}

/** The result of comparing one server. */
export interface ServerDrift {
  readonly server: string;
  readonly outcome: Outcome;
  readonly drifts: readonly Drift[];
  readonly remarks: readonly Remark[];
  /**
   * If no reviewer has accepted the current launch: that launch (`after`), without its secrets, and the accepted one
   * (`before`).
   */
  readonly launch?: { readonly before?: Launch; readonly after: Launch };
  /** The reason for the outcome `unknown`; `drifts` then holds the differences in the parts that were compared. */
  readonly failure?: CheckFailure["failure"];
  /** The names of all items that were compared, by kind. */
  readonly checked: Readonly<Record<ItemKind, readonly string[]>>;
  /** The digest of the tools in the lock (`before`) and now (`after`). */
  readonly toolsDigest: { readonly before?: string; readonly after?: string };
  /** The digest of the complete entry in the lock (`before`) and now (`after`). */
  readonly digest: { readonly before?: string; readonly after?: string };
}

/** A tool name that several servers offer, so one server can answer a call that was meant for another. */
export interface NameCollision {
  readonly name: string;
  /** Sorted; at least two. */
  readonly servers: readonly string[];
}

/** Tool names on one or several servers that look alike, so that people and models may confuse them. */
export interface LookAlike {
  /** Sorted; at least two names. */
  readonly tools: readonly { readonly server: string; readonly name: string }[];
}

/** The result of comparing all servers. */
export interface DriftReport {
  /** `unknown` if any server is, or else `drift` if any server drifted. */
  readonly outcome: Outcome;
  /** Sorted by name. */
  readonly servers: readonly ServerDrift[];
  /** Tool names that several servers offer now; the outcome does not depend on them. */
  readonly collisions: readonly NameCollision[];
  /** Tool names on one or several servers that look alike but are not the same; the outcome does not depend on them. */
  readonly lookAlikes?: readonly LookAlike[];
  /** The names of all servers and tools, in the lock and now; a changed text that contains one of them has a signal. */
  readonly names?: readonly string[];
}
