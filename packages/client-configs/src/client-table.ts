import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Client, ClientId } from "./client.ts";
import { AMAZON_Q } from "./clients/amazon-q.ts";
import { AMP } from "./clients/amp.ts";
import { CLAUDE_CODE } from "./clients/claude-code.ts";
import { CLAUDE_DESKTOP } from "./clients/claude-desktop.ts";
import { CLINE } from "./clients/cline.ts";
import { CODEBUDDY } from "./clients/codebuddy.ts";
import { CODEX } from "./clients/codex.ts";
import { CONTINUE } from "./clients/continue.ts";
import { COPILOT } from "./clients/copilot.ts";
import { CRUSH } from "./clients/crush.ts";
import { CURSOR } from "./clients/cursor.ts";
import { FACTORY } from "./clients/factory.ts";
import { GEMINI } from "./clients/gemini.ts";
import { GOOSE } from "./clients/goose.ts";
import { JUNIE } from "./clients/junie.ts";
import { KILO } from "./clients/kilo.ts";
import { KIRO } from "./clients/kiro.ts";
import { LM_STUDIO } from "./clients/lm-studio.ts";
import { OPENCODE } from "./clients/opencode.ts";
import { QWEN } from "./clients/qwen.ts";
import { ROO } from "./clients/roo.ts";
import { TRAE } from "./clients/trae.ts";
import { VSCODE } from "./clients/vscode.ts";
import { WINDSURF } from "./clients/windsurf.ts";
import { ZED } from "./clients/zed.ts";

/** Every known client, in the order in which servers are listed. */
export const CLIENTS: readonly Client[] = deepFreeze<readonly Client[]>([
  CLAUDE_CODE,
  CLAUDE_DESKTOP,
  CURSOR,
  VSCODE,
  WINDSURF,
  ZED,
  CODEX,
  GEMINI,
  CLINE,
  ROO,
  CONTINUE,
  LM_STUDIO,
  OPENCODE,
  AMP,
  GOOSE,
  KIRO,
  JUNIE,
  KILO,
  COPILOT,
  TRAE,
  CRUSH,
  AMAZON_Q,
  FACTORY,
  CODEBUDDY,
  QWEN,
]);

/** The ids of all clients. */
export const CLIENT_IDS: readonly ClientId[] = Object.freeze(CLIENTS.map(({ id }) => id));
