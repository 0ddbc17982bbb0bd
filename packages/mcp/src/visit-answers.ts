import type { JsonObject } from "@agentprint/canonical-json";
import type { Launch, LaunchCoverage, LockedArtifact, LockedFile } from "@agentprint/launch";
import type { NumberTexts } from "./number-texts.ts";
import type { ServerAuth } from "./server-auth.ts";

/**
 * The era of a conversation between client and server, in the terminology of MCP 2026-07-28 ("Versioning",
 * terminology): `legacy` with the `initialize` handshake (2025-11-25 and older), `modern` with version and capabilities
 * on every request (2026-07-28).
 */
export type Era = "legacy" | "modern";

/** The client that a visit imitates: the configured common client, or `bare` for a client without capabilities. */
export type View = "client" | "bare";

/** A session by its era and view, such as `modern/client`. */
export type SessionName = `${Era}/${View}`;

/** The four lists of MCP, by the member of the result that holds the items. */
export type ListName = "tools" | "prompts" | "resources" | "resourceTemplates";

/** A list that can fail to be read although a server's tools were listed. */
export type UnreadList = Exclude<ListName, "tools">;

/** The content that a resource or prompt had when it was read. */
export interface ContentAnswers {
  /** `ui` is a resource to which a tool refers and that clients run. The other resources are read only on demand. */
  readonly kind: "ui" | "prompt" | "resource";
  /** The name of the prompt, or the URI of the resource. */
  readonly name: string;
  /** Raw results of `resources/read` or `prompts/get`, one for each time it was read. */
  readonly results: readonly JsonObject[];
}

/** The raw results of one session, which has one era and one view. Nothing is stripped. */
export interface SessionAnswers {
  readonly era: Era;
  readonly view: View;
  /** The protocol version of the session. */
  readonly protocolVersion: string;
  /** The result of `initialize`, or the results of each `server/discover`. */
  readonly greetings: readonly JsonObject[];
  /**
   * For each list, an array of its readings, each with the results of all pages. Lists whose method the server does not
   * know are absent. Answers read before an announced change are omitted.
   */
  readonly lists: Readonly<Partial<Record<ListName, readonly (readonly JsonObject[])[]>>>;
  /**
   * The lists to whose requests the server answered with an error although it listed its tools, each with the error's
   * message; absent if there were none. These lists are not in `lists`. If the list of tools fails, the visit fails.
   */
  readonly unread?: Readonly<Partial<Record<UnreadList, string>>>;
  readonly contents: readonly ContentAnswers[];
  /**
   * The texts of those numbers in these results that a double cannot hold exactly, by JSON Pointers that begin with
   * `/greetings`, `/lists` or `/contents`. Absent if the results were values and not texts, so that the numbers' texts
   * are unknown.
   */
  readonly numbers?: NumberTexts;
}

/** A server's raw answers in one visit, with the visit's parameters. */
export interface VisitAnswers {
  readonly launch: Launch;
  /**
   * The digests of the local files that the launch names, read before the server was started; absent if they were
   * not read.
   */
  readonly files?: readonly LockedFile[];
  /** How much of the launch these digests cover; absent if the files were not read. */
  readonly coverage?: LaunchCoverage;
  /** The packages and images to which the launch resolves; absent if they were not read. */
  readonly artifacts?: readonly LockedArtifact[];
  /** The login that the visit used; absent if it used none. */
  readonly auth?: ServerAuth;
  /** The client that the view `client` imitated, such as `claude-code`; `bare` if there was no such view. */
  readonly client: string;
  /** The capabilities that the view `client` declared. */
  readonly clientCapabilities: JsonObject;
  /** The eras in which the server was visited; absent if it was visited in both. */
  readonly eras?: readonly Era[];
  /** The visit's sessions: at least one, and at most one for each era and view. */
  readonly sessions: readonly SessionAnswers[];
}
