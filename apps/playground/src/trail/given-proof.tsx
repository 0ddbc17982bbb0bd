import type { JSX } from "preact";
import { useTexts } from "../texts/language.ts";
import { Badge } from "../view/badge.tsx";
import { JobStatus } from "../view/job-status.tsx";
import { SourceField } from "../view/source-field.tsx";
import { useJob } from "../view/use-job.ts";
import type { AnchorInput } from "./anchor.ts";

interface Properties {
  readonly anchor: AnchorInput;
  readonly value: string;
  readonly onChange: (value: string | File) => void;
}

/** A proof that somebody gave, verified against the checkpoint alone. */
export function GivenProof({ anchor, value, onChange }: Properties): JSX.Element {
  const texts = useTexts().trail;
  const job = useJob("givenProof");
  return (
    <details open={value !== ""}>
      <summary>{texts.proofTitle}</summary>
      <p class="dim">{texts.proofHelp}</p>
      <SourceField label={texts.proof} value={value} onChange={onChange} />
      <p>
        <button type="button" onClick={() => job.run({ ...anchor, proof: value })}>
          {texts.verifyProof}
        </button>
      </p>
      <JobStatus job={job}>
        {({ holds, isSigned, index }) => (
          <p>
            <Badge tone={!holds ? "bad" : isSigned ? "good" : "odd"} />{" "}
            {holds ? texts.proofHolds(index + 1) : texts.notProven} {isSigned ? texts.signed : texts.unsigned}
          </p>
        )}
      </JobStatus>
    </details>
  );
}
