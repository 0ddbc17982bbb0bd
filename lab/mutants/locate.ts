import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./choose.ts";
import type { Span } from "./operators.ts";

/** A mutant applied to another version of the sources, or the reason why it cannot be applied. */
export type Located =
  | { readonly file: string; readonly text: string; readonly isMoved: boolean }
  | { readonly reason: string };

/**
 * Applies a mutant below `root`, where the sources may be older. Searches for the enclosing function and then for the
 * statement, first in the same file and then in all files; apart from white space, the text must occur exactly once.
 */
export function locate(mutant: Mutant, root: string): Located {
  const files = globSync(["packages/*/src/**/*.ts", "apps/*/src/**/*.ts"], { cwd: root }).sort();
  let most = 0;
  for (const span of [mutant.scope, mutant.statement]) {
    const pattern = patternOf(mutant, span);
    for (const candidates of [files.filter((file) => file === mutant.file), files]) {
      const found = candidates.flatMap((file) => {
        const text = readFileSync(join(root, file), "utf8");
        return [...text.matchAll(pattern)].map((match) => ({ file, text, match }));
      });
      const [only] = found;
      most = Math.max(most, found.length);
      if (found.length !== 1 || only === undefined) continue;
      const start = only.match.index + (only.match[1] as string).length;
      const end = start + (only.match[2] as string).length;
      const text = only.text.slice(0, start) + mutant.after + only.text.slice(end);
      return { file: only.file, text, isMoved: only.file !== mutant.file };
    }
  }
  return { reason: most === 0 ? "its statement does not occur" : `its statement occurs ${most} times` };
}

/** Returns a pattern for a span's text with three groups: before, in and after the change. */
function patternOf({ start, before }: Mutant, span: Span): RegExp {
  const at = start - span.start;
  const groups = [span.text.slice(0, at), before, span.text.slice(at + before.length)];
  return new RegExp(groups.map((group) => `(${flexible(group)})`).join(""), "g");
}

function flexible(text: string): string {
  return text
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"))
    .join("\\s+");
}
