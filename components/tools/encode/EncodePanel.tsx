"use client";
/**
 * Shows one encoder at a time, with its fields and results. The URL's fragment contains the encoder's name and short
 * inputs, so that a visitor can share a link.
 */
import { useEffect, useRef, useState } from "react";
import { Copy } from "@/components/atoms/Copy";
import { Sheet } from "@/components/layout/Sheet";
import { type Encoder, type Outcome, runEncoder, type Texts, toExample } from "@/components/tools/encode/encoder";
import { encoders } from "@/components/tools/encode/encoders";

/** A longer fragment would make the link unwieldy. */
const longestLink = 2_000;
const groups = [...new Set(encoders.map(({ group }) => group))];
const [first] = encoders;

function readLink(): { encoder: Encoder; texts: Texts } {
  const given = new URLSearchParams(window.location.hash.slice(1));
  const encoder = encoders.find(({ id }) => id === given.get("tool")) ?? first!;
  const texts = toExample(encoder);
  for (const { name } of encoder.fields) {
    const text = given.get(name);
    if (text !== null) texts[name] = text;
  }
  return { encoder, texts };
}

const isExample = (encoder: Encoder, texts: Texts) =>
  encoder.fields.every(({ name, example }) => (texts[name] ?? "") === example);

const toLink = (tool: string, texts: Texts) => new URLSearchParams({ tool, ...texts }).toString();

function writeLink({ id }: Encoder, texts: Texts): void {
  const whole = toLink(id, texts);
  const link = whole.length <= longestLink ? whole : toLink(id, {});
  window.history.replaceState(window.history.state, "", `#${link}`);
}

/**
 * The first render shows the first encoder's example and its outcome, because it must match the server's HTML. After
 * that, the encoder and the inputs are read from the URL's fragment, if there is one.
 */
export function EncodePanel({ firstOutcome }: { firstOutcome: Outcome }) {
  const [{ encoder, texts }, setState] = useState({ encoder: first!, texts: toExample(first!) });
  const [outcome, setOutcome] = useState(firstOutcome);
  /** The last inputs of each encoder, by its name. */
  const kept = useRef<Record<string, Texts>>({});

  useEffect(() => {
    let isCurrent = true;
    kept.current[encoder.id] = texts;
    void runEncoder(encoder, texts).then((done) => isCurrent && setOutcome(done));
    return () => {
      isCurrent = false;
    };
  }, [encoder, texts]);

  useEffect(() => {
    const onHash = () => setState(readLink());
    if (window.location.hash) onHash();
    window.addEventListener("hashchange", onHash);
    return () => window.removeEventListener("hashchange", onHash);
  }, []);

  function show(next: Encoder, nextTexts: Texts) {
    setState({ encoder: next, texts: nextTexts });
    writeLink(next, nextTexts);
  }

  const exampleButton = !isExample(encoder, texts) && (
    <button type="button" className="button" onClick={() => show(encoder, toExample(encoder))}>
      Show an example
    </button>
  );

  return (
    // On narrow screens, the select names the tool, so the title is only for screen readers.
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[14rem_minmax(0,1fr)] max-lg:[&_.sheet-head]:sr-only">
      <EncoderNav current={encoder} onChoose={(next) => show(next, kept.current[next.id] ?? toExample(next))} />
      <Sheet id="encoder" title={encoder.label} aside={<span className="max-lg:hidden">{exampleButton}</span>}>
        {/* On the widest screens, the results are beside the fields. */}
        <div className="2xl:grid 2xl:grid-cols-2">
          <div>
            <p className="px-4 pt-3 text-13 text-ink-2">{encoder.hint}</p>
            <div className="flex flex-col gap-3 px-4 py-3">
              {encoder.fields.map(({ name, label, isLong, isOptional }) => {
                const field = {
                  id: `encoder-${name}`,
                  className: "field w-full",
                  value: texts[name] ?? "",
                  spellCheck: false,
                  autoComplete: "off",
                  "aria-describedby": "encoder-fault",
                  onChange: ({ target }: { target: { value: string } }) =>
                    show(encoder, { ...texts, [name]: target.value }),
                };
                return (
                  <label key={name} htmlFor={`encoder-${name}`} className="flex min-w-0 flex-col gap-1">
                    <span className="label">
                      {label}
                      {isOptional && " (optional)"}
                    </span>
                    {isLong ? <textarea rows={toRows(texts[name])} {...field} /> : <input {...field} />}
                  </label>
                );
              })}
              <span className="empty:hidden lg:hidden">{exampleButton}</span>
            </div>
          </div>
          <Results outcome={outcome} />
        </div>
      </Sheet>
    </div>
  );
}

