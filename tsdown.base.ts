import type { UserConfig } from "tsdown";

/**
 * How a package is built. The declarations are made of one file at a time, without a type checker: every export has its type written
 * out, as `pnpm typecheck` demands.
 */
export const base = {
  format: "esm",
  target: "es2023",
  fixedExtension: false,
  dts: { generator: "oxc" },
  sourcemap: true,
  treeshake: { moduleSideEffects: false }, // else declarations import libraries that they do not name
  deps: { neverBundle: [/^#/] }, // the `imports` of the package choose the file when it is loaded
  failOnWarn: true,
  report: false,
  outputOptions: { comments: { jsdoc: false } },
} satisfies UserConfig;
