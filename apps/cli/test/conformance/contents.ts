import type { JsonObject } from "@agentprint/canonical-json";
import {
  type EmbeddedContent,
  embedded,
  image,
  type MediaContent,
  PNG,
  type TextContent,
  text,
} from "@agentprint/testing/mcp-servers/conformance-contents";

// The resources and prompts that the conformance suite requests, with the suite's names and texts.

export const SERVER_INFO = { name: "conformance-fixture", version: "1.0.0" };
export const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true },
  completions: {},
  logging: {},
};

export const COMPLETION: { completion: { values: string[]; total: number; hasMore: boolean } } = {
  completion: { values: [], total: 0, hasMore: false },
};

const RESOURCES: Readonly<
  Record<string, { readonly mimeType: string; readonly text?: string; readonly blob?: string }>
> = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PNG },
  "test://watched-resource": { mimeType: "text/plain", text: "Watched" },
};
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

type Named = { name: string; description: string; mimeType: string };

export const resourceList: (Named & { uri: string })[] = Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({
  uri,
  name: uri.slice("test://".length),
  description: "A resource of the fixture",
  mimeType,
}));
export const templateList: (Named & { uriTemplate: string })[] = [
  {
    uriTemplate: "test://template/{id}/data",
    name: "template",
    description: "A template of the fixture",
    mimeType: "application/json",
  },
];

type Contents = { contents: ({ uri: string; mimeType: string } & ({ text: string } | { blob: string }))[] };

/** Returns the contents of a resource, or `undefined` for an unknown URI. */
export function readResource(uri: string): Contents | undefined {
  const known = RESOURCES[uri];
  if (known?.text !== undefined) return { contents: [{ uri, mimeType: known.mimeType, text: known.text }] };
  if (known?.blob !== undefined) return { contents: [{ uri, mimeType: known.mimeType, blob: known.blob }] };
  const [, id] = TEMPLATE.exec(uri) ?? [];
  if (id === undefined) return undefined;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(data) }] };
}

type PromptContent = TextContent | MediaContent<"image"> | EmbeddedContent;
type Messages = { role: "user"; content: PromptContent }[];
interface Prompt {
  readonly arguments: readonly string[];
  readonly contents: (given: JsonObject) => readonly PromptContent[];
}

const PROMPTS: Readonly<Record<string, Prompt>> = {
  test_simple_prompt: { arguments: [], contents: () => [text("This is a simple prompt for testing.")] },
  test_prompt_with_arguments: {
    arguments: ["arg1", "arg2"],
    contents: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: ["resourceUri"],
    contents: ({ resourceUri }) => [
      embedded(String(resourceUri), "Embedded resource content for testing."),
      text("Please process the embedded resource above."),
    ],
  },
  test_prompt_with_image: { arguments: [], contents: () => [image, text("Please analyze the image above.")] },
};

/** Lists the prompts, including those of the given names, which ask back first. */
export function promptList(more: readonly string[] = []): {
  name: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
}[] {
  return [...Object.keys(PROMPTS), ...more].map((name) => ({
    name,
    description: "A prompt of the fixture",
    arguments: (PROMPTS[name]?.arguments ?? []).map((argument) => ({
      name: argument,
      description: "An argument",
      required: true,
    })),
  }));
}

/** Returns a prompt's messages, or `undefined` for an unknown name. */
export function getPrompt(name: string, given: JsonObject = {}): { messages: Messages } | undefined {
  return PROMPTS[name] && { messages: messages(PROMPTS[name].contents(given)) };
}

export function messages(contents: readonly PromptContent[]): Messages {
  return contents.map((content) => ({ role: "user", content }));
}
