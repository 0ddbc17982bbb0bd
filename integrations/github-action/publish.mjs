// Writes a check's report into the job summary, and into one comment on the pull request, which later runs update. If
// the comment cannot be written, the exit code does not change: it is the check's.
import { createHash } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { fitReport } from "./fit-report.mjs";

/** GitHub refuses a longer comment. */
const MAX_COMMENT_CHARACTERS = 65_536;
/** GitHub does not show a larger step summary. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

const env = process.env;
const event = env.GITHUB_EVENT_PATH ? JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8")) : {};
const pullRequest = event.pull_request;

const report = env.REPORT_MARKDOWN
  ? readFileSync(env.REPORT_MARKDOWN, "utf8")
  : `## agentprint check\n\nThe check could not tell: it ended without a report. See the log of this step for the reason. ${judgedBy()}`;
const hasFindings = env.REPORT_JSON ? JSON.parse(readFileSync(env.REPORT_JSON, "utf8")).findings.length > 0 : true;

const note = await comment();
const end = note === "" ? "" : `\n${note}\n`;
const room = MAX_SUMMARY_BYTES - Buffer.byteLength(end);
appendFileSync(env.GITHUB_STEP_SUMMARY, fitReport(report, room, (text) => Buffer.byteLength(text)) + end);

/** Returns the line that names the base commit that judged: if a pull request's base changes, it is judged again. */
function judgedBy() {
  return /^[0-9a-f]{40,64}$/.test(env.BASE_COMMIT ?? "") ? `\nJudged by the base ${env.BASE_COMMIT}\n` : "";
}

/** Creates or updates the comment, and returns a sentence about it for the summary. */
async function comment() {
  if (env.INPUT_COMMENT !== "true" || pullRequest === undefined) return "";
  if (pullRequest.head.repo?.full_name !== env.GITHUB_REPOSITORY) {
    return "This pull request comes from a fork, whose token cannot write: the report is in this summary only.";
  }
  try {
    await createOrUpdate();
    return "";
  } catch (error) {
    console.log(`::warning title=agentprint::the pull request has no current comment: ${oneLine(error.message)}`);
    return error.status === 403
      ? "The pull request has no current comment: the token of this run cannot write one, which needs `pull-requests: write`."
      : "The pull request has no current comment: see the log of this step for the reason.";
  }
}

async function createOrUpdate() {
  const comments = `/repos/${env.GITHUB_REPOSITORY}/issues/${Number(pullRequest.number)}/comments`;
  const marker = `<!-- agentprint check ${keyOfCheck()} -->\n`;
  const body = marker + fitReport(report, MAX_COMMENT_CHARACTERS - marker.length, (text) => text.length);
  const existing = await find(comments, marker);
  if (existing !== undefined) {
    await request("PATCH", `/repos/${env.GITHUB_REPOSITORY}/issues/comments/${existing.id}`, { body });
  } else if (env.EXIT_CODE !== "0" || hasFindings) {
    await request("POST", comments, { body });
  }
}

/** If a pull request has several checks, each one has its own comment. */
function keyOfCheck() {
  const parts = [env.INPUT_WORKING_DIRECTORY, env.INPUT_LOCK];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}

/** Returns the comment of an earlier run. Anyone can write the marker, so it counts only in a workflow's comment. */
async function find(comments, marker) {
  for (let page = 1; ; page++) {
    const found = await request("GET", `${comments}?per_page=100&page=${page}`);
    const own = found.find(
      ({ user, body }) => user?.login === "github-actions[bot]" && body?.startsWith(marker.trimEnd()),
    );
    if (own !== undefined || found.length < 100) return own;
  }
}

async function request(method, path, body) {
  const response = await fetch(`${env.GITHUB_API_URL}${path}`, {
    method,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${env.GITHUB_TOKEN}`,
      "content-type": "application/json",
      "user-agent": "agentprint",
      "x-github-api-version": "2022-11-28",
    },
    signal: AbortSignal.timeout(30_000),
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.ok) return response.json();
  throw Object.assign(new Error(`${method} ${path} was answered with ${response.status}`), { status: response.status });
}

/** Returns a text that cannot end a workflow command and begin another. */
function oneLine(text) {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
