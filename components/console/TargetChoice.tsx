"use client";
/**
 * Selects the network to send the request to, and an optional second endpoint to compare responses with. The second
 * endpoint can be another network of this node or any URL.
 */
import { useId, useState } from "react";
import type { Target } from "@/components/console/callRequest";
import type { Network } from "@/lib/networks";

/** Beside the buttons, each label is above its field if a line is too short for both. */
const fieldClass =
  "flex min-w-0 flex-wrap items-center gap-2 max-sm:contents @min-[42.5rem]:@max-[53rem]:flex-col @min-[42.5rem]:@max-[53rem]:items-start @min-[42.5rem]:@max-[53rem]:gap-0.5";

export function TargetChoice({
  networks,
  target,
  other,
  onTarget,
  onOther,
  canCompare,
}: {
  networks: readonly Network[];
  target: Target;
  other: Target | undefined;
  onTarget: (target: Target) => void;
  onOther: (target: Target | undefined) => void;
  canCompare: boolean;
}) {
  const id = useId();
  const [choice, setChoice] = useState("");
  const [url, setUrl] = useState("");
  const here = target.kind === "network" ? target.network.name : "";
  const isUrl = choice === "url";
  const isValid = /^https?:\/\/./.test(url) && URL.canParse(url);

  function choose(next: string, typed: string) {
    setChoice(next);
    const network = networks.find(({ name }) => `network ${name}` === next);
    if (network) return onOther({ kind: "network", network });
    const usable = next === "url" && /^https?:\/\/./.test(typed) && URL.canParse(typed);
    onOther(usable ? { kind: "url", url: typed } : undefined);
  }

  return (
    // On phones, the labels are one column and the fields another.
    <div className="flex min-w-0 flex-wrap gap-x-6 gap-y-2 max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)] max-sm:items-center max-sm:gap-x-3 @min-[42.5rem]:@max-[53rem]:gap-x-3">
      <span className={fieldClass}>
        <label htmlFor={`${id}-target`} className="label">
          Run on
        </label>
        <select
          id={`${id}-target`}
          className="field max-w-full max-sm:w-full"
          value={here}
          onChange={({ target: { value } }) => {
            const network = networks.find(({ name }) => name === value);
            if (network) onTarget({ kind: "network", network });
          }}
        >
          {networks.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </span>
      {canCompare && (
        <span className={fieldClass}>
          <label htmlFor={`${id}-other`} className="label">
            Compare with
          </label>
          <select
            id={`${id}-other`}
            className="field max-w-full max-sm:w-full"
            value={choice}
            onChange={(event) => choose(event.target.value, url)}
          >
            <option value="">None</option>
            {networks.map(({ name, label }) => (
              <option key={name} value={`network ${name}`}>
                {label}
              </option>
            ))}
            <option value="url">another endpoint…</option>
          </select>
          {isUrl && (
            <>
              <label htmlFor={`${id}-url`} className="sr-only">
                URL of the other endpoint
              </label>
              <input
                id={`${id}-url`}
                type="url"
                className="field max-sm:col-span-full max-sm:w-full sm:w-72"
                placeholder="https://…"
                value={url}
                aria-invalid={url !== "" && !isValid}
                onChange={(event) => {
                  setUrl(event.target.value);
                  choose("url", event.target.value);
                }}
              />
            </>
          )}
          {isUrl && other === undefined && (
            <span className="text-13 text-ink-2 max-sm:col-span-full">Proxied by this node; public hosts only.</span>
          )}
        </span>
      )}
    </div>
  );
}
