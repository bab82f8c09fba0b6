"use client";
/**
 * Every method or those of one namespace, with a search by name or summary (a combobox). Choosing a method from the
 * search moves the focus to its form. On narrow screens with JavaScript, the list is behind a button in the search field.
 */
import { useRouter } from "next/navigation";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { Icon } from "@/components/atoms/Icon";
import { NamespaceChoice } from "@/components/atoms/NamespaceChoice";
import { AppLink } from "@/components/layout/AppLink";
import { useNetwork } from "@/components/layout/NetworkContext";
import { useCombobox } from "@/components/search/useCombobox";
import { toConsolePath } from "@/lib/links";
import { findByWords } from "@/lib/names";
import { plural } from "@/lib/plural";
import type { MethodEntry } from "@/lib/rpc/schema/description";

const effectMarks = {
  filters: "changes filters",
  sends: "sends",
  follows: "WebSocket",
  signs: "signs",
  controls: "changes the chain",
};

/** A method, and whether the page's network serves it. */
export type ListedMethod = MethodEntry & { served: boolean };

const listNamespaces = (methods: readonly ListedMethod[]) => [...new Set(methods.map(({ namespace }) => namespace))];

const rowClass = "mono flex w-full items-baseline justify-between gap-2 px-3 py-0.5 text-left text-ink-2";

/** Methods whose names match come first, then those whose summaries match. */
const findMethods = (methods: readonly ListedMethod[], text: string) => [
  ...new Set([
    ...findByWords(methods, text, ({ name }) => name),
    ...findByWords(methods, text, ({ name, summary }) => `${name} ${summary}`),
  ]),
];

export function MethodNav({ methods, current }: { methods: readonly ListedMethod[]; current: string }) {
  const { name: network } = useNetwork();
  const router = useRouter();
  const [text, setText] = useState("");
  const [namespace, setNamespace] = useState("");
  const [isListed, setListed] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const chosen = useRef<string | undefined>(undefined);
  const offered = namespace === "" ? methods : methods.filter((method) => method.namespace === namespace);
  const found = findMethods(offered, text);
  const isSearching = text.trim() !== "";
  const toPath = (name: string) => toConsolePath(network, name);

  const { fieldProps, listProps, toOptionProps, reset } = useCombobox({
    items: found,
    fieldLabel: "Find a method",
    listLabel: "Matching methods",
    startsAtFirst: true,
    onChoose: ({ name }) => {
      setText("");
      chosen.current = name;
      if (name === current) focusForm();
      else router.push(toPath(name), { scroll: false });
    },
  });

  useShown(list, current);
  useEffect(() => {
    if (chosen.current === current) focusForm();
    chosen.current = undefined;
  }, [current]);
  useActiveShown(fieldProps["aria-activedescendant"]);

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== "Escape") return fieldProps.onKeyDown(event);
    // The first Escape clears the search. The next one leaves the field, so that the page's keyboard shortcuts work
    // again.
    if (text === "") event.currentTarget.blur();
    setText("");
    reset();
  }

  return (
    <nav
      // Beside the method, it ends where the method's column or the window ends, because it has no height of its own.
      className="flex min-w-0 flex-col gap-2 min-[60rem]:sticky min-[60rem]:top-4 min-[60rem]:max-h-[calc(100dvh-2rem)] min-[60rem]:min-h-[min(30rem,100dvh-2rem)] min-[60rem]:self-stretch min-[60rem]:contain-size"
      aria-label="Methods"
    >
      <div className="flex flex-none gap-2">
        <div className="relative min-w-0 flex-1">
          <input
            {...fieldProps}
            type="search"
            className="search-field block h-8 px-3 text-13 max-[59.99rem]:pr-9"
            placeholder="Find a method"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              reset();
            }}
            onKeyDown={onKeyDown}
          />
          <button
            type="button"
            className="absolute inset-y-0 right-0 grid w-9 place-items-center text-ink-2 hover:text-ink focus-visible:-outline-offset-2 min-[60rem]:hidden [@media(scripting:none)]:hidden"
            aria-label="All methods"
            title="All methods"
            aria-expanded={isListed}
            onClick={() => setListed(!isListed)}
          >
            <Icon name="down" className={isListed ? "rotate-180" : ""} />
          </button>
        </div>
        <NamespaceChoice
          className="w-36! flex-none [@media(scripting:none)]:hidden"
          namespaces={listNamespaces(methods)}
          chosen={namespace}
          onChoose={(name) => {
            setNamespace(name);
            setListed(true);
            list.current?.scrollTo({ top: 0 });
          }}
        />
      </div>
      <p className="sr-only" role="status">
        {isSearching && `${found.length} ${plural(found.length, "method")}`}
      </p>
      <div
        className={`${isListed || isSearching ? "" : "max-[59.99rem]:[@media(scripting:enabled)]:hidden"} fading-list max-h-80 overflow-y-auto rounded-sm border border-line bg-surface min-[60rem]:max-h-none min-[60rem]:min-h-0`}
        ref={list}
      >
        <div {...listProps} hidden={found.length === 0} className="py-1">
          {found.map((method) => (
            <button
              {...toOptionProps(method)}
              key={method.name}
              title={method.summary}
              className={`${rowClass} hover:bg-hover aria-selected:bg-lit aria-selected:text-ink`}
            >
              <span className="min-w-0 wrap-anywhere">{method.name}</span>
              <MethodMark method={method} />
            </button>
          ))}
        </div>
        {!isSearching && <MethodLinks methods={offered} current={current} toPath={toPath} />}
        {isSearching && found.length === 0 && <p className="p-2 text-13 text-ink-2">No matching methods.</p>}
      </div>
    </nav>
  );
}

