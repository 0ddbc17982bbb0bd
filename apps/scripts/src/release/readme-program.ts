/** A self-contained program of a README, and its output. */
export interface ReadmeProgram {
  readonly source: string;
  readonly printed: string;
}

/**
 * Returns the first program in a README with the file name `name`, such as `main.go`, and the output that the README
 * shows after it. Throws if there is none.
 */
export function readmeProgram(readme: string, name: string): ReadmeProgram {
  const [, source, printed] =
    new RegExp(`^\`\`\`\\w+ ${name.replace(".", "\\.")}\\n(.*?)^\`\`\`\\n\\n\`\`\`text\\n(.*?)^\`\`\`$`, "ms").exec(
      readme,
    ) ?? [];
  if (source === undefined || printed === undefined) {
    throw new Error(`README.md: expected a block "${name}" followed by a block "text" with its output`);
  }
  return { source, printed };
}
