import { basename } from "node:path/posix";

// What runs a package or a script, and the words between it and what it runs.
const RUNNERS =
  /^(npx|npm|pnpm|pnpx|yarn|bun|bunx|node|deno|uv|uvx|pipx|python[\d.]*|docker|podman|sh|bash|env)(\.exe|\.cmd)?$/;
const VERBS = new Set(["run", "exec", "x", "dlx", "tool", "-m"]);
// File and folder names that say nothing about which server it is.
const UNTELLING = /^(index|main|server|cli|start|dist|build|src|lib|bin|out|\.|\.\.|)$/;

/** A name for a server that the user did not name, from how it is launched: never from what it says itself. */
export function nameOfCommand(command: readonly string[]): string {
  const [program = "", ...args] = command;
  const subject = RUNNERS.test(baseOf(program))
    ? (args.find((arg) => !arg.startsWith("-") && !VERBS.has(arg)) ?? program)
    : program;
  return clean(tellingPart(subject));
}

/** A name for a server behind a URL: its host. */
export function nameOfUrl(url: string): string {
  return clean(new URL(url).host);
}

function tellingPart(subject: string): string {
  const parts = subject.split(/[\\/]/).map((part) => part.replace(/\.[cm]?[jt]s$|\.py$|\.exe$/, ""));
  const last = parts.findLast((part) => !UNTELLING.test(part)) ?? subject;
  // Package specifiers carry a version: name@1.2.3, name==1.2.3.
  return last.replace(/(?<=.)(@|==).*$/, "");
}

function baseOf(path: string): string {
  return basename(path.replaceAll("\\", "/"));
}

function clean(name: string): string {
  return name.replace(/[^\w.-]+/g, "-").replace(/^[-.]+|[-.]+$/g, "") || "server";
}
