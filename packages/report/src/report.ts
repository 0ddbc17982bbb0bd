import type { JsonValue } from "@agentprint/canonical-json";

/** How grave a finding is; a `note` informs and changes no outcome. */
export type FindingLevel = "error" | "warning" | "note";

/**
 * What a check came to: nothing differs, something differs, or at least one thing could not be read.
 *
 * `unknown` wins over `drift`: a report that is not complete must not pass for one that is.
 */
export type Outcome = "same" | "drift" | "unknown";

/** A place in a text file that a finding points to. */
export interface Location {
  /** Path as a reader would type it, `/`-separated, relative to the working directory. */
  readonly file: string;
  /** 1-based line. */
  readonly line?: number;
  /** 1-based column. */
  readonly column?: number;
}

/** Where something was found: in what, at which place inside it, and at which place of a text file. */
export interface Place {
  /** What the finding is about, for example `filesystem › move_file`; one of {@link Report.checked}. */
  readonly subject: string;
  /** RFC 6901 JSON Pointer of the place inside the subject. */
  readonly pointer?: string;
  readonly location?: Location;
}

/** One thing that a check found. */
export interface Finding {
  /** Id of the rule, `domain/kebab-case`; a key into {@link Report.rules}. */
  readonly rule: string;
  readonly level: FindingLevel;
  readonly place: Place;
  /** The value before; absent when there was none. */
  readonly before?: JsonValue;
  /** The value after; absent when there is none. */
  readonly after?: JsonValue;
  /** What was found, one sentence without a full stop; may contain text of unknown origin. */
  readonly message: string;
  /** Anything else that a reader should know, one sentence; the same note on neighbouring findings is printed once. */
  readonly note?: string;
  /** The subject could not be read or compared: neither the same nor different. */
  readonly couldNotTell?: true;
}

/** What a rule looks for, and what to do about a finding. */
export interface Rule {
  /** The level of a finding of this rule, unless the finding has a reason to have another one. */
  readonly level: FindingLevel;
  readonly summary: string;
  readonly help: string;
}

/** Everything that one run of a check has to say, independent of how it is written. */
export interface Report {
  /** The command that made it, for example `agentprint check`. */
  readonly command: string;
  readonly title: string;
  /** The result in one line. */
  readonly summary: string;
  readonly outcome: Outcome;
  readonly findings: readonly Finding[];
  /** The rules that findings refer to, by id. */
  readonly rules: Readonly<Record<string, Rule>>;
  /** Every subject that was checked, with and without findings. */
  readonly checked: readonly string[];
  /** The machine form, an object that JSON can carry; `json` prints it complete, with the findings as its member `findings`. */
  readonly data: object;
}
