"use client";
/**
 * Every method, grouped by namespace, with a search by name or summary. Without JavaScript the whole list is shown as
 * links.
 */
import { useEffect, useId, useRef, useState } from "react";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { toSectionPath } from "@/lib/links";
import { plural } from "@/lib/plural";
import type { MethodEntry } from "@/lib/rpc/schema/description";

const effectMarks = {
  filters: "filter",
  sends: "sends",
  follows: "WebSocket",
  signs: "sends",
  controls: "changes the chain",
};

/** Whether the page's network supports the method. */
export type ListedMethod = MethodEntry & { served: boolean };

export function MethodNav({ methods, current }: { methods: readonly ListedMethod[]; current: string }) {
  const { name: network } = useNetwork();
  const id = useId();
  const [text, setText] = useState("");
  const list = useRef<HTMLDivElement>(null);
  // Scrolls only the list, not the page.
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>(`a[href$="=${CSS.escape(current)}"]`);
    if (!list.current || !link) return;
    const above = link.getBoundingClientRect().top - list.current.getBoundingClientRect().top;
    if (above < 0 || above > list.current.clientHeight - 2 * link.offsetHeight) {
      list.current.scrollTop += above - list.current.clientHeight / 3;
    }
  }, [current]);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = methods.filter(({ name, summary }) => {
    const content = `${name} ${summary}`.toLowerCase();
    return words.every((word) => content.includes(word));
  });
  const namespaces = [...new Set(found.map(({ namespace }) => namespace))];
  return (
    <nav
      className="flex min-w-0 flex-col gap-2 min-[60rem]:sticky min-[60rem]:top-4 min-[60rem]:max-h-[calc(100dvh-2rem)]"
      aria-label="Methods"
    >
      <label htmlFor={id} className="sr-only">
        Find a method
      </label>
      <input
        id={id}
        type="search"
        className="search-field h-8 flex-none px-3 text-13"
        placeholder="Find a method"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="sr-only" role="status">
        {words.length > 0 && `${found.length} ${plural(found.length, "method")}`}
      </p>
      <div
        className="max-h-52 overflow-y-auto rounded-sm border border-line bg-surface min-[60rem]:max-h-none min-[60rem]:min-h-0"
        ref={list}
      >
        {namespaces.map((namespace) => (
          <section key={namespace} aria-label={namespace}>
            <h2 className="label sticky top-0 z-1 bg-surface px-3 pt-2 pb-1">{namespace}</h2>
            <ul>
              {found
                .filter((method) => method.namespace === namespace)
                .map(({ name, summary, effect, served }) => (
                  <li key={name}>
                    <AppLink
                      href={`${toSectionPath(network, "console")}?method=${encodeURIComponent(name)}`}
                      aria-current={name === current ? "page" : undefined}
                      title={summary}
                      className="mono flex items-baseline justify-between gap-2 px-3 py-0.5 text-ink-2 no-underline hover:bg-sunken hover:text-ink focus-visible:-outline-offset-2 aria-[current]:bg-lit aria-[current]:text-ink aria-[current]:shadow-[inset_2px_0_0_var(--accent)]"
                      scroll={false}
                    >
                      {name.slice(namespace.length + 1)}
                      {!served ? (
                        <Mark>unavailable</Mark>
                      ) : (
                        effect !== "reads" && effect !== "runs" && <Mark>{effectMarks[effect]}</Mark>
                      )}
                    </AppLink>
                  </li>
                ))}
            </ul>
          </section>
        ))}
        {found.length === 0 && <p className="p-2 text-13 text-ink-2">No matching methods.</p>}
      </div>
    </nav>
  );
}

function Mark({ children }: { children: string }) {
  return <span className="flex-none font-sans text-[0.6875rem] text-ink-3 [font-stretch:88%]">{children}</span>;
}
