import { count } from "@agentprint/findings";
import type { ChainReport, TasksReport } from "@agentprint/trail/chain";
import type { PageReport } from "../page-report.ts";

/** The page's verdict, which is compared with the command's. */
export interface Verdict {
  readonly tone: "bad" | "good";
  readonly text: string;
}

/**
 * Returns the verdict on whether the records in the page are those that the command verified, and whether they are
 * intact.
 */
export function verdictOn({ ok, tasks, unassigned, length }: TasksReport, report: PageReport): Verdict {
  const problems = [...tasks, unassigned].reduce((sum, { problemCount }) => sum + problemCount, 0);
  if (!isSame([...tasks, unassigned], report)) {
    const text = `this page was changed after the command wrote it: ${count(problems, "problem")}, and its records differ from those that the command verified`;
    return { tone: "bad", text };
  }
  return ok
    ? { tone: "good", text: `${count(length, "record")}, all intact, as the command verified` }
    : {
        tone: "bad",
        text: `${count(problems, "problem")} in ${count(length, "record")}, as the command found`,
      };
}

function isSame(found: readonly ChainReport[], { chains }: PageReport): boolean {
  return (
    found.length === chains.length &&
    found.every(({ taskId, length, head, problemCount }, index) => {
      const reported = chains[index];
      return (
        reported?.taskId === taskId &&
        reported.length === length &&
        reported.head === head &&
        reported.problemCount === problemCount
      );
    })
  );
}
