"use client";
/** One tool: what it does, its controls, and the result of its last call. */
import { type ReactNode, useId, useState } from "react";
import { Icon } from "@/components/atoms/Icon";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import type { LastCall, Tool } from "@/components/tools/useTool";
import { toConsolePath } from "@/lib/links";
import { toShownText } from "@/lib/shownText";

export function ToolRow({
  id,
  title,
  about,
  tool,
  fault,
  folds = false,
  isReady = true,
  children,
}: {
  id: string;
  title: ReactNode;
  about: ReactNode;
  tool: Tool;
  /** Why the last input was rejected. */
  fault?: string | undefined;
  /** On phones, shows only the title until the visitor opens the tool. */
  folds?: boolean;
  /** Whether what the tool needs from elsewhere is given. */
  isReady?: boolean;
  children: ReactNode;
}) {
  const bodyId = useId();
  const [chosen, setChosen] = useState<boolean | undefined>(undefined);
  const last = tool.last?.row === id ? tool.last : undefined;
  // Open while it has something to say, unless the visitor closed it.
  const isOpen = chosen ?? (fault !== undefined || last !== undefined);
  const isFolded = folds && !isOpen;
  const folded = isFolded ? "max-sm:hidden" : "";
  return (
    <div className="@container border-line border-b last:border-b-0">
      <div className="grid gap-x-8 gap-y-3 px-4 py-3 @min-[42rem]:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]">
        <div className="min-w-0">
          <h3 className="font-medium text-14">
            {folds && (
              <button
                type="button"
                className={`-my-3 flex min-h-11 w-full items-center justify-between text-left sm:hidden ${isReady ? "" : "text-ink-3"}`}
                aria-expanded={!isFolded}
                aria-controls={bodyId}
                onClick={() => setChosen(!isOpen)}
              >
                {title}
                <Icon name="down" className={`text-ink-3 ${isFolded ? "" : "rotate-180"}`} />
              </button>
            )}
            <span className={folds ? "max-sm:hidden" : ""}>{title}</span>
          </h3>
          <p className={`text-13 text-ink-2 ${folded}`}>{about}</p>
        </div>
        <div id={bodyId} className={`flex min-w-0 flex-col justify-center gap-2 ${folded}`}>
          {children}
          <p role="status" className={fault === undefined ? "sr-only" : "text-13 text-neg"}>
            {fault}
          </p>
          {last && fault === undefined && <Result last={last} />}
        </div>
      </div>
    </div>
  );
}

/**
 * Longer values, such as a chain's state, are truncated for display. A call with longer params gets no link to the
 * console.
 */
const mostShown = 80;
const mostLinked = 2_000;

function Result({ last }: { last: LastCall }) {
  const { name } = useNetwork();
  const isFailed = "message" in last;
  const params = last.params.map((param) => JSON.stringify(param));
  const isLinked = params.join().length <= mostLinked;
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13" data-testid="last-call">
      <Icon name={isFailed ? "cross" : "check"} className={isFailed ? "text-neg" : "text-pos"} />
      <code className="mono break-all">{`${last.method}(${params.map(clamp).join(", ")})`}</code>
      <span className={isFailed ? "text-neg" : "break-all text-ink-2"}>
        {isFailed ? `failed: ${last.message}` : `returned ${clamp(JSON.stringify(last.result))} in ${last.ms} ms`}
      </span>
      {isLinked && (
        <AppLink href={toConsolePath(name, last.method, last.params)} className="app-link">
          Open in the console
        </AppLink>
      )}
    </p>
  );
}

const clamp = (json: string) => toShownText(json, mostShown);
