import { audio, embedded, image, PNG, text } from "@agentprint/testing/mcp-servers/conformance-contents";
import { type ContentBlock, completable, type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import * as z from "zod";

/** The tools, resources and prompts by which the suite checks each kind of content. */
export function addContent(server: McpServer): void {
  const tool = (name: string, ...content: ContentBlock[]): void => {
    server.registerTool(name, { description: "Answers with fixed content" }, () => ({ content }));
  };
  tool("test_simple_text", text("This is a simple text response for testing."));
  tool("test_image_content", image);
  tool("test_audio_content", audio);
  tool("test_embedded_resource", embedded("test://embedded-resource", "This is an embedded resource content."));
  tool("test_multiple_content_types", text("Mixed:"), image, embedded("test://mixed-content-resource", "{}"));
  server.registerTool("test_error_handling", { description: "Fails" }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });

  const prompt = (...contents: ContentBlock[]) => ({
    messages: contents.map((content) => ({ role: "user" as const, content })),
  });
  const description = "Has fixed content";
  server.registerPrompt("test_simple_prompt", { description }, () =>
    prompt(text("This is a simple prompt for testing.")),
  );
  server.registerPrompt("test_prompt_with_image", { description }, () => prompt(image, text("Look at the image.")));
  const argument = completable(z.string(), (value) => ["paris", "park"].filter((one) => one.startsWith(value ?? "")));
  server.registerPrompt(
    "test_prompt_with_arguments",
    { description, argsSchema: z.object({ arg1: argument, arg2: z.string() }) },
    ({ arg1, arg2 }) => prompt(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description, argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => prompt(embedded(resourceUri, "Embedded resource content for testing.")),
  );

  const resource = (name: string, mimeType: string, content: { text: string } | { blob: string }): void => {
    server.registerResource(name, `test://${name}`, { mimeType }, ({ href }) => ({
      contents: [{ uri: href, mimeType, ...content }],
    }));
  };
  resource("static-text", "text/plain", { text: "This is the content of the static text resource." });
  resource("static-binary", "image/png", { blob: PNG });
  resource("watched-resource", "text/plain", { text: "Watched resource content" });
  const template = new ResourceTemplate("test://template/{id}/data", { list: undefined });
  server.registerResource("template", template, { mimeType: "application/json" }, ({ href }, { id }) => ({
    contents: [{ uri: href, mimeType: "application/json", text: JSON.stringify({ id, data: `Data for ID: ${id}` }) }],
  }));
}
