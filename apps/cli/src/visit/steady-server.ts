import { printable } from "@agentprint/canonical-json/text";
import type { VisitAnswers } from "@agentprint/mcp";
import {
  findVarying,
  hasToBeAskedAgain,
  type LockedServer,
  type UnstableOptions,
  type VaryingFound,
  type VaryingMember,
  variesIn,
  varyingMembersIn,
} from "@agentprint/mcp-lock";
import { refuseServedSecrets } from "../lock/lock-visited.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { commandLine } from "../terminal/command-line.ts";
import { readVaryRule, writeVaryRule } from "./vary-rule.ts";
import type { VisitPlan } from "./visit-plan.ts";

/** The members that a user lets vary in the servers of a run. */
export interface Allowed {
  readonly allowUnstable?: readonly string[];
  readonly vary: readonly string[];
}

/**
 * Returns which parts of a server's answers may differ: those that its entry names, and those that a user allows. A member of the
 * entry whose item is gone is left out.
 */
export function allowedIn(
  name: string,
  answers: VisitAnswers,
  { allowUnstable = [], vary }: Allowed,
  entry?: Pick<LockedServer, "unstable" | "varies">,
): UnstableOptions {
  const known = variesIn(entry?.varies ?? [], answers);
  const given = vary
    .map(readVaryRule)
    .filter(({ server }) => server === name)
    .flatMap((rule) => varyingMembersIn(rule, answers));
  const byPlace = new Map([...given, ...known].map((member) => [writeVaryRule(name, member), member]));
  return { allowUnstable, varies: [...byPlace.values()], ...(entry?.unstable && { unstable: entry.unstable }) };
}

/**
 * Returns the requirement that a server gives the same answers at each start, except for the members from
 * `allowedOf`.
 */
export function steadyUnder(
  context: Pick<Context, "hidden">,
  allowedOf: (name: string, answers: VisitAnswers) => UnstableOptions,
): NonNullable<VisitPlan["requireSteady"]> {
  return (name, answers, ask) => requireSteady(context, name, answers, allowedOf(name, answers), ask);
}

/** The number of visits whose answers are compared. */
const TIMES = 3;

/**
 * Requires that a server that varied between clients, or within a session, shows each client the same at each start.
 *
 * @param ask Visits the server again
 * @throws {@link CliError} `server-varies` with the option that lets the members vary; `server-unstable` if no option
 * can
 */
async function requireSteady(
  context: Pick<Context, "hidden">,
  name: string,
  first: VisitAnswers,
  allowed: UnstableOptions,
  ask: () => Promise<VisitAnswers>,
): Promise<void> {
  if (!hasToBeAskedAgain(name, first, allowed)) return;
  const visits = [first];
  while (visits.length < TIMES) visits.push(await ask());
  const found = findVarying(visits, allowed);
  if (found.length === 0) return;
  for (const answers of visits) refuseServedSecrets(context, name, answers);
  const fixed = found.filter(({ member, unstable }) => member === undefined && unstable === undefined);
  throw fixed.length > 0 ? cannotVary(name, fixed) : varies(name, found, visits);
}

const MAX_TOLD = 8;
const MAX_OPTIONS = 32;
const MAX_VALUE = 200;

function cannotVary(name: string, found: readonly VaryingFound[]): CliError {
  return new CliError("server-unstable", `${name} answers differently at each start, in a part that cannot vary`, {
    where: told(found),
    expected:
      "the same at each start, except for prose, default, examples, _meta and the order of enum and required: a tool that comes and goes, or another part of its contract, cannot be pinned",
    fix: "report this to the server's author, or start it so that its answers stay the same (a folder, a time or an account in its launch)",
  });
}

function varies(name: string, found: readonly VaryingFound[], visits: readonly VisitAnswers[]): CliError {
  const rules = rulesFor(name, found, visits);
  const unstable = [...new Set(found.flatMap((each) => each.unstable ?? []))];
  const words = [...rules.map((rule) => ["--vary", rule]), ...unstable.map((pointer) => ["--allow-unstable", pointer])];
  const shown = words.slice(0, MAX_OPTIONS);
  const more =
    words.length > shown.length ? `; then run it again, which names ${words.length - shown.length} more` : "";
  const setting = JSON.stringify({ vary: rules.slice(0, MAX_OPTIONS) });
  const beside =
    rules.length > 0 ? `; or, for approve, init and CI, in agentprint.config.json: "visits": ${setting}` : "";
  return new CliError("server-varies", `${name} answers differently at each start, and is not pinned`, {
    where: told(found),
    expected:
      "the same at each start, or permission to vary: the lock then keeps the first value, and the guard shows no other one",
    fix: `pass these options to pin if nothing depends on the values: ${commandLine(shown.flat())}${more}${beside}`,
  });
}

/** Returns the rules for the members, one for all items of a kind if the member varies in each that has it. */
function rulesFor(name: string, found: readonly VaryingFound[], visits: readonly VisitAnswers[]): string[] {
  const members = found.flatMap(({ member }) => member ?? []);
  const byPlace = new Map<string, VaryingMember[]>();
  for (const member of members) {
    const place = `${member.kind} ${member.pointer}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), member]);
  }
  return [...byPlace.values()].flatMap((alike) => {
    const [first] = alike as [VaryingMember];
    const isEach =
      alike.length > 1 &&
      visits.every((visit) => varyingMembersIn({ ...first, isEach: true }, visit).length === alike.length);
    return isEach ? [writeVaryRule(name, first, true)] : alike.map((member) => writeVaryRule(name, member));
  });
}

function told(found: readonly VaryingFound[]): string {
  const lines = found.slice(0, MAX_TOLD).map(({ subject, pointer, before, after }) => {
    const values = [before, after].map((value) =>
      value === undefined ? "nothing" : printable(JSON.stringify(value), MAX_VALUE),
    );
    return `${printable(subject, MAX_VALUE)}${pointer === "" ? "" : ` at ${printable(pointer, MAX_VALUE)}`}: ${values.join(" and ")}`;
  });
  const more = found.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
