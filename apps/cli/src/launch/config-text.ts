import { type ParseError, parse, printParseErrorCode, visit } from "jsonc-parser";
import { CliError } from "../errors.ts";

const SYNTAX = { allowTrailingComma: true, allowEmptyContent: false };
const SERVERS = new Set<unknown>(["mcpServers", "servers"]);

/** Reads JSON with comments and trailing commas. */
export function parseConfigText(text: string, file: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, SYNTAX);
  const [error] = errors;
  if (error) {
    const before = text.slice(0, error.offset).split("\n");
    const place = `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
    throw invalidConfig(place, `not JSON with comments: ${printParseErrorCode(error.error)}`);
  }
  refuseLostNames(text, file);
  return value;
}

/** Refuses two members of one name and a member `__proto__`: the parsed object would not have all of them. */
function refuseLostNames(text: string, file: string): void {
  const open: Set<string>[] = [];
  visit(
    text,
    {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty: (name, _offset, _length, line, column, path) => {
        const names = open.at(-1);
        if (!SERVERS.has(path()[0] ?? name)) return;
        const place = `${file}:${line + 1}:${column + 1}`;
        if (name === "__proto__") throw invalidConfig(place, "__proto__ cannot be a name");
        if (names?.has(name)) throw invalidConfig(place, `${JSON.stringify(name)} is the name of two members`);
        names?.add(name);
      },
    },
    SYNTAX,
  );
}

/** `invalid-config`: what is wrong with a client's configuration, and where. */
export function invalidConfig(where: string, reason: string): CliError {
  return new CliError("invalid-config", `this is not a configuration of MCP servers: ${reason}`, {
    where,
    expected:
      '{"mcpServers": {"name": {"command": "…", "args": […]}}}, or "servers" as in VS Code, or {"url": "https://…"}',
  });
}
