import type { Finding } from "@agentprint/findings";
import type { ProvenAuthors } from "../../statement/author-statements.ts";
import type { Found, Project, Source, Visits } from "../source.ts";

/**
 * The statements of authors about their servers, if the policy names some: few policies do, and the prover takes long
 * to load.
 */
export const STATEMENTS: Source = {
  needed: ({ scope, judgement, before }) =>
    judgement.policy.policy.statements !== undefined || (scope !== "states" && before?.authorKeys !== undefined),
  findings: async (project, visits) => foundBy(visits.authors ?? (await proven(project, visits)), visits),
};

async function proven(
  { context, file, lock, before: base, judgement }: Project,
  { served }: Visits,
): Promise<ProvenAuthors> {
  const { proveAuthors } = await import("../../statement/author-statements.ts");
  return await proveAuthors(context, await served(), { policy: judgement.policy.policy, file, lock, base });
}

/** Returns the findings on the statements, the changes that one of them proves, and the reasons why others prove none. */
async function foundBy({ findings, isAccepted, obstacles }: ProvenAuthors, { report }: Visits): Promise<Found> {
  const { STATEMENT_RULES } = await import("@agentprint/statement");
  const changed = new Set(report.findings.filter(isDifference).map(({ place }) => place.server));
  const servers = [...new Set(findings.filter(isDifference).map(({ place }) => place.subject))];
  const said = [
    ...(servers.length === 0 ? [] : [`${servers.join(", ")}: the statement is not valid`]),
    ...[...obstacles].flatMap(([server, why]) =>
      changed.has(server) ? [`${server}: "accept": "patch" does not let this change pass: ${why}`] : [],
    ),
  ];
  return {
    first: findings,
    rules: findings.length === 0 ? {} : STATEMENT_RULES,
    checked: [],
    ...(said.length > 0 && { says: said.join("; ") }),
    accepted: {
      note: "The statement of the author proves that a model reads nothing new and calls stay the same",
      isAccepted,
    },
  };
}

function isDifference({ level }: Finding): boolean {
  return level !== "note";
}
