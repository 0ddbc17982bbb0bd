import { CanonicalJsonError, isJsonObject, type JsonValue, parseJson } from "@agentprint/canonical-json";
import { type JudgedManifestDiff, type ManifestIssue, parseManifest } from "@agentprint/manifest";
import { AgentIdSchema, PreviewSchema, PublishAnswerSchema } from "@agentprint/registry-api/answers";
import type { Context } from "hono";
import { RegistryError } from "../../errors.ts";
import { idempotencyOf } from "../../store/idempotency.ts";
import type { Publication, Submission } from "../../store/publication.ts";
import { createAgent, previewVersion, publishVersion } from "../../store/publish.ts";
import type { KeyRow } from "../../store/schema.ts";
import { previewAnswer, publishAnswer } from "../answers.ts";
import { authenticate, checkAgentOf } from "../authenticate.ts";
import { MAX_BODY_BYTES, readJsonBody } from "../body.ts";
import { checkMatch, versionTag } from "../etag.ts";
import type { Limits } from "../limits.ts";
import { refusedManifest } from "../problem.ts";
import { respondJson } from "../respond.ts";
import { defineRoute, type Env, type Route } from "../route.ts";
import { AgentParams, DryRunQuery, Manifest, NewAgent, NoParams, NoQuery } from "../schemas.ts";
import type { Services } from "../services.ts";
import { jsonAnswer, problems } from "./responses.ts";

const MAX_DEPTH = 256;
const SECURITY = [{ key: [] }];

/** Returns the routes that change agents. */
export function publishRoutes(services: Services, limits: Limits): Route[] {
  return [
    defineRoute({
      method: "patch",
      path: "/agents/{agent_id}",
      params: AgentParams,
      query: DryRunQuery,
      operation: {
        operationId: "publishVersion",
        summary: "Publish the next version of an agent's manifest",
        security: SECURITY,
        requestBody: { required: true, content: { "application/json": { schema: Manifest } } },
        responses: {
          "200": jsonAnswer(
            "The version that was accepted, or with `dry_run` a preview.",
            PublishAnswerSchema.or(PreviewSchema),
            true,
          ),
          ...problems(401, 403, 404, 409, 412, 413, 415, 422),
        },
      },
      handle: async (context, { agent_id }, { dry_run }) => {
        const key = await authenticate(services, limits, context);
        checkAgentOf(key, agent_id);
        const giveBack = limits.takeChange(key.id);
        try {
          return await change(services, limits, context, key, agent_id, dry_run === "true");
        } finally {
          giveBack();
        }
      },
    }),
    defineRoute({
      method: "post",
      path: "/agents",
      params: NoParams,
      query: NoQuery,
      operation: {
        operationId: "createAgent",
        summary: "Add an agent with the first version of its manifest",
        security: SECURITY,
        requestBody: { required: true, content: { "application/json": { schema: NewAgent } } },
        responses: {
          "201": jsonAnswer("The agent was added.", PublishAnswerSchema, true),
          ...problems(401, 403, 409, 413, 415, 422),
        },
      },
      handle: async (context) => {
        const key = await authenticate(services, limits, context);
        const giveBack = limits.takeChange(key.id);
        try {
          return await add(services, limits, context, key);
        } finally {
          giveBack();
        }
      },
    }),
  ];
}

async function change(
  services: Services,
  limits: Limits,
  context: Context<Env>,
  key: KeyRow,
  agentId: string,
  isPreview: boolean,
): Promise<Response> {
  const body = await readBody(context, limits);
  const parsed = parseManifest(body);
  if (!parsed.ok) throw refusedManifest(parsed.issues);
  const checkPresent: Submission["checkPresent"] = (present) =>
    checkMatch(context.req.header("if-match"), versionTag(present));
  const submission = { agentId, keyId: key.id, ...parsed, checkPresent };
  if (isPreview) {
    const preview = await previewVersion(services, submission);
    const { previous, hash } = preview;
    const judge = (): Promise<JudgedManifestDiff> | undefined =>
      previous && services.judge.judge(previous, { hash, manifest: parsed.manifest });
    const judged = await outsideDatabase(context, async () => judge());
    return respondJson(previewAnswer(preview, judged ?? preview.diff));
  }
  const idempotency = idempotencyOf(context.req.header("idempotency-key"), "PATCH", agentId, body);
  return accepted(services, await store(services, context, publishVersion, { ...submission, idempotency }), 200);
}

