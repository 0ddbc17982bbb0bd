import type { ToolName, ToolState } from "../share/tools.ts";
import before from "./signed/before.lock?raw";
import checkpoint from "./signed/checkpoint.txt?raw";
import consistency from "./signed/consistency.txt?raw";
import proof from "./signed/inclusion.txt?raw";
import older from "./signed/older.txt?raw";
import served from "./signed/release.lock?raw";
import statement from "./signed/statement.txt?raw";

/** The initial fields of each tool: a short example with an instructive result. */
export const STORIES: { readonly [Name in ToolName]: ToolState<Name> } = {
  canonical: {
    first: '{\n  "tool": "move_file",\n  "retries": 1.0,\n  "paths": ["draft.txt", "archive/draft.txt"]\n}',
    second: '{"retries":1,"tool":"move_file","paths":["draft.txt","public/draft.txt"]}',
  },
  compare: { before: manifest("1.0.0", moveFile()), after: manifest("1.1.0", moveFile("replace")) },
  schemas: {
    before: shown(moveFile()),
    after: shown(moveFile("replace")),
    direction: "input",
    values: "objects",
  },
  trail: {
    trail: trail(),
    checkpoint,
    key: "example.com/trail/tidy+e517f1af+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c",
    origin: "example.com/trail/tidy",
    task: "tidy",
    proof,
    older,
    consistency,
  },
  statement: {
    statement,
    keys: "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    served,
    server: "files",
    before,
    accepted: "",
    at: "2026-06-01T00:00:00Z",
  },
  text: {
    first: "Moves a file to another folder.\nNever replaces a file.\n",
    second: "Moves a file to  another folder.\r\nNever replaces a file.",
  },
  vector: { id: "tr-hash-0001" },
};

/** Returns the input schema of a tool that moves a file, with one more required argument if `required` names it. */
function moveFile(required?: string): object {
  const properties = { source: { type: "string" }, destination: { type: "string" } };
  return {
    type: "object",
    properties: required === undefined ? properties : { ...properties, [required]: { type: "boolean" } },
    required: ["source", "destination", ...(required === undefined ? [] : [required])],
    additionalProperties: false,
  };
}

/** Returns a manifest of an agent that moves files. */
function manifest(agent_version: string, input_schema: object): string {
  return shown({
    schema_version: "1.0",
    agent_version,
    tools: [
      {
        name: "move_file",
        description_i18n_key: "tools.move_file",
        input_schema,
        permission_scope: "files:write",
      },
    ],
    permission_scopes: [{ id: "files:write", label_i18n_key: "scopes.files_write", sensitivity: "medium" }],
    capability_flags: { supports_streaming: false, supports_voice: false },
  });
}

function shown(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** Returns a chain of four records. The third was altered: originally it named salaries.txt and the folder public. */
function trail(): string {
  const hashes = [
    "bd82db29f2cbad7e80fc07d4b0bb4db060232ccaf3b0be4ff45a5b01a33978dd",
    "06aa082798778724e6601f851d3d06624de584376cbf361313b4ada355d57fe4",
    "8615c443c06a0ed5377b7337d6b4416d09b01bcd8af343eaf269a53d27f2434a",
    "8f37e1af4a8cc3babd444f6dd61c7caaf0c17ecc7b2b67937509d1cfd0b31750",
  ];
  const steps = [
    ["planner", "plan", "Tidy the folder reports: move what is finished to archive."],
    ["mover", "decision", "move_file report-2025.txt to archive/report-2025.txt"],
    ["mover", "decision", "move_file draft.txt to archive/draft.txt"],
    ["planner", "reflection", "Two files were moved; the folder is tidy."],
  ];
  const records = steps.map(([agent_id, type, content], index) => ({
    id: `step-${index + 1}`,
    task_id: "tidy",
    agent_id,
    type,
    content,
    timestamp: `2026-04-01T12:0${index}:00.000Z`,
    prev_hash: hashes[index - 1] ?? "0".repeat(64),
    hash: hashes[index],
  }));
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
