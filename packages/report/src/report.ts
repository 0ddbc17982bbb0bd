import type { JsonValue } from "@agentprint/canonical-json";

/** The level of a finding; a `note` informs and changes no outcome. */
export type FindingLevel = "error" | "warning" | "note";

/**
 * The outcome of a check: nothing differs, something differs, or something could not be read.
 *
 * `unknown` takes precedence over `drift`, because `drift` says that the report holds all differences.
 */
export type Outcome = "same" | "drift" | "unknown";

/** The place of a finding in a text file. */
export interface Location {
  /** Path from the top of the repository, with `/` between folders. */
  readonly file: string;
  /** 1-based line. */
  readonly line?: number;
  /** 1-based column. */
  readonly column?: number;
}

/** The place of a finding: a subject, a value inside the subject, and a place in a text file. */
export interface Place {
  /** The subject of the finding, for example `filesystem › move_file`; one of {@link Report.checked}. */
  readonly subject: string;
  /** The server that the subject is, or that it belongs to: the findings of a server stand together. */
  readonly server?: string;
  /** The name of the tool that the finding is about. */
  readonly tool?: string;
  /** RFC 6901 JSON Pointer of the place inside the subject. */
  readonly pointer?: string;
  readonly location?: Location;
}

/** One finding of a check. */
export interface Finding {
  /** Id of the rule, `domain/kebab-case`; a key into {@link Report.rules}. */
  readonly rule: string;
  readonly level: FindingLevel;
  readonly place: Place;
  /** The value before; absent when there was none. */
  readonly before?: JsonValue;
  /** The value after; absent when there is none. */
  readonly after?: JsonValue;
  /** The finding in one sentence without a full stop; it may contain text of unknown origin. */
  readonly message: string;
  /** One sentence with further information; the same note on neighbouring findings is printed once. */
  readonly note?: string;
  /** Present where the subject could not be read or compared, so that it is neither the same nor different. */
  readonly couldNotTell?: true;
  /** Present where a policy lets the finding pass: no outcome depends on it. */
  readonly isAllowed?: true;
  /** Present where the finding is an observation that is no difference. */
  readonly isRemark?: true;
}

/** The meaning of a rule, and what to do about its findings. */
export interface Rule {
  /** The level of the findings of this rule; a finding can have another level. */
  readonly level: FindingLevel;
  readonly summary: string;
  readonly help: string;
}

/** The result of the check of one server. */
export interface ServerResult {
  /** The name of the server, as the places of its findings have it. */
  readonly server: string;
  /** How many of its tools were compared. */
  readonly tools: number;
  readonly outcome: Outcome;
}

/** The result of one run of a check, for all formats. */
export interface Report {
  /** The command that made the report, for example `agentprint check`. */
  readonly command: string;
  readonly title: string;
  /** The result in one line. */
  readonly summary: string;
  readonly outcome: Outcome;
  /** Sentences that count what the checked change approves, removes, adds and weakens; no format leaves one out. */
  readonly change?: readonly string[];
  readonly findings: readonly Finding[];
  /** The rules that findings refer to, by id. */
  readonly rules: Readonly<Record<string, Rule>>;
  /** Every subject that was checked, with and without findings. */
  readonly checked: readonly string[];
  /** The servers that were checked, for a table of them; absent where the subjects are no servers. */
  readonly servers?: readonly ServerResult[];
  /** The result for programs, a JSON object; the format `json` prints its members beside those that every JSON report has. */
  readonly data: object;
}
