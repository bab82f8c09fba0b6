"use client";
/**
 * Handles the shortcuts from keys.ts unless the user is typing, and contains the dialogs. A shortcut and its command in
 * the palette run the same function.
 */
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { copyText } from "@/components/atoms/copyText";
import { toKind } from "@/components/atoms/Highlight";
import { findAction, type KeyAction } from "@/components/layout/keys";
import { loadedLater, Nothing } from "@/components/layout/loadedLater";
import { useNetwork } from "@/components/layout/NetworkContext";
import { toggleTheme } from "@/components/layout/ThemeToggle";
import { focusRow } from "@/components/lists/rows";
import { toChecksumAddress } from "@/lib/address";
import { toHomePath, toSectionPath } from "@/lib/links";
import type { NetworkChoice } from "@/lib/networks";

/** A dialog's code is loaded when it is first opened. */
const KeysDialog = loadedLater(() => import("./KeysDialog").then((module) => module.KeysDialog), Nothing);
const Palette = loadedLater(() => import("@/components/search/Palette").then((module) => module.Palette), Nothing);
const LabelsDialog = loadedLater(
  () => import("@/components/labels/LabelsDialog").then((module) => module.LabelsDialog),
  Nothing,
);
const RequestsDialog = loadedLater(() => import("./RequestsDialog").then((module) => module.RequestsDialog), Nothing);

type DialogName = "keys" | "labels" | "requests" | "palette";
const dialogNames: readonly string[] = ["keys", "labels", "requests", "palette"] satisfies DialogName[];

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function click(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click();
}

/** Copies the focused identifier. Returns false if no identifier has the focus. */
function copyFocused(): boolean {
  const id = document.activeElement?.closest<HTMLElement>("[data-lit]")?.dataset.lit;
  if (id) void copyText(toChecksumAddress(id), toKind(id));
  return id !== undefined;
}

export function Keyboard({ networks }: { networks: readonly NetworkChoice[] }) {
  const router = useRouter();
  const network = useNetwork();
  const before = useRef<{ key: string; atMs: number } | undefined>(undefined);
  const [dialog, setDialog] = useState<DialogName | undefined>(undefined);
  /**
   * If the requests dialog was opened from a value, this is the query key, as JSON, of the request that returned it.
   * Otherwise undefined.
   */
  const [wanted, setWanted] = useState<string | undefined>(undefined);

  const run = useCallback(
    (action: KeyAction) => {
      switch (action.kind) {
        case "go":
          return router.push(action.to === "home" ? toHomePath(network.name) : toSectionPath(network.name, action.to));
        case "palette":
          return setDialog("palette");
        case "rowBelow":
          return focusRow(1);
        case "rowAbove":
          return focusRow(-1);
        case "search":
          // An open menu would cover the results.
          document.querySelector<HTMLElement>("[popover]:popover-open")?.hidePopover();
          return document.querySelector<HTMLInputElement>("[data-search]")?.focus();
        case "theme":
          return toggleTheme();
        case "help":
          return setDialog("keys");
        case "requests":
          return setDialog("requests");
        case "labels":
          return setDialog("labels");
        case "raw":
          return document.querySelector("[data-raw]") ? click("[data-raw]") : setDialog("requests");
        case "tab":
          return click(`[data-tab="${action.index}"]`);
        case "copy":
          return copyFocused() || click("[data-copies] button");
        case "pause":
          return click("[data-pause]");
        case "previous":
          return click("[data-previous]");
        case "next":
          return click("[data-next]");
      }
    },
    [router, network.name],
  );

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        if (!document.querySelector("dialog[open]")) setDialog("palette");
        return;
      }
      // A key that a tree or list has already handled is not a shortcut.
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      const recent = before.current && performance.now() - before.current.atMs < 1500 ? before.current.key : undefined;
      before.current = { key: event.key, atMs: performance.now() };
      const action = findAction(event.key, recent);
      if (action === undefined) return;
      event.preventDefault();
      before.current = undefined;
      run(action);
    }
    function onClick(event: MouseEvent) {
      const opener = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-opens]") : null;
      const opens = opener?.dataset.opens;
      if (opener) setWanted(opener.dataset.request);
      if (opens && dialogNames.includes(opens)) setDialog(opens as DialogName);
    }
    document.addEventListener("keydown", onKeyDown);
    document.addEventListener("click", onClick);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      document.removeEventListener("click", onClick);
    };
  }, [run]);

  const close = () => {
    setDialog(undefined);
    setWanted(undefined);
  };
  // Runs the command after the dialog has closed, so that the command applies to the page.
  const runLater = (action: KeyAction) => setTimeout(() => run(action));
  return (
    <>
      {dialog === "keys" && <KeysDialog onClose={close} />}
      {dialog === "palette" && <Palette networks={networks} onClose={close} onAction={runLater} />}
      {dialog === "labels" && <LabelsDialog onClose={close} />}
      {dialog === "requests" && <RequestsDialog wanted={wanted} onClose={close} />}
    </>
  );
}
