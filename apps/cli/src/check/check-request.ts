import type { JudgedReport } from "@agentprint/findings";
import type { VisitAnswers } from "@agentprint/mcp";
import type { LaunchOptions } from "../options/visit-options.ts";
import type { ReportOptions } from "../report/report-options.ts";

/** The command line of a check, parsed once. */
export interface CheckRequest {
  readonly startedAt: Date;
  /** The names of servers; an empty list selects the entire project if no launch is given. */
  readonly servers: readonly string[];
  /** The lock, and the options for reaching its servers. */
  readonly launch: LaunchOptions;
  /** The command of the one server. */
  readonly launched: readonly string[];
  /**
   * Whether the command line configures how servers are reached; if so, clients start other launches.
   */
  readonly hasOwnLaunch: boolean;
  /** The file with the policy, if one was named. */
  readonly config?: string | undefined;
  /** The commit by which a change is judged. */
  readonly base?: string | undefined;
  readonly allowChangedLaunch: boolean;
  readonly requireIntegrity: boolean;
  /** In milliseconds. */
  readonly maxAge?: number | undefined;
  readonly output: ReportOptions;
  /** Called with the report, in which secrets are replaced, and the answers of the servers that were read. */
  readonly onChecked?: (report: JudgedReport, visits: readonly VisitAnswers[]) => void;
}
