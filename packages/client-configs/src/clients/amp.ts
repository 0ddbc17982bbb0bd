import type { Client } from "../client.ts";
import { COMMON, jsonOrJsonc } from "./common-forms.ts";

export const AMP: Client = {
  id: "amp",
  name: "Amp",
  files: [
    ...jsonOrJsonc({ scope: "project", member: ["amp.mcpServers"] }, ".amp/settings"),
    ...jsonOrJsonc({ scope: "user", member: ["amp.mcpServers"] }, "~/.config/amp/settings"),
  ],
  spelling: COMMON,
  off: ["disabled: true"],
  source: "https://ampcode.com/manual",
};
