import { createHash } from "node:crypto";
import { computeTextHash, createTextHasher } from "@agentprint/content-hash";
import { sourceText } from "./corpora.ts";
import { type Comparison, FEW_ROUNDS, type Suite } from "./measure.ts";

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");

export const whitespaceSuite: Suite = {
  title: "Text hash at level whitespace (a regular expression + createHash = 1)",
  comparisons: () => [
    () => {
      const text = sourceText();
      const expected = sha256(text.replace(/\s+/gu, " ").trim());
      return {
        name: "source text, 10 MB",
        reference: "regular expression",
        ours: "agentprint",
        bar: 2,
        rounds: FEW_ROUNDS,
        isCorrect: (output) => output === expected,
        contenders: {
          agentprint: () => computeTextHash(text),
          "regular expression": () => sha256(text.replace(/\s+/gu, " ").trim()),
        },
      } satisfies Comparison;
    },
  ],
};

export const eolSuite: Suite = {
  title: "Text hash at level eol (SHA-256 of the raw bytes = 1)",
  comparisons: (part = 1) => [
    () => {
      const bytes = new TextEncoder().encode(sourceText(part));
      const expected = sha256(bytes);
      return {
        name: "source text, 10 MB",
        reference: "createHash",
        ours: "agentprint",
        bar: 0.6,
        isCorrect: (output) => output === expected,
        contenders: {
          agentprint: () => {
            const hasher = createTextHasher("eol");
            hasher.update(bytes);
            return hasher.digest();
          },
          createHash: () => sha256(bytes),
        },
      } satisfies Comparison;
    },
  ],
};
