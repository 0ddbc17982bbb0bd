import { count, EXIT, type ExitCode, judgeReport, type Report } from "@agentprint/findings";
import { type LockedPolicy, type LockFile, withPolicy } from "@agentprint/mcp-lock/lock";
import { DEFAULT_POLICY, hashPolicy, POLICY_RULES, policyCanonicalPayload } from "@agentprint/policy";
import { escapeText } from "@agentprint/report";
import { approvePolicyLine } from "../base-commit/judge-policy.ts";
import { readLock } from "../lock/read-lock.ts";
import { updateLock } from "../lock/update-lock.ts";
import { type AcceptedPolicy, acceptedPolicyOf } from "../policy/accepted-policy.ts";
import { strengthenedBy, weakenedBy } from "../policy/compare-policies.ts";
import { checkPolicy, type PolicyPlace, policyFileOf, type ReadPolicy, readPolicy } from "../policy/read-policy.ts";
import type { ReportOptions } from "../report/report-options.ts";
import { writeReport } from "../report/write-report.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import { canAsk } from "../terminal/ask.ts";
import { confirm } from "../terminal/confirm.ts";
import { printNotices } from "../terminal/notices.ts";
import { printError } from "../terminal/report-error.ts";

interface ApprovePolicyOptions extends ReportOptions, PolicyPlace {
  readonly lock: string;
  readonly expect?: string;
  readonly yes: boolean;
}

/**
 * Shows the differences between the current and the accepted policy in both directions, and writes the current one to
 * the lock as accepted.
 */
export async function approvePolicy(context: Context, options: ApprovePolicyOptions): Promise<ExitCode> {
  const { lock, expect, yes } = options;
  const { lock: before } = await readLock(context, lock);
  const present = await checkPolicy(await readPolicy(context, options), before);
  const digest = hashPolicy(present.policy);
  if (before.policy?.digest === digest) {
    context.stderr.write(`${escapeText(lock)} holds this policy already: digest ${digest}\n`);
    return EXIT.same;
  }
  const { accepted, notices } = await acceptedOrStrict(before, lock);
  printNotices(context, [...present.notices, ...notices]);
  await writeReport(context, judgeReport(reportOn(present, accepted, digest, options)), options);
  if (expect !== undefined && expect !== digest) {
    printError(context, notReviewed(expect, digest, lock));
    return EXIT.drift;
  }
  if (expect === undefined && !yes) {
    if (!canAsk(context)) throw cannotAsk(digest, options);
    if (!(await confirm(context, `Accept this policy in ${lock}?`, false))) return EXIT.drift;
  }
  await updateLock(context, lock, (current) => accept(current, before.policy, present, lock));
  context.stderr.write(
    `accepted the policy of ${escapeText(nameOf(present))}: ${escapeText(lock)} has policy digest ${digest}\n`,
  );
  return EXIT.same;
}

/** Returns the accepted policy, or the default preset `strict` if the lock has no readable one. */
async function acceptedOrStrict(
  lock: LockFile,
  file: string,
): Promise<{ accepted: AcceptedPolicy; notices: readonly string[] }> {
  const strict = { policy: DEFAULT_POLICY, name: "the preset strict" };
  const compared = "the policy is compared with the preset strict";
  try {
    const accepted = await acceptedPolicyOf(lock, file);
    return accepted
      ? { accepted, notices: [] }
      : { accepted: strict, notices: [`${file} holds no policy yet: ${compared}`] };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { accepted: strict, notices: [`${error.message}: ${compared}`] };
  }
}

function reportOn(present: ReadPolicy, accepted: AcceptedPolicy, digest: string, place: PolicyPlace): Report {
  const file = policyFileOf(place);
  const compared = { policy: present.policy, file, ...(present.text && { text: present.text }) };
  const [weakened, strengthened] = [weakenedBy(compared, accepted), strengthenedBy(compared, accepted)];
  const title = "agentprint approve --policy";
  return {
    command: title,
    title,
    summary: `the policy of ${nameOf(present)} is weaker than the policy of ${accepted.name} in ${count(weakened.length, "way")}, and stricter in ${count(strengthened.length, "way")}`,
    differs: true,
    findings: [...weakened, ...strengthened],
    rules: POLICY_RULES,
    checked: [...new Set([file, ...strengthened.map(({ place: { subject } }) => subject)])],
    data: { policyDigest: digest },
  };
}

function nameOf({ file }: ReadPolicy): string {
  return file ?? "the preset strict";
}

/** Accepts the policy if the lock still holds the policy with which it was compared. */
function accept(
  current: LockFile | undefined,
  before: LockedPolicy | undefined,
  { policy }: ReadPolicy,
  file: string,
): LockFile {
  if (current !== undefined && current.policy?.digest === before?.digest) {
    return withPolicy(current, policyCanonicalPayload(policy));
  }
  throw new CliError("not-reviewed", `another writer changed the policy of ${file}; the lock keeps that change`, {
    fix: "review the difference again: agentprint approve --policy",
  });
}

function notReviewed(expected: string, digest: string, lock: string): CliError {
  return new CliError("not-reviewed", `this is not the policy that was reviewed; ${lock} is unchanged`, {
    expected: `digest ${expected}`,
    where: `digest ${digest}`,
    fix: "review the differences above, then approve with this digest",
  });
}

function cannotAsk(digest: string, options: ApprovePolicyOptions): CliError {
  return new CliError(
    "not-reviewed",
    `without a terminal, approve --policy needs --yes or --expect; ${options.lock} is unchanged`,
    { fix: `review the differences above, then run: ${approvePolicyLine(options, digest)}` },
  );
}
