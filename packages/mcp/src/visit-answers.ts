import type { JsonObject } from "@agentprint/canonical-json";
import type { Launch, LaunchCoverage, LockedArtifact, LockedFile } from "@agentprint/launch";
import type { NumberTexts } from "./number-texts.ts";
import type { ServerAuth } from "./server-auth.ts";

/**
 * The era of a conversation between client and server, in the terms of MCP 2026-07-28 ("Versioning", terminology):
 * `legacy` with the `initialize` handshake (2025-11-25 and older), `modern` with version and capabilities on every
 * request (2026-07-28).
 */
export type Era = "legacy" | "modern";

/** The client that a visit imitates: the configured common client, or `bare`, a client without capabilities. */
export type View = "client" | "bare";

/** A session by its era and view, such as `modern/client`. */
export type SessionName = `${Era}/${View}`;

/** The four lists of MCP, by the member of the result that holds the items. */
export type ListName = "tools" | "prompts" | "resources" | "resourceTemplates";

/** A list that can fail although a server's tools were listed. */
export type UnreadList = Exclude<ListName, "tools">;

/** The content of a resource or prompt when it was read. */
export interface ContentAnswers {
  /** `ui`: a resource that a tool refers to and that clients run. The others are read only on demand. */
  readonly kind: "ui" | "prompt" | "resource";
  /** The name of the prompt, or the URI of the resource. */
  readonly name: string;
  /** Raw results of `resources/read` or `prompts/get`, one for each reading. */
  readonly results: readonly JsonObject[];
}

/** Raw results of one session: one era, one view. Nothing is stripped. */
export interface SessionAnswers {
  readonly era: Era;
  readonly view: View;
  /** The protocol version of the session. */
  readonly protocolVersion: string;
  /** Results of `initialize` (one) or of each `server/discover`. */
  readonly greetings: readonly JsonObject[];
  /**
   * For each list its readings, for each reading the results of its pages. A list whose method the server does not know
   * is absent. Readings from before an announced change are omitted.
   */
  readonly lists: Readonly<Partial<Record<ListName, readonly (readonly JsonObject[])[]>>>;
  /**
   * Lists that the server answered with an error although it listed its tools, each with that error's message; absent
   * if there were none. They are not in `lists`. A failed list of tools fails the visit.
   */
  readonly unread?: Readonly<Partial<Record<UnreadList, string>>>;
  readonly contents: readonly ContentAnswers[];
  /**
   * The texts of the numbers in these results that a double changes, by JSON Pointers that begin with `/greetings`, `/lists` or
   * `/contents`. Absent if the results were values and not texts, so that they are unknown.
   */
  readonly numbers?: NumberTexts;
}

/** The raw answers of a server in one visit, with the parameters of the visit. */
export interface VisitAnswers {
  readonly launch: Launch;
  /**
   * The digests of the local files that the launch names, read before the server was started; absent if they were
   * not read.
   */
  readonly files?: readonly LockedFile[];
  /** How far these digests cover the launch; absent if the files were not read. */
  readonly coverage?: LaunchCoverage;
  /** The packages and images that the launch resolves to; absent if they were not read. */
  readonly artifacts?: readonly LockedArtifact[];
  /** The login that the visit used; absent if it used none. */
  readonly auth?: ServerAuth;
  /** The client that the view `client` imitated, such as `claude-code`; `bare` if there was no such view. */
  readonly client: string;
  /** The capabilities that the view `client` declared. */
  readonly clientCapabilities: JsonObject;
  /** The eras in which the server was visited; absent if both were. */
  readonly eras?: readonly Era[];
  /** At least one; at most one for each era and view. */
  readonly sessions: readonly SessionAnswers[];
}
