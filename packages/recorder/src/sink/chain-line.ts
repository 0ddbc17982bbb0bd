import { sha256Hex } from "@agentprint/canonical-json";
import type { SinkThought } from "./sink.ts";

/** A record as a line of JSON Lines text. */
export interface ChainLine {
  readonly hash: string;
  /** With its line feed. */
  readonly line: string;
}

/**
 * The record behind the one with the hash `previous`. Serves the bench bar "recorder/record": the content, which holds most
 * of the bytes, is escaped once for the hash and the line. `test/chain-line.test.ts` compares it with `computeHash` and
 * `formatThoughtLine`.
 */
export function chainLine(thought: SinkThought, previous: string): ChainLine {
  const { id, task_id, timestamp, type } = thought;
  const content = JSON.stringify(thought.content);
  const place = `"id":${JSON.stringify(id)},"prev_hash":"${previous}","task_id":${JSON.stringify(task_id)}`;
  const rest = `${place},"timestamp":${JSON.stringify(timestamp)},"type":${JSON.stringify(type)}}`;
  const hash = sha256Hex(`{"content":${content},${rest}`);
  const author = JSON.stringify(thought.agent_id);
  return { hash, line: `{"agent_id":${author},"content":${content},"hash":"${hash}",${rest}\n` };
}
