import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, type ExitCode, type JudgedReport } from "@agentprint/findings";
import type { VisitAnswers } from "@agentprint/mcp";
import { type Command, Option } from "commander";
import { failureReport } from "../check/check-failure.ts";
import type { CheckRequest } from "../check/check-request.ts";
import { deliver, type Receivers, webhookOf } from "../check/deliver.ts";
import { freshFor, pauseOf } from "../check/pause.ts";
import { runCheck } from "../check/run-check.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { Examples } from "../terminal/examples.ts";
import { interval, positiveInteger } from "../terminal/option-parsers.ts";
import { printError } from "../terminal/report-error.ts";
import { type CheckOptions, define as defineCheck, requestOf } from "./check.ts";

type WatchOptions = CheckOptions & Receivers & { readonly every: number; readonly rounds?: number };

export const examples: Examples = [
  ["agentprint watch --every 6h -o drift.json --format json", "a service: visits every six hours, until it is stopped"],
  ["agentprint watch --rounds 1 --webhook-env ALERTS", "one visit, for cron, a systemd timer, or GitHub's schedule"],
];

export function define(command: Command): void {
  defineCheck(command);
  command
    .addOption(
      new Option("--every <time>", "pause between two visits, at least 1m: 90m, 6h, 1d")
        .argParser(interval)
        .default(3_600_000, "1h"),
    )
    .option("--rounds <n>", "end after this many visits", positiveInteger)
    .option("--webhook-env <NAME>", "the variable with the address to which new findings are sent as JSON")
    .option("--trail <store>", "append new findings to this trail store: file:trail.db");
}

export async function run(
  surroundings: Context,
  operands: readonly string[],
  options: WatchOptions,
  command: Command,
): Promise<ExitCode> {
  const { every, rounds = Number.POSITIVE_INFINITY, webhookEnv } = options;
  const answers = { answers: new Map(), waits: new Map<string, number>() };
  // The members of the context keep their getters, so that standard input is opened only when it is read.
  const context: Context = Object.create(surroundings, { answers: { value: answers } });
  const request = requestOf(command, operands, options);
  if (webhookEnv !== undefined) webhookOf(context, webhookEnv);
  let last = JSON.stringify([[], false]);
  for (let round = 1; ; round++) {
    let checked: { readonly report: JudgedReport; readonly visits: readonly VisitAnswers[] } | undefined;
    const onChecked: CheckRequest["onChecked"] = (report, visits) => {
      checked = { report, visits };
    };
    let code = await runCheck(context, { ...request, startedAt: new Date(), onChecked }).catch((error: unknown) => {
      // A failure in the first round is the caller's mistake; later, it is a finding.
      if (round === 1 || !(error instanceof CliError) || context.signal?.aborted) throw error;
      printError(context, error);
      checked = { report: failureReport(error), visits: [] };
      return EXIT.unknown;
    });
    const found = JSON.stringify(checked && [checked.report.findings, checked.report.outcome === "unknown"]);
    if (checked !== undefined && found !== last) {
      const isDelivered = await delivered(context, checked.report, options);
      if (isDelivered) last = found;
      else code = EXIT.unknown;
    }
    if (round >= rounds) return code;
    const fresh = freshFor(checked?.visits ?? []);
    const asked = Math.max(0, ...answers.waits.values()) - Date.now();
    await sleep(pauseOf(every, Math.max(fresh ?? 0, asked), Math.random()), undefined, {
      ...(context.signal && { signal: context.signal }),
    });
  }
}

/**
 * Delivers the report; returns whether all receivers accepted it. Receivers that did not accept it are tried again in
 * the next round.
 */
async function delivered(context: Context, report: JudgedReport, receivers: Receivers): Promise<boolean> {
  try {
    await deliver(context, report, receivers);
    return true;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    printError(context, error);
    return false;
  }
}
