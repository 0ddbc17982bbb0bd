import { stripVTControlCharacters } from "node:util";

/** A reason why servers were not pinned, and the number of these servers. */
export interface NotPinned {
  readonly reason: string;
  readonly servers: number;
}

/** The outcome that `init` printed. */
interface InitOutcome {
  readonly clients: readonly string[];
  readonly servers: number;
  readonly pinned: number;
  readonly notPinned: readonly NotPinned[];
}

/** Patterns that give the reason for a server's error; the first match counts, and no server's text is kept. */
const REASONS: readonly (readonly [reason: string, isMeant: RegExp])[] = [
  ["no server where its client looks", /no configuration has a server in it/],
  ["a variable is not set", /code: +missing-variable/],
  ["address not reached", /code: +server-unreachable/],
  ["no such program here", /cannot start .* (?:ENOENT|EACCES)/],
  ["no such folder here", /there is no folder/],
  ["no answer in time", /code: +server-timeout/],
  ["package is not in the registry", /E404|yanked|not found in the package registry|not provided by package/],
  ["needs another version of Node or Python", /EBADENGINE|current Python version/],
  ["needs the network", /ENOTFOUND|Could not resolve host|EAI_AGAIN|getaddrinfo|fetch failed|ECONNREFUSED/],
  [
    "its files are not in the configuration",
    /Cannot find module|No such file|can't open file|ModuleNotFound|None of the specified directories|does not exist|existing directory|No module named|Could not read package\.json/,
  ],
  ["ended or refused", /code: /],
];

/** Reads what `init` printed. */
export function readInit(stdout: string, stderr: string): InitOutcome {
  const lines = stripVTControlCharacters(stdout).split("\n");
  const places = lines.filter((line) => /^ {4}\S.*, \S/.test(line)).flatMap((line) => line.trim().split("; "));
  const clients = [...new Set(places.map((place) => place.slice(0, place.lastIndexOf(", "))))];
  const count = (state: string): number => lines.filter((line) => line.startsWith(`${state}  `)).length;
  const errors = stripVTControlCharacters(stderr)
    .split(/^(?=error: )/m)
    .filter((text) => text.startsWith("error: "));
  const reasons = new Map<string, number>();
  for (const error of errors) {
    const [reason = "other"] = REASONS.find(([, isMeant]) => isMeant.test(error)) ?? [];
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const notPinned = [...reasons].map(([reason, servers]) => ({ reason, servers }));
  const pinned = count("pinned");
  return { clients, servers: pinned + count("not pinned"), pinned, notPinned };
}
