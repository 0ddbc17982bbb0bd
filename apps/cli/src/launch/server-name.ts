import { basename } from "node:path/posix";
import type { Launch } from "@agentprint/launch";
import { redactLaunch } from "@agentprint/launch/redact";

// The runners of packages and scripts, and the words between a runner and its subject.
const RUNNERS =
  /^(npx|npm|pnpm|pnpx|yarn|bun|bunx|node|deno|uv|uvx|pipx|python[\d.]*|docker|podman|nerdctl|sh|bash|env)$/;
const VERBS = new Set(["run", "exec", "x", "dlx", "tool", "-m"]);
const SHELLS = /^(sh|bash)$/;
const CONTAINER_RUNNERS = /^(docker|podman|nerdctl)$/;
// The options of container runners that take no argument: all others, when written without a value, take the next
// argument.
const CONTAINER_SWITCHES =
  /^(-[ditqP]+|--(rm|init|interactive|tty|detach|quiet|privileged|publish-all|read-only|replace|rmi|no-healthcheck|oom-kill-disable|debug|tls|tlsverify|remote))$/;
// File and folder names that do not identify the server.
const UNTELLING = /^(index|main|server|cli|start|dist|build|src|lib|bin|out|\.|\.\.|)$/;

/** Returns a name for a server that the user did not name, from its launch and never from the server's own description. */
export function nameOfLaunch(launch: Launch): string {
  return launch.type === "http" ? nameOfUrl(launch.url) : nameOfCommand([launch.command, ...launch.args]);
}

/** Returns a name for a server that is started as a command. The name omits words of the command that may be secret. */
export function nameOfCommand(command: readonly string[]): string {
  const [program = "", ...args] = command;
  return clean(tellingPart(subjectOf(program, args)));
}

/** Returns a name for a server behind a URL: the host of the URL. */
export function nameOfUrl(url: string): string {
  return clean(new URL(url).host);
}

/** Returns the subject of a command: its program, or the package or script that a runner runs. */
function subjectOf(program: string, args: readonly string[]): string {
  const runner = baseOf(program).replace(/\.(exe|cmd)$/, "");
  if (!RUNNERS.test(runner)) return program;
  const words = SHELLS.test(runner) ? args.flatMap(wordsOfScript) : args;
  const redacted = redactLaunch({ type: "stdio", command: program, args: [...words], env: [] });
  const index = words.findIndex((word, at) => {
    if (word.startsWith("-") || VERBS.has(word) || /^\w+=(?!=)/.test(word)) return false;
    if (redacted.type === "stdio" && redacted.args[at] !== word) return false;
    return !(CONTAINER_RUNNERS.test(runner) && takesNext(words[at - 1]));
  });
  const found = words[index];
  return found === undefined ? program : subjectOf(found, words.slice(index + 1));
}

/**
 * Returns the words of a script, or none if it has quotes or variables, because a part of a quoted secret would pass
 * for a word.
 */
function wordsOfScript(script: string): string[] {
  return /["'`$\\]/.test(script) ? [] : script.split(/\s+/);
}

/** Returns whether an argument of a container runner is an option whose value is the next argument. */
function takesNext(option: string | undefined): boolean {
  return option !== undefined && /^(-[a-z]+|--[a-z-]+)$/i.test(option) && !CONTAINER_SWITCHES.test(option);
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