/** Scrolls the list to the page's method without scrolling the page. */
function useShown(list: RefObject<HTMLElement | null>, current: string): void {
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>(`a[href$="=${CSS.escape(current)}"]`);
    if (!list.current || !link) return;
    const above = link.getBoundingClientRect().top - list.current.getBoundingClientRect().top;
    if (above < 0 || above > list.current.clientHeight - 2 * link.offsetHeight) {
      list.current.scrollTop += above - list.current.clientHeight / 3;
    }
  }, [list, current]);
}

/** Scrolls to the active option of the search. */
function useActiveShown(id: string | undefined): void {
  useEffect(() => {
    if (id) document.getElementById(id)?.scrollIntoView({ block: "nearest" });
  }, [id]);
}

/** Focuses the chosen method's first field, or its button if it takes no params. */
function focusForm(): void {
  const form = document.querySelector("form[data-request]");
  const field = form?.querySelector<HTMLElement>(":scope > :first-child :is(input, select, textarea)");
  (field ?? form?.querySelector<HTMLElement>("[type=submit]"))?.focus();
}

function MethodLinks({
  methods,
  current,
  toPath,
}: {
  methods: readonly ListedMethod[];
  current: string;
  toPath: (name: string) => string;
}) {
  return listNamespaces(methods).map((namespace) => (
    <section key={namespace} aria-label={namespace} className="first-of-type:[&>h2]:border-t-0 [&>ul]:py-1">
      <h2 className="sticky top-0 z-1 border-line border-y bg-surface px-3 py-1 font-semibold text-12">{namespace}</h2>
      <ul>
        {methods
          .filter((method) => method.namespace === namespace)
          .map((method) => (
            <li key={method.name}>
              <AppLink
                href={toPath(method.name)}
                aria-current={method.name === current ? "page" : undefined}
                title={method.summary}
                className={`${rowClass} no-underline hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 aria-[current]:bg-lit aria-[current]:text-ink aria-[current]:shadow-[inset_2px_0_0_var(--accent)]`}
                scroll={false}
              >
                <span className="wrap-anywhere min-w-0">{method.name.slice(namespace.length + 1)}</span>
                <MethodMark method={method} />
              </AppLink>
            </li>
          ))}
      </ul>
    </section>
  ));
}

/** Marks a method that does more than read, or that this network doesn't serve. */
function MethodMark({ method: { effect, served } }: { method: ListedMethod }) {
  const mark = !served ? "unavailable" : effect === "reads" || effect === "runs" ? undefined : effectMarks[effect];
  if (mark === undefined) return null;
  return <span className="flex-none font-sans text-[0.6875rem] text-ink-3">{mark}</span>;
}
