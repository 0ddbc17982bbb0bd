import { canonicalize, ownMember, toPointer } from "@agentprint/canonical-json";
import type { Policy, SigstoreRule, StatementRule } from "../apply/policy.ts";
import { type Weakening, weakening } from "./weakening.ts";

/** Returns the weakenings for statements that newly count or are no longer required. */
export function weakenedStatements(before: Policy, after: Policy): Weakening[] {
  const servers = new Set([...Object.keys(before.statements ?? {}), ...Object.keys(after.statements ?? {})]);
  return [...servers].flatMap((server) => {
    const [was, is] = [before, after].map(({ statements = {} }) => ownMember(statements, server));
    return weakenedMembers(was, is).map(([member, what]) =>
      weakening(
        toPointer(["statements", server, ...(member ? [member] : [])]),
        what,
        memberOf(was, member),
        memberOf(is, member),
      ),
    );
  });
}

type Member = keyof StatementRule | undefined;

function weakenedMembers(was: StatementRule | undefined, is: StatementRule | undefined): [Member, string][] {
  if (is === undefined) return [[undefined, "no statement of the author is verified any more"]];
  const found: [Member, string][] = [];
  if (was && is.keys.some((key) => !was.keys.includes(key)))
    found.push(["keys", "another key may sign for the server"]);
  if (was && is.sigstore && isWeaker(was.sigstore, is.sigstore))
    found.push(["sigstore", "someone else may sign for the server"]);
  if (was?.required && !is.required) found.push(["required", "the server no longer needs a statement"]);
  if (is.accept && !was?.accept) found.push(["accept", "changes that an author states pass without a person"]);
  return found;
}

/** Returns whether someone new may sign: another identity, or one that another trusted root knows. */
function isWeaker(was: SigstoreRule | undefined, is: SigstoreRule): boolean {
  if (was?.trustedRoot !== is.trustedRoot) return true;
  const known = was.identities.map((each) => canonicalize(each));
  return is.identities.some((each) => !known.includes(canonicalize(each)));
}

function memberOf(rule: StatementRule | undefined, member: Member): unknown {
  return member === undefined ? rule : rule?.[member];
}
