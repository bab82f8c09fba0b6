"use client";
/**
 * The command palette: one field for finding every page, action and search result (a combobox in a dialog). It closes
 * before the chosen action runs, so that the action applies to the page.
 */
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useMemo, useRef, useState } from "react";
import { Dialog } from "@/components/layout/Dialog";
import type { KeyAction } from "@/components/layout/keys";
import { useNetwork } from "@/components/layout/NetworkContext";
import {
  type Command,
  filterCommands,
  groupLabels,
  listCommands,
  type Surroundings,
} from "@/components/search/commands";
import { Marked, toWords } from "@/components/search/Marked";
import { addRecent, useRecents } from "@/components/search/recents";
import { SearchOption } from "@/components/search/SearchOption";
import type { SearchItem } from "@/components/search/searchItems";
import { useCombobox } from "@/components/search/useCombobox";
import { useOpenSearch, useSearch } from "@/components/search/useSearch";
import type { NetworkChoice } from "@/lib/networks";

type Item = { id: string; heading: string } & (
  | { found: SearchItem }
  | { label: string; keys?: readonly string[]; command: Command["target"] | { search: string } }
);

const fieldLabel = "A page, an action, a name, a method, a number, a hash or an address";

/** The group of the last option, whose label says the same. */
const searchHeading = "Search";

/** Rows that are easy to touch. There are no hints for keys below them. */
const touchClass =
  "max-sm:[--around:11.75rem] max-sm:[--row:2.75rem] max-sm:after:-mt-4 [@media(hover:none)_and_(width<68rem)]:[--around:11.75rem] [@media(hover:none)]:[--row:2.75rem] [@media(hover:none)]:after:-mt-4";

/** Checks which actions the page behind the dialog supports. */
function readSurroundings(path: string): Surroundings {
  const tabs = [...document.querySelectorAll<HTMLAnchorElement>("a[data-tab]")].map((tab) => ({
    label: tab.dataset.label ?? tab.textContent ?? "",
    path: new URL(tab.href).pathname,
  }));
  const has = (selector: string) => document.querySelector(selector) !== null;
  return {
    path,
    tabs,
    has: {
      previous: has("[data-previous]"),
      next: has("[data-next]"),
      copy: has("[data-copies]"),
    },
  };
}

/** A page whose name starts with the text is most likely what is wanted. */
const isNamed = (text: string) => (item: Item) =>
  "label" in item && item.label.toLowerCase().startsWith(text.toLowerCase());

