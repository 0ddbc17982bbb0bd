import { expect, test } from "vitest";
import { exitCode, FORMATS, type Report, renderReport } from "../src/index.ts";

const report: Report = {
  command: "agentprint check",
  title: "agentprint check",
  summary: "drift: 1 of 2 tools changed",
  outcome: "drift",
  findings: [
    {
      ruleId: "tool-hints-changed",
      level: "error",
      message: "hints changed",
      subject: "filesystem › move_file",
      pointer: "/annotations/destructiveHint",
      before: false,
      after: true,
      note: "A hash of name, description and inputSchema misses this change",
    },
  ],
  rules: { "tool-hints-changed": { summary: "Hints of a tool changed", help: "Review and approve." } },
  checked: ["filesystem › move_file", "filesystem › read_file"],
  data: { outcome: "drift" },
};

test.each(FORMATS)("%s", (format) => {
  expect(renderReport(report, format)).toMatch(/drift|hints changed/);
  expect(exitCode(report)).toBe(1);
});
