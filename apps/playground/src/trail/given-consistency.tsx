import type { JSX } from "preact";
import type { AnchorInput } from "../jobs/anchor.ts";
import { useTexts } from "../texts/language.ts";
import { SourceField } from "../view/source-field.tsx";
import { useJob } from "../view/use-job.ts";
import { GivenPanel } from "./given-panel.tsx";

interface Properties {
  /** The later checkpoint. */
  readonly anchor: AnchorInput;
  readonly older: string;
  readonly consistency: string;
  readonly onChange: (change: { readonly older?: string | File; readonly consistency?: string | File }) => void;
}

/** Shows a given proof that the checkpoint continues an earlier checkpoint. */
export function GivenConsistency({ anchor, older, consistency, onChange }: Properties): JSX.Element {
  const texts = useTexts().trail;
  const job = useJob("consistency");
  return (
    <GivenPanel
      title={texts.consistencyTitle}
      help={texts.consistencyHelp}
      tryThis={texts.tryConsistency}
      run={texts.verifyConsistency}
      isOpen={older !== "" || consistency !== ""}
      job={job}
      onRun={() => job.run({ ...anchor, older, consistency })}
      says={({ oldSize, newSize }) => texts.continues(oldSize, newSize)}
    >
      <SourceField label={texts.older} value={older} onChange={(value) => onChange({ older: value })} />
      <SourceField
        label={texts.consistency}
        value={consistency}
        onChange={(value) => onChange({ consistency: value })}
      />
    </GivenPanel>
  );
}