/** The number of lines that the field needs to show the text without scrolling: at least 2, at most 14. */
function toRows(text = ""): number {
  const lines = text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 100)), 0);
  return Math.min(Math.max(lines, 2), 14);
}

function EncoderNav({ current, onChoose }: { current: Encoder; onChoose: (encoder: Encoder) => void }) {
  return (
    <>
      <label className="flex flex-col gap-1 sm:max-w-80 lg:hidden">
        <span className="label">Tool</span>
        <select
          className="field font-sans! text-13!"
          value={current.id}
          onChange={({ target }) => onChoose(encoders.find(({ id }) => id === target.value) ?? current)}
        >
          {groups.map((group) => (
            <optgroup key={group} label={group}>
              {encoders
                .filter((each) => each.group === group)
                .map(({ id, label }) => (
                  <option key={id} value={id}>
                    {label}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </label>
      <nav aria-label="Encoders" className="sheet py-2 max-lg:hidden">
        {groups.map((group) => (
          <div key={group} className="pb-2 last:pb-0">
            <p className="px-4 py-1 font-semibold text-12">{group}</p>
            {encoders
              .filter((each) => each.group === group)
              .map((each) => (
                <button
                  key={each.id}
                  type="button"
                  aria-current={each === current ? "true" : undefined}
                  className="block min-h-8 w-full px-4 text-left text-13 text-ink-2 hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 aria-[current]:bg-lit aria-[current]:text-ink aria-[current]:shadow-[inset_2px_0_0_var(--accent)]"
                  onClick={() => onChoose(each)}
                >
                  {each.label}
                </button>
              ))}
          </div>
        ))}
      </nav>
    </>
  );
}

function Results({ outcome }: { outcome: Outcome }) {
  return (
    <div className="border-line bg-sunken max-2xl:border-t 2xl:border-l">
      <p id="encoder-fault" role="status" className={outcome && "fault" in outcome ? "px-4 py-3 text-neg" : "sr-only"}>
        {outcome && "fault" in outcome && outcome.fault}
      </p>
      {outcome && "results" in outcome && (
        <dl aria-label="Results">
          {outcome.results.map(({ label, value, opens }) => (
            <div key={label} className="info-row grid-cols-1">
              <dt className="flex items-center gap-2">
                {label}
                {/* Not directly in the label: phones hide the buttons there. */}
                <span className="flex">
                  <Copy value={value} what={label} quiet={false} />
                </span>
                {opens && (
                  <a href={`#${toLink(opens.tool, opens.texts)}`} className="app-link">
                    {opens.label}
                  </a>
                )}
              </dt>
              <dd className="mono wrap-anywhere whitespace-pre-wrap leading-6!">
                <Words value={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** Calldata and ABI-encoded values have 32-byte words after an optional selector. Each word gets its own line. */
const words = /^0x([0-9a-f]{8})?((?:[0-9a-f]{64})+)$/;

function Words({ value }: { value: string }) {
  const [, selector, rest] = words.exec(value) ?? [];
  if (rest === undefined || (selector === undefined && rest.length === 64)) return value;
  return (
    <>
      <span className="block">0x{selector}</span>
      {rest.match(/.{64}/g)?.map((word, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words have no other identity
        <span key={at} className="block">
          {word.slice(0, 32)}
          <wbr />
          {word.slice(32)}
        </span>
      ))}
    </>
  );
}
