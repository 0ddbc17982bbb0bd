import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, test } from "vitest";
import { showText } from "../src/characters/show-text.ts";
import { prose } from "../src/formats/markdown-text.ts";
import { renderReport } from "../src/index.ts";
import { anyReport, anyText, reportOf } from "./reports.ts";

function html(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

describe("Markdown", () => {
  test("a section for each subject, values as a diff", () => {
    const markdown = renderReport(
      reportOf({ subject: "fs › a`b", pointer: "/a", before: 1, after: 2, note: "Look" }),
      "markdown",
    );
    expect(markdown).toBe(`## agentprint check

1 difference

### \`\` fs › a\`b \`\`

- **error** changed at \`/a\`
  \`\`\`diff
  - 1
  + 2
  \`\`\`
  Look
`);
  });

  test("no table without servers", () => {
    expect(renderReport(reportOf({}, { servers: [] }), "markdown")).not.toContain("| server |");
  });

  test("nobody is notified", () => {
    expect(renderReport(reportOf({ message: "ask @octocat" }), "markdown")).toContain("ask @<!-- -->octocat");
  });

  test("a sentence is readable raw", () => {
    const summary = "files drifted: 1 of 14 tools changed, launch changed; re-read it (100 %): one. Two.";
    expect(renderReport(reportOf({}, { summary }), "markdown")).toContain(`\n${summary}\n`);
  });

  test.each([
    "integers have bounds of ±(253 − 1): 25 bounds in 20 tools",
    "the launch of fs names 1.2.3, and not 1.2.2 (100 %, 20 of 20). It waited 0.5 s.",
    "it has 3.",
  ])("a number within a sentence is readable raw: %s", (summary) => {
    expect(renderReport(reportOf({}, { summary }), "markdown")).toContain(`\n${summary}\n`);
  });

  test.each(["1) a", "12. a", "1)", "1.", "1.2) a"])("a number at the start does not begin a list: %s", (summary) => {
    const page = html(renderReport(reportOf({ message: summary, note: summary }, { summary }), "markdown"));
    expect(page).not.toContain("<ol");
    expect(page).toContain(`<p>${summary}</p>`);
  });

  test.each(["a\n1) b", "a\n  1. b", "1.\n2)\t3."])("nor does one at the start of a later line: %j", (text) => {
    expect(html(prose(text))).not.toContain("<ol");
  });

  test("a server that gave no answers has no number of tools", () => {
    const servers = [{ server: "web", outcome: "unknown" }] as const;
    expect(renderReport(reportOf({}, { servers }), "markdown")).toContain(
      "\n| `web` | – | 0 | 0 | 0 | could not be read |\n",
    );
  });

  test("punctuation that a sentence has is no markup where it could be", () => {
    const pieces = [
      "1",
      "a",
      "é",
      " ",
      ".",
      ")",
      ":",
      "-",
      "=",
      "+",
      "#",
      "*",
      "_",
      "~",
      "|",
      "[",
      "](",
      "<",
      "&",
      ";",
    ];
    const text = fc.string({
      unit: fc.constantFrom(...pieces, "http", "www", "/", "@", "!", "`", "\\", '"'),
      maxLength: 14,
    });
    const allowed = /^<(\/?(h2|h3|p|strong|ul|li|code|pre)|!-- --)>$/;
    fc.assert(
      fc.property(text, (summary) => {
        const page = html(renderReport(reportOf({ note: summary, message: summary }, { summary }), "markdown"));
        expect(page.match(/<[^>]*>/g)?.filter((tag) => !allowed.test(tag))).toEqual([]);
        expect(page.match(/<(ul|li)>/g)).toEqual(["<ul>", "<li>"]);
      }),
      { numRuns: runs(250) },
    );
  });

  test("no text becomes a block of code by indentation", () => {
    expect(html(renderReport(reportOf({}, { summary: "    code" }), "markdown"))).toContain("<p>code</p>");
  });

  test("more than ten changes are folded, server by server, behind a table of the servers", () => {
    const place = (server: string, tool: string) => ({ subject: `${server} › ${tool}`, server });
    const [finding] = reportOf({ before: 1, after: 2 }).findings;
    const findings = Array.from({ length: 11 }, (_, index) => ({
      ...finding!,
      message: `changed ${index}`,
      place: place(index === 0 ? "a|b" : "c", "t"),
    }));
    const servers = [
      { server: "a|b", tools: 3, outcome: "drift" },
      { server: "c", tools: 1, outcome: "unknown" },
    ] as const;
    const markdown = renderReport(reportOf({}, { findings, servers }), "markdown");
    const page = html(markdown);
    expect(page.match(/<td[^>]*>.*?<\/td>/g)?.map((cell) => cell.replace(/<[^>]*>/g, ""))).toEqual([
      "a|b",
      "3",
      "1",
      "0",
      "0",
      "drifted",
      "c",
      "1",
      "10",
      "0",
      "0",
      "could not be read",
    ]);
    expect(page.match(/<(h3|summary|\/?details|li)>/g)).toEqual([
      ...["<h3>", "<details>", "<summary>", "<li>", "</details>"],
      ...["<h3>", "<details>", "<summary>", ...Array(10).fill("<li>"), "</details>"],
    ]);
    expect(markdown).toContain("<details><summary>1 error</summary>\n\n- **error** `t`: changed 0\n");
    const summary = renderReport(reportOf({}, { findings, servers }), "markdown", { summary: true });
    expect(summary).toBe(markdown.slice(0, markdown.indexOf("### ")).trimEnd().concat("\n"));
  });

  test("no text becomes markup", () => {
    const allowed = /^<(\/?(h2|h3|p|strong|ul|li|code|pre|code class="language-diff")|!-- --)>$/;
    fc.assert(
      fc.property(anyReport, (report) => {
        const tags = html(renderReport(report, "markdown")).match(/<[^>]*>/g) ?? [];
        expect(tags.filter((tag) => !allowed.test(tag))).toEqual([]);
      }),
    );
  });

  test("a message reads in the page as it was written, with the names of invisible characters", () => {
    fc.assert(
      fc.property(anyText, (message) => {
        const page = html(renderReport(reportOf({ message: `x${message}x` }), "markdown"));
        const text = page.replace(/<[^>]*>/g, "");
        const seen = showText(`x${message}x`);
        const shown = seen.length > 190 ? seen.slice(0, 100) : seen;
        const entities = shown
          .replaceAll("&", "&amp;")
          .replaceAll("<", "&lt;")
          .replaceAll(">", "&gt;")
          .replaceAll('"', "&quot;");
        expect(text).toContain(entities);
      }),
    );
  });
});
