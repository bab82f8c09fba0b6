"use client";
/**
 * Calldata: the function where its selector is known, the arguments as words, and the bytes themselves.
 */
import { useState } from "react";
import { Copy } from "@/components/chain/Copy";
import { functionSignatures, listParameterTypes } from "@/lib/decode/selectors";
import { findText, findWord, toBytes, toPayload } from "@/lib/decode/words";
import { t } from "@/lib/messages/translate";
import { formatBytes } from "@/lib/units";

type View = "words" | "raw" | "text";

export function CallData({ input, creates }: { input: string; creates: boolean }) {
  const bytes = (input.length - 2) / 2;
  const text = findText(toBytes(input.slice(2)));
  const isCall = !creates && bytes >= 4 && (bytes - 4) % 32 === 0;
  const views: View[] = [
    ...(isCall ? (["words"] as const) : []),
    "raw",
    ...(text === undefined ? [] : (["text"] as const)),
  ];
  const [view, setView] = useState<View>(views[0]!);
  const signature = creates ? undefined : functionSignatures[input.slice(0, 10)];
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <code className="mono break-all">{signature ?? (creates ? t("method.create") : input.slice(0, 10))}</code>
        <span className="text-ink-3">{formatBytes(bytes)}</span>
        <Copy value={input} what={t("what.input")} />
        {views.length > 1 && (
          <span className="segmented ml-auto">
            {views.map((name) => (
              <button key={name} type="button" aria-pressed={name === view} onClick={() => setView(name)}>
                {t(`input.${name}`)}
              </button>
            ))}
          </span>
        )}
      </div>
      {(view !== "words" || bytes > 4) && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <pre tabIndex={0} className="bytes">
          {view === "words" ? <Words input={input} signature={signature} /> : view === "text" ? text : input}
        </pre>
      )}
    </div>
  );
}

const shownWords = 256;

/** One 32-byte word a line, with the parameter it is the head of, and the zeros that only fill it greyed. */
function Words({ input, signature }: { input: string; signature: string | undefined }) {
  const payload = toPayload(input);
  const types = signature === undefined ? [] : listParameterTypes(signature);
  return Array.from({ length: Math.min(payload.length / 64, shownWords) }, (_, index) => {
    const word = findWord(payload, index) ?? "";
    const zeros = /^(?:00)*/.exec(word)![0].length;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a word is its place
      <span key={index} className="word">
        <span className="text-ink-3">{index}</span>
        <span className="text-code">{types[index]}</span>
        <span>
          <span className="text-ink-3">{word.slice(0, zeros)}</span>
          {word.slice(zeros)}
        </span>
      </span>
    );
  });
}
