import type { JsonObject } from "@agentprint/canonical-json";
import { judgeReport } from "@agentprint/findings";
import type { VisitAnswers } from "@agentprint/mcp";
import { checkLock, createLock } from "@agentprint/mcp-lock";
import { driftToReport } from "@agentprint/mcp-lock/rules";
import { cutFindings, FORMATS, renderReport } from "@agentprint/report";
import { answersOf } from "@agentprint/testing/lock/offer";
import { anyInvisible, INVISIBLE } from "@agentprint/testing/text/invisible";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/** Returns a server with text in every place that can hold it. */
function serverThatSays(text: (place: string) => string): VisitAnswers {
  const schema = (place: string): JsonObject => ({
    type: "object",
    properties: {
      [text(`${place} name`)]: { type: "string", description: text(`${place} parameter`), default: text(place) },
    },
  });
  const tool: JsonObject = {
    name: "read",
    title: text("title"),
    description: text("description"),
    inputSchema: schema("input"),
    outputSchema: schema("output"),
    annotations: { title: text("annotation") },
    _meta: { [text("meta name")]: text("meta") },
    icons: [{ src: text("icon") }],
  };
  return answersOf([tool, { name: text("tool name") }], {
    instructions: text("instructions"),
    capabilities: { experimental: { [text("capability name")]: text("capability") } },
    serverInfo: { name: text("server"), version: text("version") },
    prompts: [{ name: "p", description: text("prompt") }, { name: text("prompt name") }],
    resources: [{ uri: "file:///r", description: text("resource") }],
    resourceTemplates: [{ uriTemplate: "file:///{t}", description: text("template") }],
  });
}

/** Removes the escapes that a format adds to text. */
const undo = (output: string): string => output.replaceAll("\\", "").replaceAll("%25", "%");

function wordsMissing(words: readonly string[], output: string): string[] {
  const found = new Set(output.match(/\w+End/g));
  return words.filter((word) => !found.has(word));
}

describe.each(FORMATS)("%s", (format) => {
  test("shows each new text of a server in any place, or names the cut", () => {
    fc.assert(
      fc.property(
        fc.nat(1500),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 1, max: 400 })), {
          minLength: 1,
          maxLength: 3,
        }),
        (length, edits) => {
          const said: string[] = [];
          const words = Array.from({ length }, (_, index) => `word${index}`);
          const after = (place: string): string => {
            const text = [...words];
            for (const [index, [at, count]] of edits.entries()) {
              const name = `${place.replaceAll(" ", "")}Edit${index}`;
              const put = Array.from({ length: count }, (_, number) => `${name}Number${number}End`);
              said.push(...put);
              text.splice(Math.floor(at * text.length), 0, ...put);
            }
            return `${place} ${text.join(" ")}`;
          };
          const locked = createLock({ s: serverThatSays((place) => `${place} ${words.join(" ")}`) });
          const drift = checkLock(locked, { s: serverThatSays(after) });
          const output = undo(renderReport(judgeReport(driftToReport(drift)), format));
          const missing = wordsMissing(said, output);
          if (missing.length > 0) {
            expect(cutFindings(judgeReport(driftToReport(drift)), format)).not.toEqual([]);
            expect(output).toMatch(
              /\d+ characters of this change are not shown, from character \d+ of|… \(\d+ more\)|GitHub shows \d+ of \d+/,
            );
          }
          if (format !== "github") {
            const whole = undo(renderReport(judgeReport(driftToReport(drift)), format, { full: true }));
            expect(wordsMissing(said, whole)).toEqual([]);
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  test("shows no invisible character of any name or text of a server", () => {
    const anyText = fc
      .array(fc.oneof(anyInvisible, fc.string({ unit: "grapheme", maxLength: 2 })), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const says = (text: string) => serverThatSays((place) => `${place}${text}`);
        const drift = checkLock(createLock({ [before]: says(before) }), {
          [before]: says(after),
          [after]: says(after),
        });
        expect(
          renderReport(judgeReport(driftToReport(drift, { lockFile: after })), format).replaceAll("\n", ""),
        ).not.toMatch(INVISIBLE);
      }),
      { numRuns: 20 },
    );
  });
});
