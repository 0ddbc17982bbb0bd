import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, test } from "vitest";
import { renderReport } from "../src/index.ts";
import { anyReport, anyText, reportOf, UNSEEN } from "./reports.ts";

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

  test("nobody is notified", () => {
    expect(renderReport(reportOf({ message: "ask @octocat" }), "markdown")).toContain("ask @<!-- -->octocat");
  });

  test("no text becomes a block of code by indentation", () => {
    expect(html(renderReport(reportOf({}, { summary: "    code" }), "markdown"))).toContain("<p>code</p>");
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

  test("a message reads in the page as it was written, with escapes for invisible characters", () => {
    fc.assert(
      fc.property(anyText, (message) => {
        const page = html(renderReport(reportOf({ message: `x${message}x` }), "markdown"));
        const text = page.replace(/<[^>]*>/g, "");
        const seen = message.replace(UNSEEN, (c) => `\\u{${c.codePointAt(0)?.toString(16)}}`);
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