async function add(services: Services, limits: Limits, context: Context<Env>, key: KeyRow): Promise<Response> {
  const body = await readBody(context, limits);
  const { agentId, manifest } = readNewAgent(body);
  checkAgentOf(key, agentId);
  const parsed = parseManifest(manifest);
  if (!parsed.ok) throw refusedManifest(parsed.issues, "/manifest");
  const idempotency = idempotencyOf(context.req.header("idempotency-key"), "POST", "", body);
  const submission = { agentId, keyId: key.id, ...parsed, idempotency };
  const publication = await store(services, context, createAgent, submission);
  return accepted(services, publication, 201, { location: `/agents/${encodeURIComponent(agentId)}` });
}

/**
 * Reads the body and counts its cost towards the key's limit. The time that the body takes to arrive does not count
 * towards the database's time limit.
 */
async function readBody(context: Context<Env>, limits: Limits): Promise<Uint8Array> {
  const body = await outsideDatabase(context, () => readJsonBody(context.req.raw));
  limits.chargeBytes(context, body.length);
  return body;
}

async function outsideDatabase<T>(context: Context<Env>, work: () => Promise<T>): Promise<T> {
  const deadline = context.get("deadline");
  return deadline ? deadline.without(work) : work();
}

/** Stores a change, but does not begin if the time limit has passed and the request has already been answered. */
async function store(
  services: Services,
  context: Context<Env>,
  save: typeof publishVersion,
  submission: Submission,
): Promise<Publication> {
  const checkStart = (): void => context.get("deadline")?.check();
  const saved = async (): Promise<Publication> => {
    checkStart();
    return save({ ...services, checkStart }, submission);
  };
  return services.store.dialect === "sqlite" ? saved() : services.queue.run(submission.agentId, saved);
}

function accepted(
  { metrics, log, notifier }: Services,
  publication: Publication,
  status: 200 | 201,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { agentId, version, hash, diff, warnings } = publication;
  const isBreaking = diff.breaking.length > 0;
  const tag = { etag: versionTag({ version, hash }) };
  if (publication.isRepeated) {
    return respondJson(publishAnswer(publication), status, { ...tag, ...headers, "idempotent-replayed": "true" });
  }
  notifier.tell(agentId, isBreaking);
  metrics.versions.inc({ breaking: String(isBreaking) });
  if (warnings.some(({ code }) => code === "MANIFEST_LARGE")) {
    metrics.largeManifests.inc();
    log.warn({ agent_id: agentId, version, code: "MANIFEST_LARGE" }, "a manifest of 64 KB or more was accepted");
  }
  return respondJson(publishAnswer(publication), status, { ...tag, ...headers });
}

/**
 * Reads a new agent from a request body.
 *
 * @throws {@link RegistryError} `INVALID_JSON`, `INVALID_BODY`.
 */
function readNewAgent(bytes: Uint8Array): { readonly agentId: string; readonly manifest: JsonValue } {
  const body = readJson(bytes);
  const { agent_id, manifest, ...others } = isJsonObject(body) ? body : {};
  const agentId = AgentIdSchema.safeParse(agent_id);
  const issues = [
    ...(isJsonObject(body) ? [] : [issue("", "expected an object")]),
    ...(agentId.success ? [] : [issue("/agent_id", "expected 1 to 128 letters, digits, dots, dashes and underscores")]),
    ...(manifest === undefined ? [issue("/manifest", "expected the manifest")] : []),
    ...Object.keys(others)
      .slice(0, 1)
      .map(() => issue("", "expected agent_id and manifest, and nothing else")),
  ];
  if (issues.length > 0 || !agentId.success || manifest === undefined) {
    throw new RegistryError("INVALID_BODY", issues[0]?.detail ?? "", { issues });
  }
  return { agentId: agentId.data, manifest };
}

function readJson(bytes: Uint8Array): JsonValue {
  try {
    return parseJson(bytes, { maxBytes: MAX_BODY_BYTES, maxDepth: MAX_DEPTH + 1 });
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    const { path, message, position } = error;
    const code: ManifestIssue["code"] = error.code === "too-deep" ? "MANIFEST_TOO_DEEP" : "INVALID_JSON";
    throw refusedManifest([{ code, path, message, ...(position && { line: position.line, column: position.column }) }]);
  }
}

function issue(pointer: string, detail: string): { code: string; pointer: string; detail: string } {
  return { code: "INVALID_BODY", pointer, detail };
}
