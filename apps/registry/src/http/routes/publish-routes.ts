import { CanonicalJsonError, isJsonObject, type JsonValue, parseJson } from "@agentprint/canonical-json";
import { type ManifestIssue, parseManifest } from "@agentprint/manifest";
import { AgentIdSchema, PreviewSchema, PublishAnswerSchema } from "@agentprint/registry-client/answers";
import { RegistryError } from "../../errors.ts";
import { createAgent, type Publication, previewVersion, publishVersion, type Submission } from "../../store/publish.ts";
import { previewAnswer, publishAnswer } from "../answers.ts";
import { authenticate, checkAgentOf } from "../authenticate.ts";
import { MAX_BODY_BYTES, readJsonBody } from "../body.ts";
import { checkMatch, versionTag } from "../etag.ts";
import type { Limits } from "../limits.ts";
import { refusedManifest } from "../problem.ts";
import { respondJson } from "../respond.ts";
import { defineRoute, type Route } from "../route.ts";
import { AgentParams, DryRunQuery, Manifest, NewAgent, NoParams, NoQuery } from "../schemas.ts";
import type { Services } from "../services.ts";
import { jsonAnswer, problems } from "./responses.ts";

const MAX_DEPTH = 256;
const SECURITY = [{ key: [] }];

/** The routes that change agents. */
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
          ...problems(401, 403, 404, 412, 413, 415, 422),
        },
      },
      handle: async (context, { agent_id }, { dry_run }) => {
        const key = await authenticate(services, limits, context);
        checkAgentOf(key, agent_id);
        const parsed = parseManifest(await readJsonBody(context.req.raw));
        if (!parsed.ok) throw refusedManifest(parsed.issues);
        const checkPresent: Submission["checkPresent"] = (present) =>
          checkMatch(context.req.header("if-match"), versionTag(present));
        const submission = { agentId: agent_id, keyId: key.id, ...parsed, checkPresent };
        const publishing = { ...services };
        if (dry_run === "true") {
          const preview = await previewVersion(publishing, submission);
          const { previous, hash } = preview;
          const judged = previous && (await services.judge.judge(previous, { hash, manifest: parsed.manifest }));
          return respondJson(previewAnswer(preview, judged ?? preview.diff));
        }
        const publication = await publishVersion(publishing, submission);
        return accepted(services, publication, 200);
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
        const { agentId, manifest } = readNewAgent(await readJsonBody(context.req.raw));
        checkAgentOf(key, agentId);
        const parsed = parseManifest(manifest);
        if (!parsed.ok) throw refusedManifest(parsed.issues, "/manifest");
        const publication = await createAgent({ ...services }, { agentId, keyId: key.id, ...parsed });
        return accepted(services, publication, 201, { location: `/agents/${encodeURIComponent(agentId)}` });
      },
    }),
  ];
}

function accepted(
  { metrics, log, notifier }: Services,
  publication: Publication,
  status: 200 | 201,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { agentId, version, hash, diff, warnings } = publication;
  const isBreaking = diff.breaking.length > 0;
  notifier.tell(agentId, isBreaking);
  metrics.versions.inc({ breaking: String(isBreaking) });
  if (warnings.some(({ code }) => code === "MANIFEST_LARGE")) {
    metrics.largeManifests.inc();
    log.warn({ agent_id: agentId, version, code: "MANIFEST_LARGE" }, "a manifest of 64 KB or more was accepted");
  }
  return respondJson(publishAnswer(publication), status, { etag: versionTag({ version, hash }), ...headers });
}

/** @throws {@link RegistryError} `INVALID_JSON`, `INVALID_BODY`. */
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
