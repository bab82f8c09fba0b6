"use client";
/** Shows bytes in readable forms: decoded, as words, as hex or as text. */
import { useState } from "react";
import { Bytes } from "@/components/atoms/Bytes";
import { Choices } from "@/components/atoms/Choices";
import { Copy } from "@/components/atoms/Copy";
import { Readings } from "@/components/trace/DecodedView";
import type { Decoded } from "@/lib/decode/decoded";
import { findText, findWord, toBytes } from "@/lib/decode/words";
import { formatBytes } from "@/lib/units";

const viewLabels = {
  words: "Words",
  raw: "Raw",
  text: "Text",
  decoded: "Decoded",
};

type View = "decoded" | "words" | "raw" | "text";

/** Longer byte strings are truncated for display. The copy button always copies all bytes. */
const shownHex = 60_000;
const shownWords = 256;

export function BytesView({
  data,
  what,
  readings = [],
  token,
  selector = 0,
}: {
  data: string;
  what: string;
  readings?: Decoded[];
  token?: string | undefined;
  /** The number of bytes before the first word: 4 for calldata, 0 for a log's data. */
  selector?: 0 | 4;
}) {
  const bytes = (data.length - 2) / 2;
  const text = findText(toBytes(data.slice(2, 2 + 20_000)));
  const hasWords = bytes >= 32 && (bytes - selector) % 32 === 0;
  const views: View[] = [
    ...(readings.length > 0 ? (["decoded"] as const) : []),
    ...(hasWords ? (["words"] as const) : []),
    "raw",
    ...(text === undefined ? [] : (["text"] as const)),
  ];
  const [chosen, setChosen] = useState<View | undefined>(undefined);
  const view = chosen !== undefined && views.includes(chosen) ? chosen : views[0];
  if (data === "0x") return <span className="text-ink-3">none</span>;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {views.length > 1 && <Choices names={views} chosen={view} onChoose={setChosen} labels={viewLabels} />}
        <span className="text-ink-3">{formatBytes(bytes)}</span>
        <Copy value={data} what={what} quiet={false} />
      </div>
      {view === "decoded" ? (
        <Readings readings={readings} token={token} />
      ) : (
        <Bytes className={view === "words" ? "@container" : ""}>
          {view === "words" ? (
            <Words data={data} selector={selector} />
          ) : view === "text" ? (
            text
          ) : (
            <span className="hex-lines">
              {data.slice(0, shownHex)}
              {data.length > shownHex && "…"}
            </span>
          )}
        </Bytes>
      )}
    </div>
  );
}

/** One 32-byte word per line, with padding zeros in gray. */
function Words({ data, selector }: { data: string; selector: 0 | 4 }) {
  const payload = data.slice(2 + selector * 2);
  const isNumbered = payload.length > 64;
  return (
    <>
      {selector === 4 && <span className="block">{data.slice(0, 10)}</span>}
      {Array.from({ length: Math.min(payload.length / 64, shownWords) }, (_, index) => {
        const word = findWord(payload, index) ?? "";
        const zeros = /^(?:00)*/.exec(word)![0].length;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: words have no other identity
          <span key={index} className={isNumbered ? "grid grid-cols-[3ch_minmax(0,1fr)] gap-[1.5ch]" : ""}>
            {isNumbered && <span className="text-right text-ink-3">{index}</span>}
            {/* A word that doesn't fit on one line is on two equal ones. */}
            <span className={`block ${isNumbered ? "@max-[31.5rem]:max-w-[32.25ch]" : "@max-[29rem]:max-w-[32.25ch]"}`}>
              <span className="text-ink-3">{word.slice(0, zeros)}</span>
              {word.slice(zeros)}
            </span>
          </span>
        );
      })}
    </>
  );
}
