import type { Finding, Report } from "@agentprint/findings";
import type { DriftReport, LockFile } from "@agentprint/mcp-lock";
import type { PolicyJudgement } from "../base-commit/judge-policy.ts";
import type { Base } from "../base-commit/read-base.ts";
import type { Agreement } from "../compare-configs/compare-configs.ts";
import type { Context } from "../run/context.ts";
import type { ProvenAuthors, VisitedServer } from "../statement/author-statements.ts";

/** Something that is compared with what was accepted: the servers themselves, or other files of a project. */
export interface Source {
  /**
   * Returns whether the source has anything to say about a project, and loads nothing that only {@link findings} needs.
   */
  needed(project: Project): boolean;
  /** Compares; returns `undefined` if there is nothing to say. */
  findings(project: Project, visits: Visits): Promise<Found | undefined>;
}

/** The lock, the policy and the surroundings by which a command judges. */
export interface Project {
  readonly context: Context;
  /** The path of the lock. */
  readonly file: string;
  readonly lock: LockFile;
  /** The lock before a change, which cannot exclude anything from the comparison; absent if no change is judged. */
  readonly before?: LockFile | undefined;
  /**
   * `project`: the complete project is checked; `servers`: some of its servers; `approval`: the states that would be
   * accepted are reviewed; `states`: states of servers that belong to no project are compared.
   */
  readonly scope: "project" | "servers" | "approval" | "states";
  /** The names of servers on the command line; if empty, all servers. */
  readonly names: readonly string[];
  /** The policy, and its differences from the accepted one. */
  readonly judgement: PolicyJudgement;
  /** The commit by which a change is judged. */
  readonly base?: Base | undefined;
  /** How the configurations agree with the lock; absent if no configuration is compared. */
  readonly agreement?: Agreement | undefined;
  /** Whether the clients' configurations are the project's, not those that the command line names. */
  readonly hasOwnConfigs?: boolean;
  /** The age in milliseconds at which a pin counts as old; absent if no pin does. */
  readonly maxAge?: number | undefined;
}

/** The results of visits, compared with the lock. */
export interface Visits {
  readonly drift: DriftReport;
  /** The report on this drift only. */
  readonly report: Report;
  /** The servers that answered, with their entries. */
  readonly served: () => Promise<readonly VisitedServer[]>;
  /** The statements of authors about these servers, if they have already been verified. */
  readonly authors?: ProvenAuthors | undefined;
}

/** The findings of a source, and what they mean for the report. */
export interface Found {
  /** The findings to list before those of earlier sources. */
  readonly first?: readonly Finding[];
  /** The findings to list after those of earlier sources. */
  readonly last?: readonly Finding[];
  readonly rules: Report["rules"];
  /** The subjects that were checked. Default: the subjects of the findings. */
  readonly checked?: readonly string[];
  /** The result in words, for the summary. */
  readonly says?: string | undefined;
  /** Sentences about the report in general. */
  readonly change?: readonly string[];
  /** Whether a check that visited no server is complete with this source. */
  readonly isComplete?: true;
  /** Whether no policy applies to these findings. */
  readonly isBeyondPolicy?: true;
  /** The findings of earlier sources that no person has to review, and the note that says why. */
  readonly accepted?: { readonly note: string; readonly isAccepted: ProvenAuthors["isAccepted"] };
}

/** Returns whether a project or some of its servers are checked. */
export function isCheck({ scope }: Project): boolean {
  return scope === "project" || scope === "servers";
}
