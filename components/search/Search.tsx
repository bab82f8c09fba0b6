"use client";
/**
 * The search: a form that works without JavaScript, and a combobox that shows results once scripts run. Submitting the
 * form opens the search page.
 */
import { useRouter } from "next/navigation";
import { useDeferredValue, useRef, useState } from "react";
import { Icon } from "@/components/atoms/Icon";
import { useNetwork } from "@/components/layout/NetworkContext";
import { addRecent, useRecents } from "@/components/search/recents";
import { SearchOption } from "@/components/search/SearchOption";
import { useCombobox } from "@/components/search/useCombobox";
import { useOpenSearch, useSearch } from "@/components/search/useSearch";

const listClass =
  "absolute inset-[calc(100%+4px)_0_auto_auto] z-20 w-full rounded-md border border-float bg-surface shadow-float sm:min-w-120";
const mostShown = 12;

/** `initial` is the text that the page's results are for. */
export function Search({ initial = "" }: { initial?: string }) {
  const network = useNetwork();
  const router = useRouter();
  const openSearch = useOpenSearch();
  const [text, setText] = useState(initial);
  const [shownFor, setShownFor] = useState(initial);
  const [open, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The field stays mounted when the page's results change, so its text is updated here.
  if (initial !== shownFor) {
    setShownFor(initial);
    setText(initial);
  }
  const wanted = useDeferredValue(text.trim());
  const { items, suggestions, isComplete } = useSearch(wanted, open);
  const recents = useRecents(network.name);
  const heading = text === "" ? "Recent" : items.length === 0 ? "No matches. Did you mean:" : "";
  const listed = text === "" ? recents : items.length === 0 ? suggestions : items.slice(0, mostShown);
  const offered = open ? listed : [];

  /** The field stays mounted on the next page. If it kept the focus, keyboard shortcuts would not work there. */
  function leave() {
    field.current?.blur();
    setOpen(false);
  }

  const { fieldProps, listProps, toOptionProps, reset } = useCombobox({
    items: offered,
    fieldLabel: "Search by name, number, hash or address",
    listLabel: "Results",
    onChoose: (item) => {
      leave();
      setText("");
      addRecent(item);
      router.push(item.path);
    },
  });

  return (
    <search className="relative block w-full">
      <form
        action={`/${network.name}/search`}
        onSubmit={(event) => {
          event.preventDefault();
          leave();
          // If the visitor types before hydration, the text is in the field, but not in the state.
          const typed = String(new FormData(event.currentTarget).get("q") ?? "");
          if (openSearch(typed)) setText("");
        }}
      >
        <Icon name="search" className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3" />
        <input
          {...fieldProps}
          ref={field}
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
            if (event.key !== "Escape") return fieldProps.onKeyDown(event);
            // The first Escape closes the list. The next one leaves the field, so that the page's keyboard shortcuts
            // work again.
            if (offered.length === 0) event.currentTarget.blur();
            setOpen(false);
            reset();
          }}
          onBlur={() => setOpen(false)}
          onFocus={() => setOpen(true)}
          placeholder="Name, number or hash"
          className="search-field h-8 pr-2 pl-8 text-13 sm:pr-8"
        />
        <FieldEnd
          isEmpty={text === ""}
          onClear={() => {
            setText("");
            field.current?.focus();
          }}
        />
        <div {...listProps} className={listClass} hidden={offered.length === 0}>
          {heading && (
            <p aria-hidden className="label px-3 pt-2 pb-1">
              {heading}
            </p>
          )}
          {offered.map((item) => (
            <button
              {...toOptionProps(item)}
              key={`${item.kind}${item.path}`}
              className="flex w-full items-center gap-3 px-3 py-1.5 max-sm:min-h-11 [@media(hover:none)]:min-h-11 text-left text-13 hover:bg-lit aria-selected:bg-lit"
            >
              <SearchOption item={item} />
            </button>
          ))}
        </div>
        {open && isComplete && offered.length === 0 && wanted === text.trim() && (
          <p role="status" className={`${listClass} px-3 py-2 text-13 text-ink-2`}>
            No matches. Type the beginning of a hash or address.
          </p>
        )}
      </form>
    </search>
  );
}

/** At the end of the field: the key that leads to it or, once it has text, a button that clears it. */
function FieldEnd({ isEmpty, onClear }: { isEmpty: boolean; onClear: () => void }) {
  return isEmpty ? (
    <kbd aria-hidden className="key">
      /
    </kbd>
  ) : (
    <button type="button" aria-label="Clear" className="icon-button" onClick={onClear}>
      <Icon name="cross" />
    </button>
  );
}
