import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useTexts } from "../texts/language.ts";
import { hexRows, PAGE_BYTES } from "./hex-rows.ts";

interface Properties {
  readonly bytes: Uint8Array;
  /** The offset of a byte to show and to mark. */
  readonly mark?: number | undefined;
}

/** Shows bytes, a page at a time. */
export function HexView({ bytes, mark }: Properties): JSX.Element {
  const texts = useTexts().hex;
  const pageOf = (offset: number): number => Math.floor(offset / PAGE_BYTES) * PAGE_BYTES;
  const [from, setFrom] = useState(pageOf(mark ?? 0));
  useEffect(() => setFrom(pageOf(mark ?? 0)), [bytes, mark]);
  const to = Math.min(from + PAGE_BYTES, bytes.length);
  return (
    <>
      <table class="hex">
        <thead>
          <tr>
            <th scope="col">{texts.offset}</th>
            <th scope="col">{texts.bytes}</th>
            <th scope="col">{texts.text}</th>
          </tr>
        </thead>
        <tbody>
          {hexRows(bytes, from).map(({ offset, hex, text }) => (
            <tr key={offset}>
              <th scope="row">{offset.toString(16).padStart(6, "0")}</th>
              <td>
                {hex.map((byte, index) => (
                  <HexByte key={index} text={byte} isMarked={offset + index === mark} />
                ))}
              </td>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {bytes.length > PAGE_BYTES && (
        <p class="row">
          <button type="button" disabled={from === 0} onClick={() => setFrom(from - PAGE_BYTES)}>
            {texts.earlier}
          </button>
          <button type="button" disabled={to >= bytes.length} onClick={() => setFrom(from + PAGE_BYTES)}>
            {texts.later}
          </button>
          <span class="dim">{texts.range(from, to - 1, bytes.length)}</span>
        </p>
      )}
    </>
  );
}

function HexByte({ text, isMarked }: { readonly text: string; readonly isMarked: boolean }): JSX.Element {
  return isMarked ? (
    <>
      <mark>{text}</mark>{" "}
    </>
  ) : (
    <>{text} </>
  );
}
