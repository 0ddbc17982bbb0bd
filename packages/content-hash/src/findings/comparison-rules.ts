import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Rules } from "@agentprint/findings";

/** Explains each finding about two texts, and how to correct it. */
export const COMPARISON_RULES: Rules<"text/differs" | "text/formatting-differs" | "text/meaningful-white-space"> =
  /* @__PURE__ */ deepFreeze({
    "text/differs": {
      level: "error",
      summary: "Two texts differ.",
      help: "Review the change.",
      why: "The text is not the recorded one.",
      example: { text: "A word changed.", before: "Pay 10 EUR", after: "Pay 100 EUR" },
    },
    "text/formatting-differs": {
      level: "note",
      summary: "Two texts differ only in formatting.",
      help: "Nothing to do.",
      why: "Editors change white space, but the content stays the same.",
      example: { text: "Windows line endings.", before: "a\r\n", after: "a\n" },
    },
    "text/meaningful-white-space": {
      level: "note",
      summary: "A differing white space or line break may have a meaning.",
      help: "Compare at level eol, or with --strict.",
      why: "In Python and Markdown, white space is content, and a line ending ends a comment, a shell command or an entry in an ignore file: a comparison that ignores it calls different programs equal.",
      example: {
        text: "A line moved out of a block.",
        before: "if x:\n    a()\n    b()",
        after: "if x:\n    a()\nb()",
      },
    },
  });
