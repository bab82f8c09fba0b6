"use client";
/**
 * Listens for the keys of keys.ts wherever no text is typed, and holds the dialogs that keys and buttons open.
 */
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { useNetwork } from "@/components/chain/NetworkContext";
import { KeysDialog } from "@/components/layout/KeysDialog";
import { findAction, type KeyAction } from "@/components/layout/keys";
import { RequestsDialog } from "@/components/layout/RequestsDialog";
import { toggleTheme } from "@/components/layout/ThemeToggle";
import { toHomePath, toSectionPath } from "@/lib/links";

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function click(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click();
}

export function Keyboard() {
  const router = useRouter();
  const network = useNetwork();
  const before = useRef<{ key: string; atMs: number } | undefined>(undefined);
  const [dialog, setDialog] = useState<"keys" | "requests" | undefined>(undefined);

  useEffect(() => {
    function run(action: KeyAction) {
      switch (action.kind) {
        case "go":
          return router.push(action.to === "home" ? toHomePath(network.name) : toSectionPath(network.name, action.to));
        case "search":
          return document.querySelector<HTMLInputElement>("[data-search]")?.focus();
        case "theme":
          return toggleTheme();
        case "help":
          return setDialog("keys");
        case "requests":
          return setDialog("requests");
        case "raw":
          return document.querySelector("[data-raw]") ? click("[data-raw]") : setDialog("requests");
        case "tab":
          return click(`[data-tab="${action.index}"]`);
        case "copy":
          return click("[data-copies] button");
        case "pause":
          return click("[data-pause]");
        case "previous":
          return click("[data-previous]");
        case "next":
          return click("[data-next]");
      }
    }
    function onKeyDown(event: KeyboardEvent) {
      // What a tree or list has used for itself is not a shortcut.
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
      if (opens === "keys" || opens === "requests") setDialog(opens);
    }
    document.addEventListener("keydown", onKeyDown);
    document.addEventListener("click", onClick);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      document.removeEventListener("click", onClick);
    };
  }, [router, network.name]);

  const close = () => setDialog(undefined);
  return (
    <>
      {dialog === "keys" && <KeysDialog onClose={close} />}
      {dialog === "requests" && <RequestsDialog onClose={close} />}
    </>
  );
}
