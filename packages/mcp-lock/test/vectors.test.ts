import { mcpLockOperations } from "../../../fixtures/src/operations/mcp-lock.ts";
import { testVectors } from "../../../fixtures/test/test-vectors.ts";

<<<<<<< HEAD
interface Vector {
  readonly withdrawn?: string;
  readonly id: string;
  readonly comment: string;
  readonly input: UnstableOptions & {
    readonly json?: string;
    readonly rule?: readonly Piece[];
    readonly name?: string;
  };
  readonly expected: Readonly<Record<string, string>>;
}

type Piece = string | { readonly repeat: string; readonly times: number };

const VECTORS = new URL("../../../fixtures/vectors/mcp-lock/", import.meta.url);

const OPERATIONS: Readonly<
  Record<string, (text: string, name: string, options: UnstableOptions) => Record<string, string>>
> = {
  "mcp-lock/toolLayers": (text) => {
    const layers = toolLayers(JSON.parse(text));
    return Object.fromEntries(LAYERS.map((layer) => [layer, canonicalize(layers[layer])]));
  },
  "mcp-lock/fingerprintTool": (text) => ({ ...fingerprintTool(JSON.parse(text)) }),
  "mcp-lock/lockServer": (text, name, options) => {
    const { toolsDigest, digest } = lockServer(name, JSON.parse(text), options);
    return { toolsDigest, digest };
  },
  "mcp-lock/createLock": (json) => {
    const text = formatLock(createLock(JSON.parse(json)));
    return { text, sha256: sha256Hex(text) };
  },
  "mcp-lock/redactLaunch": (text) => ({ launch: canonicalize(redactLaunch(JSON.parse(text))) }),
  "mcp-lock/parseLock": (text) => ({ sha256: sha256Hex(formatLock(parseLock(text))) }),
};

function outcomeOf(
  operation: string,
  { json, rule = [], name = "", ...options }: Vector["input"],
): Record<string, string> {
  const text =
    json ?? rule.map((piece) => (typeof piece === "string" ? piece : piece.repeat.repeat(piece.times))).join("");
  try {
    return OPERATIONS[operation]?.(text, name, options) ?? { error: "no such operation" };
  } catch (error) {
    if (error instanceof McpLockError) return { error: error.code };
    throw error;
  }
}

describe.each(readdirSync(VECTORS).filter((file) => file.endsWith(".json")))("%s", (file) => {
  const { operation, cases } = JSON.parse(readFileSync(new URL(file, VECTORS), "utf8")) as {
    readonly operation: string;
    readonly cases: readonly Vector[];
  };
  const valid = cases.filter(({ withdrawn }) => withdrawn === undefined);

  test.each(valid.map((vector) => [vector.id, vector.comment, vector] as const))(
    "%s %s",
    (_id, _comment, { input, expected: { static: _static, ...expected } }) => {
      // `static` is a digest of agent-capabilities; the runner of all vectors computes it beside the fingerprint.
      expect(outcomeOf(operation, input)).toEqual(expected);
    },
  );
});
=======
testVectors("mcp-lock", mcpLockOperations, { exact: true });
>>>>>>> workshop
