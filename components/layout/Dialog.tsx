"use client";
/**
 * A modal dialog on the native element: focus is kept inside and given back, Escape and the backdrop close it.
 */
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Icon } from "@/components/atoms/Icon";

export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    // Not closed on the way out: the element goes with the component, and closing it would tell onClose.
    const before = document.activeElement;
    const dialog = element.current;
    if (!dialog?.open) dialog?.showModal();
    dialog?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => {
      // Of an element that is taken out of the document, the browser gives no focus back.
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way, and the element has it built in
    <dialog
      ref={element}
      aria-labelledby={titleId}
      className="dialog"
      onClose={onClose}
      // The element's own closing tells of it later; until then, opening it again would be lost.
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === element.current && onClose()}
    >
      <div className="sheet-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" onClick={onClose} aria-label="Close" className="icon-button size-8">
          <Icon name="cross" />
        </button>
      </div>
      {children}
    </dialog>
  );
}
