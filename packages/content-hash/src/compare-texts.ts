import { computeTextHash } from "./compute-text-hash.ts";
import { type ScaleLevel, STRICTEST_FIRST } from "./scale.ts";

/** How alike two texts are. */
export interface TextComparison {
  /** The strictest level at which the texts are equal; `null` where they differ at every level. */
  readonly equalAt: ScaleLevel | null;
  /** Whether the texts differ in formatting and in nothing else. */
  readonly formattingOnly: boolean;
  /** Reasons why a difference in formatting may change the meaning. */
  readonly warnings: readonly string[];
}

let sensitiveExtensions: ReadonlyMap<string, string> | undefined;

/** Languages in which white space has a meaning, by file name extension. The map is made when it is first needed. */
function languagesByExtension(): ReadonlyMap<string, string> {
  sensitiveExtensions ??= new Map(
    Object.entries({
      CoffeeScript: "coffee litcoffee",
      Elm: "elm",
      "F#": "fs fsi fsx",
      GDScript: "gd",
      Haml: "haml",
      Haskell: "hs lhs",
      Make: "mk mak make",
      Markdown: "md markdown mdx",
      Nim: "nim nims",
      Pug: "jade pug",
      Python: "py pyi pyw pyx",
      reStructuredText: "rst",
      Sass: "sass",
      Slim: "slim",
      Starlark: "bzl bazel star",
      Stylus: "styl",
      YAML: "yaml yml",
    }).flatMap(([language, extensions]) => extensions.split(" ").map((extension) => [extension, language] as const)),
  );
  return sensitiveExtensions;
}

const SENSITIVE_NAMES: ReadonlyMap<string, string> = new Map([
  ["makefile", "Make"],
  ["gnumakefile", "Make"],
  ["justfile", "just"],
  ["sconstruct", "Python"],
  ["snakefile", "Python"],
  ["build", "Starlark"],
  ["workspace", "Starlark"],
  ["tiltfile", "Starlark"],
]);

/**
 * Compares two texts at each level, from the one that ignores nothing to the one that ignores most, and tells whether only
 * formatting changed. The name of the file at `path` tells the language, and the language whether white space has a meaning.
 * The file is not read.
 *
 * Specification: 5.4 "Semantic No-Change Detection".
 *
 * @throws {@link ContentHashError} `MALFORMED_TEXT` when a text has a lone surrogate, `INVALID_CONTENT` when it is no string.
 *
 * @example
 * ```ts
 * import { compareTexts } from "@agentprint/content-hash";
 *
 * console.log(compareTexts("a\r\nb", "a\nb").equalAt); // "eol"
 * console.log(compareTexts("if x:\n  y()\nz()", "if x:\n  y()\n  z()", { path: "run.py" }).warnings.length); // 1
 * ```
 */
export function compareTexts(before: string, after: string, options: { path?: string } = {}): TextComparison {
  const equalAt =
    STRICTEST_FIRST.find((level) => computeTextHash(before, level) === computeTextHash(after, level)) ?? null;
  const language = options.path === undefined ? undefined : sensitiveLanguage(options.path);
  return {
    equalAt,
    formattingOnly: equalAt !== null && equalAt !== "bytes",
    warnings:
      equalAt === "whitespace" && language !== undefined
        ? [`white space means something in ${language}: the texts may differ in more than formatting`]
        : [],
  };
}

function sensitiveLanguage(path: string): string | undefined {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  return SENSITIVE_NAMES.get(name) ?? languagesByExtension().get(name.slice(name.lastIndexOf(".") + 1));
}
