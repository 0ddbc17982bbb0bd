import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ToolName, ToolState } from "./share/tools.ts";
import { useTexts } from "./texts/language.ts";
import type { ToolProperties } from "./view/tool-properties.ts";

type Tool<Name extends ToolName> = ComponentType<ToolProperties<Name>>;

/** Each tool's code is loaded when the tool is opened. */
const LOAD: { readonly [Name in ToolName]: () => Promise<Tool<Name>> } = {
  canonical: async () => (await import("./canonical/canonical-tool.tsx")).CanonicalTool,
  compare: async () => (await import("./compare/compare-tool.tsx")).CompareTool,
  schemas: async () => (await import("./schemas/schemas-tool.tsx")).SchemasTool,
  trail: async () => (await import("./trail/trail-tool.tsx")).TrailTool,
  statement: async () => (await import("./statement/statement-tool.tsx")).StatementTool,
  text: async () => (await import("./text/text-tool.tsx")).TextTool,
  vector: async () => (await import("./vector/vector-tool.tsx")).VectorTool,
};

interface Properties {
  readonly tool: ToolName;
  /** The number of times that fields were filled from outside; the tool restarts each time. */
  readonly fillings: number;
  readonly state: ToolState<ToolName>;
  readonly onChange: (state: ToolState<ToolName>) => void;
}

/** Shows the open tool once it is loaded. */
export function OpenedTool({ tool, fillings, state, onChange }: Properties): JSX.Element {
  const texts = useTexts();
  const [Loaded, setLoaded] = useState<Tool<ToolName> | "failed">();
  useEffect(() => {
    LOAD[tool]().then(
      (loaded) => setLoaded(() => loaded as Tool<ToolName>),
      () => setLoaded("failed"),
    );
  }, [tool]);
  if (Loaded === undefined) return <p role="status">{texts.loading}</p>;
  if (Loaded === "failed")
    return (
      <p role="alert" class="note bad">
        {texts.notLoaded}
      </p>
    );
  return <Loaded key={fillings} state={state} onChange={onChange} />;
}
