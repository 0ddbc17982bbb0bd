import { EXIT, type JudgedReport } from "@agentprint/findings";
import { renderReport } from "@agentprint/report";

const report: JudgedReport = {
  command: "agentprint check",
  title: "agentprint check",
  summary: "1 of 2 tools drifted",
  outcome: "drift",
  checked: ["filesystem › move_file", "filesystem › read_file"],
  findings: [
    {
      rule: "mcp/tool-hints-changed",
      level: "error",
      place: { subject: "filesystem › move_file", pointer: "/annotations/destructiveHint" },
      before: false,
      after: true,
      message: "hints changed",
    },
  ],
  rules: {
    "mcp/tool-hints-changed": {
      level: "error",
      summary: "The annotations of a tool changed.",
      help: "Review the change.",
    },
  },
  data: { drifted: ["move_file"] },
};

export const text: string = renderReport(report, "text");
export const code: number = EXIT[report.outcome]; // 1
