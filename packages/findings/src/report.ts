import type { Finding } from "./finding.ts";
import type { Outcome } from "./outcome.ts";
import type { Rule } from "./rule.ts";

/** The result of checking one server. */
export interface ServerResult {
  /** The server's name, as in the places of its findings. */
  readonly server: string;
  /** How many of the server's tools were compared; absent if none of its answers are known, as if it did not start. */
  readonly tools?: number;
  readonly outcome: Outcome;
  /**
   * The overall change in a few words, such as `1 of 28 tools changed, and only its description`; absent if nothing
   * changed.
   */
  readonly event?: string;
}

/** The findings of a check. It has no outcome yet; {@link judgeReport} decides that. */
export interface Report {
  /** The command that made the report, for example `agentprint check`. */
  readonly command: string;
  readonly title: string;
  /** The result in one line. */
  readonly summary: string;
  /**
   * The reason why the check as a whole could not tell; absent if it could, or if only some findings could not be
   * decided.
   */
  readonly couldNotTell?: string | undefined;
  /**
   * Present if the subjects are known to differ whatever the findings are, because hashes can differ without a finding.
   */
  readonly differs?: true;
  /**
   * Sentences about the complete report: who approved the checked change, and the assumptions behind levels; no format
   * omits them.
   */
  readonly change?: readonly string[];
  readonly findings: readonly Finding[];
  /** The rules that findings name, by id; `why` and the address of the documentation are absent if a rule has none. */
  readonly rules: Readonly<
    Record<string, Pick<Rule, "level" | "summary" | "help"> & { readonly why?: string; readonly helpUri?: string }>
  >;
  /** Every subject that was checked, with and without findings. */
  readonly checked: readonly string[];
  /** The servers that were checked, for a table of them; absent if the subjects are not servers. */
  readonly servers?: readonly ServerResult[];
  /**
   * The result for programs as a JSON object; the format `json` prints its members in addition to those that every JSON
   * report has.
   */
  readonly data: object;
}

/** The result of a check, for all formats. */
export interface JudgedReport extends Omit<Report, "couldNotTell" | "differs"> {
  readonly outcome: Outcome;
}