export function Palette({
  networks,
  onClose,
  onAction,
}: {
  networks: readonly NetworkChoice[];
  onClose: () => void;
  onAction: (action: KeyAction) => void;
}) {
  const network = useNetwork();
  const router = useRouter();
  const path = usePathname();
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState("");
  const commands = useMemo(() => listCommands(network, networks, readSurroundings(path)), [network, networks, path]);
  const wanted = text.trim();
  const recents = useRecents(network.name);
  const search = useSearch(wanted);
  const openSearch = useOpenSearch();

  const matching = filterCommands(commands, network, wanted).map(
    ({ id, group, label, keys, target }): Item => ({
      id,
      heading: wanted === "" ? groupLabels[group] : "Pages and actions",
      label,
      ...(keys && { keys }),
      command: target,
    }),
  );
  const toFound = (heading: string) => (found: SearchItem) => ({ id: `${heading}${found.path}`, heading, found });
  // Leaves out pages from the search results, because the commands already include them.
  const found = search.items.filter(({ kind }) => kind !== "Page").map(toFound("Results"));
  const items: Item[] =
    wanted === ""
      ? [...recents.map(toFound("Recent")), ...matching]
      : [
          ...(matching.some(isNamed(wanted)) ? [...matching, ...found] : [...found, ...matching]),
          ...search.suggestions.map(toFound("Did you mean")),
          {
            id: "search",
            heading: searchHeading,
            label: `Search for “${wanted}”`,
            command: { search: wanted },
          },
        ];
  const { fieldProps, listProps, toOptionProps, reset, activate } = useCombobox({
    items,
    fieldLabel,
    listLabel: "Commands and results",
    startsAtFirst: true,
    onChoose: (item) => {
      onClose();
      if ("found" in item) {
        addRecent(item.found);
        router.push(item.found.path);
      } else if ("action" in item.command) onAction(item.command.action);
      else if ("search" in item.command) openSearch(item.command.search);
      else {
        addRecent({ kind: "Page", title: item.label, path: item.command.path });
        router.push(item.command.path);
      }
    },
  });

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });

  const words = toWords(wanted);
  const headings = [...new Set(items.map(({ heading }) => heading))];
  return (
    <Dialog title="Commands" onClose={onClose}>
      <div className="border-line border-b p-2">
        <input
          {...fieldProps}
          className="search-field h-10 px-3 text-14"
          data-autofocus
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            reset();
          }}
          placeholder="Page, name, number, hash or address"
        />
      </div>
      {/*
        A list that goes on ends with half a row, because a whole row that fades out would look disabled. A heading is 2rem
        high. The fade overlaps the last row a little, so that there is no blank strip below it.
      */}
      <div
        ref={list}
        {...listProps}
        className={`fading-list max-h-[calc(round(down,min(32rem,100dvh-var(--around))-2rem,var(--row))+2rem+var(--row)/2)] overflow-y-auto px-2 [--around:14.5rem] [--row:2rem] lg:[--around:19.5rem] after:-mt-2 ${touchClass} [&_mark]:bg-transparent [&_mark]:font-semibold`}
      >
        {headings.map((heading) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, as the listbox pattern has it
          <div key={heading} role="group" aria-label={heading}>
            <Heading text={heading} />
            {items
              .filter((item) => item.heading === heading)
              .map((item) => (
                <button
                  {...toOptionProps(item)}
                  key={item.id}
                  className="flex min-h-(--row) w-full items-center gap-3 rounded-md px-3 py-1 text-left aria-selected:bg-lit"
                  onPointerMove={() => activate(item)}
                >
                  <ItemText item={item} words={words} />
                </button>
              ))}
          </div>
        ))}
      </div>
      {search.isComplete && matching.length === 0 && found.length === 0 && (
        <p role="status" className="px-5 pb-3 text-13 text-ink-2">
          No matches. Type the beginning of a hash or address.
        </p>
      )}
      <Hints />
    </Dialog>
  );
}

/** The last group needs none. */
function Heading({ text }: { text: string }) {
  if (text === searchHeading)
    return <hr aria-hidden className="my-1 border-line [:first-child>&]:border-transparent" />;
  return (
    <p aria-hidden className="label px-3 pt-2 pb-1">
      {text}
    </p>
  );
}

const hints = [
  { keys: ["↑", "↓"], label: "Move" },
  { keys: ["Enter"], label: "Open" },
  { keys: ["Esc"], label: "Close" },
];

const Keys = ({ keys }: { keys: readonly string[] }) =>
  keys.map((key) => (
    <kbd key={key} className="key">
      {key}
    </kbd>
  ));

/** Screen readers announce these keys with the list. */
function Hints() {
  return (
    <p
      aria-hidden
      className="flex gap-5 border-line border-t px-5 py-2 text-12 text-ink-3 max-sm:hidden [@media(hover:none)]:hidden"
    >
      {hints.map(({ keys, label }) => (
        <span key={label} className="flex items-center gap-1">
          <Keys keys={keys} />
          <span className="ml-0.5">{label}</span>
        </span>
      ))}
    </p>
  );
}

/** A title that contains the search's words says why it was found. Otherwise, the detail does. */
function ItemText({ item, words }: { item: Item; words: RegExp | undefined }) {
  if ("found" in item) {
    const { title, detail, ...rest } = item.found;
    const isTitleFound = words?.test(title) ?? false;
    return (
      <SearchOption
        item={{
          ...rest,
          title: <Marked text={title} words={words} />,
          detail: detail && <Marked text={detail} words={isTitleFound ? undefined : words} />,
        }}
      />
    );
  }
  return (
    <>
      <span className="min-w-0 flex-1 truncate">
        <Marked text={item.label} words={words} />
      </span>
      {item.keys && (
        <span aria-hidden className="flex gap-1 max-sm:hidden [@media(hover:none)]:hidden">
          <Keys keys={item.keys} />
        </span>
      )}
    </>
  );
}
