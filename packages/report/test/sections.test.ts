import type { Finding } from "@agentprint/findings";
import { describe, expect, test } from "vitest";
import { renderReport } from "../src/index.ts";
import { reportOf } from "./reports.ts";

function found(section: string | undefined, tool: string, rest: Partial<Finding> = {}): Finding {
  const place = { subject: `files › ${tool}`, server: "files", tool };
  return { rule: "test/rule", level: "error", message: "changed", place, ...(section && { section }), ...rest };
}

const findings = [
  found("Told", "a", { after: true }),
  found("Told", "b", { after: true, message: "new" }),
  found("Breaks", "c", { message: "breaks" }),
  found("Breaks", "d", { message: "breaks, too" }),
  found("Else", "a", { message: "else" }),
  found(undefined, "z", { message: "without a heading" }),
];
const servers = [{ server: "files", tools: 4, outcome: "drift", event: "4 of 4 tools changed" }] as const;
const text = (some: readonly Finding[], options = {}) =>
  renderReport(reportOf({}, { findings: some, servers }), "text", options)
    .split("\n")
    .slice(0, -3);

describe("the findings of a server", () => {
  test.each([false, true])("stand below the headings of their sections (brief: %s)", (brief) => {
    expect(text(findings, { brief })).toEqual([
      "files: 4 of 4 tools changed",
      "  error  z: without a heading",
      " Told",
      "  error  a: changed: + true",
      "  error  b: new: + true",
      " Breaks",
      "  error  c: breaks",
      "  error  d: breaks, too",
      " Else",
      "  error  a: else",
    ]);
  });

  test("have no headings where they are few, or of one section", () => {
    expect(text(findings.slice(1, 4))).toEqual([
      "files: 4 of 4 tools changed",
      "  error  b: new: + true",
      "  error  c: breaks",
      "  error  d: breaks, too",
    ]);
    const one = Array.from({ length: 9 }, (_, index) => found("Told", `t${index}`, { after: index }));
    expect(text(one).join("\n")).not.toContain("Told");
  });

  test("have headings in Markdown, behind what happened to the server", () => {
    const markdown = renderReport(reportOf({}, { findings, servers }), "markdown");
    expect(markdown).toContain(
      "### `files`\n\n4 of 4 tools changed\n\n- **error** `z`: without a heading\n\n#### Told\n\n",
    );
    expect(markdown.indexOf("#### Told")).toBeLessThan(markdown.indexOf("#### Breaks"));
    const hostile = findings.map((finding) => ({ ...finding, section: `# ${finding.section} <b>` }));
    expect(renderReport(reportOf({}, { findings: hostile, servers }), "markdown")).toContain("#### \\# Told \\<b\\>\n");
  });

  test("keep their sections in JSON", () => {
    const { findings: written } = JSON.parse(renderReport(reportOf({}, { findings }), "json"));
    expect(written.map(({ section }: Finding) => section)).toEqual(findings.map(({ section }) => section));
  });
});

describe("digests", () => {
  const [one, other] = ["0123456789ab", "ba9876543210"].map((start) => start.padEnd(64, "c"));
  const line = (before: string, after: string) => text([found(undefined, "a", { before, after })]).slice(1);

  test("are shown by their beginnings", () => {
    expect(line(one as string, other as string)).toEqual(['  error  a: changed: "0123456789ab…" → "ba9876543210…"']);
  });

  test("are shown whole where the beginnings are the same, or one value is no digest", () => {
    const alike = `${one?.slice(0, -1)}d`;
    expect(line(one as string, alike).join("\n")).toContain(alike);
    expect(line(one as string, `${other} `).join("\n")).toContain(other as string);
    const added = text([found(undefined, "a", { after: one as string })]);
    expect(added.join("\n")).toContain(one as string);
  });
});
