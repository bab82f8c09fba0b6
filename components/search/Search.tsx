"use client";
/**
 * The search: a form that works without JavaScript, with suggestions from the node if scripts run (a combobox).
 * Submitting text opens the search page, which queries the node before it redirects.
 */
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useDeferredValue, useState } from "react";
import { Icon } from "@/components/atoms/Icon";
import { useSource } from "@/components/layout/NetworkContext";
import { resultKinds, toResultPath } from "@/components/search/searchResult";
import { useCombobox } from "@/components/search/useCombobox";
import { findIdentifier } from "@/lib/links";
import { searchQuery } from "@/lib/query/queries";

const listClass = "absolute inset-[calc(100%+4px)_0_auto] z-20 rounded-md border border-line bg-surface shadow-float";

export function Search({ hero = false, initial = "" }: { hero?: boolean; initial?: string }) {
  const source = useSource();
  const router = useRouter();
  const action = `/${source.network}/search`;
  const [text, setText] = useState(initial);
  const [open, setOpen] = useState(false);
  const wanted = useDeferredValue(text.trim());
  // Sends no request if the text can't match anything, such as a partial hash.
  const { data, isSuccess } = useQuery({
    ...searchQuery(source, wanted),
    enabled: open && findIdentifier(wanted) !== undefined,
  });
  const results = open && data ? data.items : [];

  const { fieldProps, listProps, toOptionProps, reset } = useCombobox({
    items: results,
    fieldLabel: "Search by block number, hash or address",
    listLabel: "Results",
    onChoose: (result) => {
      setOpen(false);
      router.push(toResultPath(source.network, result));
    },
  });

  return (
    <search className="relative block w-full">
      <form
        action={action}
        onSubmit={(event) => {
          event.preventDefault();
          setOpen(false);
          // Read from the field, because text typed before hydration is not in the state.
          const typed = String(new FormData(event.currentTarget).get("q") ?? "");
          router.push(`${action}?${new URLSearchParams({ q: typed })}`);
        }}
      >
        <Icon
          name="search"
          className={`pointer-events-none absolute top-1/2 -translate-y-1/2 text-ink-3 ${hero ? "left-4" : "left-2.5"}`}
        />
        <input
          {...fieldProps}
          type="search"
          name="q"
          data-search
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            reset();
            setOpen(true);
          }}
          onKeyDown={(event) => {
            if (event.key === "Escape") {
              setOpen(false);
              reset();
              event.currentTarget.blur();
            } else fieldProps.onKeyDown(event);
          }}
          onBlur={() => setOpen(false)}
          onFocus={() => setOpen(true)}
          placeholder="Block number, hash or address"
          className={`search-field ${hero ? "h-12 pr-16 pl-11 text-14" : "h-8 pr-8 pl-8 text-13"}`}
        />
        <kbd
          aria-hidden
          className={`key pointer-events-none absolute top-1/2 -translate-y-1/2 ${hero ? "right-4" : "right-2"}`}
        >
          /
        </kbd>
        <div {...listProps} className={listClass} hidden={results.length === 0}>
          {results.map((result) => (
            <button
              {...toOptionProps(result)}
              key={`${result.kind}${result.id}`}
              className="flex w-full items-center px-3 py-2 text-left hover:bg-lit aria-selected:bg-lit"
            >
              <span className="label w-24 shrink-0">{resultKinds[result.kind]}</span>
              <span className="mono min-w-0 truncate">{result.label || result.id}</span>
            </button>
          ))}
        </div>
        {open && isSuccess && results.length === 0 && wanted === text.trim() && (
          <p role="status" className={`${listClass} px-3 py-2 text-13 text-ink-2`}>
            No matches
          </p>
        )}
      </form>
    </search>
  );
}
