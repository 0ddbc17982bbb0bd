import type { JSX } from "preact";
import type { AnchorInput } from "../jobs/anchor.ts";
import { useTexts } from "../texts/language.ts";
import { SourceField } from "../view/source-field.tsx";
import { useJob } from "../view/use-job.ts";
import { GivenPanel } from "./given-panel.tsx";

interface Properties {
  readonly anchor: AnchorInput;
  readonly value: string;
  readonly onChange: (value: string | File) => void;
}

/** Shows a given proof, verified against the checkpoint alone. */
export function GivenProof({ anchor, value, onChange }: Properties): JSX.Element {
  const texts = useTexts().trail;
  const job = useJob("givenProof");
  return (
    <GivenPanel
      title={texts.proofTitle}
      help={texts.proofHelp}
      tryThis={texts.tryProof}
      run={texts.verifyProof}
      isOpen={value !== ""}
      job={job}
      onRun={() => job.run({ ...anchor, proof: value })}
      says={({ index }) => texts.proofHolds(index + 1)}
    >
      <SourceField label={texts.proof} value={value} onChange={onChange} />
    </GivenPanel>
  );
}
