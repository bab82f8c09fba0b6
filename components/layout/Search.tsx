"use client";
/**
 * The search: a form that works without scripts, with suggestions from the node where they run (combobox pattern).
 * The text alone never navigates: what the node knows decides, on the search page.
 */
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useDeferredValue, useId, useState } from "react";
import { Icon } from "@/components/chain/Icon";
import { useSource } from "@/components/chain/NetworkContext";
import { resultKinds, toResultPath } from "@/components/layout/searchResult";
import { findIdentifier } from "@/lib/links";
import { searchQuery } from "@/lib/query/queries";

export function Search({ hero = false, initial = "" }: { hero?: boolean; initial?: string }) {
  const source = useSource();
  const router = useRouter();
  const action = `/${source.network}/search`;
  const listId = useId();
  const [text, setText] = useState(initial);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const wanted = useDeferredValue(text.trim());
  // Half a hash is no identifier: nothing is asked before there is something to find.
  const { data, isSuccess } = useQuery({
    ...searchQuery(source, wanted),
    enabled: open && findIdentifier(wanted) !== undefined,
  });
  const results = open && data ? data.items : [];

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Escape") {
      setOpen(false);
      setActive(-1);
      return;
    }
    if (results.length === 0 || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) {
      const chosen = results[active];
      if (event.key === "Enter" && chosen) {
        event.preventDefault();
        setOpen(false);
        router.push(toResultPath(source.network, chosen));
      }
      return;
    }
    event.preventDefault();
    const step = event.key === "ArrowDown" ? 1 : -1;
    setActive((before) => (before + step + results.length) % results.length);
  }

  return (
    <search className="relative block w-full">
      <form
        action={action}
        onSubmit={(event) => {
          event.preventDefault();
          setOpen(false);
          // From the field itself: what was typed before the page's code ran is in no state.
          const typed = String(new FormData(event.currentTarget).get("q") ?? "");
          router.push(`${action}?${new URLSearchParams({ q: typed })}`);
        }}
      >
        <Icon
          name="search"
          className={`pointer-events-none absolute top-1/2 -translate-y-1/2 text-ink-3 ${hero ? "left-4" : "left-2.5"}`}
        />
        <input
          type="search"
          name="q"
          data-search
          // biome-ignore lint/a11y/noAutofocus: the start page is the search, as on a search engine
          autoFocus={hero}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(-1);
            setOpen(true);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setOpen(false)}
          onFocus={() => setOpen(true)}
          placeholder="Block number, hash or address"
          aria-label="Search by block number, hash or address"
          role="combobox"
          aria-expanded={results.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          maxLength={200}
          className={`search-field ${hero ? "h-12 pr-16 pl-11 text-14" : "h-8 pr-8 pl-8 text-13"}`}
        />
        <kbd
          aria-hidden
          className={`key pointer-events-none absolute top-1/2 -translate-y-1/2 ${hero ? "right-4" : "right-2"}`}
        >
          /
        </kbd>
        <div id={listId} role="listbox" aria-label="Results" className="search-list" hidden={results.length === 0}>
          {results.map((result, index) => (
            <button
              key={`${result.kind}${result.id}`}
              id={`${listId}-${index}`}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              // The field keeps the focus, so that its blur does not close the list before the click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                setOpen(false);
                router.push(toResultPath(source.network, result));
              }}
            >
              <span className="label w-24 shrink-0">{resultKinds[result.kind]}</span>
              <span className="mono min-w-0 truncate">{result.label || result.id}</span>
            </button>
          ))}
        </div>
        {open && isSuccess && results.length === 0 && wanted === text.trim() && (
          <p role="status" className="search-list px-3 py-2 text-13 text-ink-2">
            No matches
          </p>
        )}
      </form>
    </search>
  );
}
