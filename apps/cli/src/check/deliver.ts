import type { JudgedReport } from "@agentprint/findings";
import { renderReport } from "@agentprint/report";
import type { Context } from "../run/context.ts";
import { CliError, reasonOf } from "../run/errors.ts";
import { withStore } from "../trail/source.ts";

/** In milliseconds. */
const WEBHOOK_TIMEOUT = 30_000;

/** Where new findings go in addition to the report. */
export interface Receivers {
  /** The variable with the address of a webhook, which is often a secret. */
  readonly webhookEnv?: string;
  /** The URL of a trail store. */
  readonly trail?: string;
}

/**
 * Sends a report as JSON to each receiver.
 *
 * @throws {@link CliError} `unwritable-output` if a receiver does not accept it
 */
export async function deliver(context: Context, report: JudgedReport, { webhookEnv, trail }: Receivers): Promise<void> {
  const json = renderReport(report, "json");
  if (webhookEnv !== undefined) await post(context, webhookEnv, json);
  if (trail === undefined) return;
  const record = { type: "analysis", task_id: "agentprint watch", agent_id: "agentprint", content: json } as const;
  await withStore(context, trail, "create", (store) => store.append(record));
}

/** Returns the address of the webhook, which no output shows. @throws {@link CliError} `missing-variable` */
export function webhookOf({ env, hidden }: Pick<Context, "env" | "hidden">, name: string): string {
  const address = env[name] ?? "";
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) {
    hidden.hide([{ name, value: address }]);
    return address;
  }
  throw new CliError("missing-variable", `the variable ${name} does not hold the address of a webhook`, {
    where: "--webhook-env",
    expected: "an http or https address",
  });
}

async function post(context: Context, name: string, body: string): Promise<void> {
  const limit = AbortSignal.timeout(WEBHOOK_TIMEOUT);
  const { signal } = context;
  const fail = (reason: string): CliError =>
    new CliError("unwritable-output", `the webhook did not accept the findings: ${reason}`, { where: name });
  const response = await fetch(webhookOf(context, name), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    redirect: "manual",
    signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
  }).catch((error: unknown) => {
    throw fail(reasonOf(error));
  });
  await response.body?.cancel();
  if (!response.ok) throw fail(`HTTP ${response.status}`);
}
