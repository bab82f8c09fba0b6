"use client";
/**
 * The command palette: one field for every page, action, contract and identifier (a combobox in a dialog), loaded when
 * first opened. It closes before the chosen action runs, so that the action applies to the page and not the dialog.
 */
import { useQuery } from "@tanstack/react-query";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useMemo, useRef, useState } from "react";
import { Dialog } from "@/components/layout/Dialog";
import type { KeyAction } from "@/components/layout/keys";
import { useNetwork, useSource } from "@/components/layout/NetworkContext";
import {
  type Command,
  filterCommands,
  groupLabels,
  listCommands,
  type Surroundings,
} from "@/components/search/commands";
import { resultKinds, toResultPath } from "@/components/search/searchResult";
import { useCombobox } from "@/components/search/useCombobox";
import { findIdentifier, toSearchPath } from "@/lib/links";
import type { NetworkChoice } from "@/lib/networks";
import { searchQuery } from "@/lib/query/queries";

type Item = {
  id: string;
  heading: string;
  label: string;
  kind?: string;
  keys?: readonly string[];
  command: Command["target"];
};

/** Reads from the page behind the dialog which actions it supports. */
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
  const source = useSource();
  const router = useRouter();
  const path = usePathname();
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState("");
  const commands = useMemo(() => listCommands(network, networks, readSurroundings(path)), [network, networks, path]);
  const wanted = text.trim();
  const { data } = useQuery({ ...searchQuery(source, wanted), enabled: findIdentifier(wanted) !== undefined });

  const found: Item[] =
    findIdentifier(wanted) === undefined
      ? []
      : (data?.items ?? []).map((result) => ({
          id: `found ${result.kind}${result.id}`,
          heading: "Found",
          label: result.label || result.id,
          kind: resultKinds[result.kind],
          command: { path: toResultPath(network.name, result) },
        }));
  const matching = filterCommands(commands, wanted).map(
    ({ id, group, label, keys, target }): Item => ({
      id,
      heading: wanted === "" ? groupLabels[group] : "Commands",
      label,
      ...(keys && { keys }),
      command: target,
    }),
  );
  const search: Item[] =
    wanted === ""
      ? []
      : [
          {
            id: "search",
            heading: "Search",
            label: `Search for “${wanted}”`,
            command: { path: toSearchPath(network.name, wanted) },
          },
        ];
  const items = [...found, ...matching, ...search];
  const { fieldProps, listProps, toOptionProps, reset, activate } = useCombobox({
    items,
    fieldLabel: "A page, an action, a block number, a hash or an address",
    listLabel: "Commands and results",
    startsAtFirst: true,
    onChoose: (item) => {
      onClose();
      if ("path" in item.command) router.push(item.command.path);
      else onAction(item.command.action);
    },
  });

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  });

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
          placeholder="A page, an action, a block number, a hash or an address"
        />
      </div>
      <div ref={list} {...listProps} className="max-h-[min(28rem,calc(100dvh-12rem))] overflow-y-auto px-2 pb-2">
        {headings.map((heading) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, as the listbox pattern has it
          <div key={heading} role="group" aria-label={heading}>
            <p aria-hidden className="label px-3 pt-2 pb-1">
              {heading}
            </p>
            {items
              .filter((item) => item.heading === heading)
              .map((item) => (
                <button
                  {...toOptionProps(item)}
                  key={item.id}
                  className="flex min-h-8 w-full items-center gap-3 rounded-md px-3 py-1 text-left aria-selected:bg-lit"
                  onPointerMove={() => activate(item)}
                >
                  {item.kind && <span className="label w-24 shrink-0">{item.kind}</span>}
                  <span className={`min-w-0 flex-1 truncate ${item.kind ? "mono" : ""}`}>{item.label}</span>
                  {item.keys && (
                    <span aria-hidden className="flex gap-1">
                      {item.keys.map((key) => (
                        <kbd key={key} className="key">
                          {key}
                        </kbd>
                      ))}
                    </span>
                  )}
                </button>
              ))}
          </div>
        ))}
      </div>
      {matching.length === 0 && found.length === 0 && (
        <p role="status" className="px-5 pb-3 text-13 text-ink-2">
          No matching commands
        </p>
      )}
    </Dialog>
  );
}
