import { asObject } from "./as-object.ts";
import type { ReadPart } from "./observe-stream.ts";
import type { Attributes } from "./open-call.ts";

/** The members that are read from an AI SDK model's answer: a complete answer has `content`, a streamed one has a stream. */
export interface ModelAnswer {
  readonly content?: unknown;
  readonly stream?: ReadableStream<unknown>;
  readonly usage?: unknown;
  readonly response?: unknown;
}

/** Returns the members with which one part of a model's answer describes the complete answer. */
export function readPart(part: unknown): ReturnType<ReadPart> {
  const { type, error, id, usage } = asObject(part);
  if (type === "error") return { error: error ?? new Error("the model failed") };
  if (type === "finish") return { attributes: usageOf(usage) };
  return type === "response-metadata" ? { attributes: { "gen_ai.response.id": id } } : {};
}

/** Returns attributes that describe an answer, under OpenTelemetry's names. */
export function attributesOf({ usage, response }: ModelAnswer): Attributes {
  return { "gen_ai.response.id": asObject(response)["id"], ...usageOf(usage) };
}

function usageOf(usage: unknown): Attributes {
  const { inputTokens, outputTokens } = asObject(usage);
  return {
    "gen_ai.usage.input_tokens": asObject(inputTokens)["total"] ?? inputTokens,
    "gen_ai.usage.output_tokens": asObject(outputTokens)["total"] ?? outputTokens,
  };
}
