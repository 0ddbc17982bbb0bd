import type { JSX } from "preact";
import type { ToolName } from "../share/tools.ts";
import { useTexts } from "../texts/language.ts";

interface Properties {
  readonly tool: ToolName;
  /** Whether the fields were filled with the example. */
  readonly isStory: boolean;
  readonly isEmpty: boolean;
  readonly onEmpty: () => void;
  readonly onFill: () => void;
}

/**
 * Shows the sentence about a tool's example with a change to try, and buttons that empty the fields or fill them again.
 */
export function StoryBar({ tool, isStory, isEmpty, onEmpty, onFill }: Properties): JSX.Element {
  const texts = useTexts();
  const { story } = texts;
  return (
    <div class="row story">
      {isStory && (
        <p class="grow">
          {texts[tool].story} <strong>{story.change}</strong> {texts[tool].tryThis}
        </p>
      )}
      <button type="button" onClick={isEmpty ? onFill : onEmpty}>
        {isEmpty ? story.fill : story.empty}
      </button>
    </div>
  );
}
