"use client";
/**
 * A modal dialog built on the native <dialog> element. It traps focus while it is open and restores focus afterwards.
 * Escape or a click on the backdrop closes it.
 */
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Icon } from "@/components/atoms/Icon";

export function Dialog({
  title,
  onClose,
  wide = false,
  children,
}: {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ReactNode;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    // The cleanup doesn't close the dialog, because that would call onClose.
    const before = document.activeElement;
    const dialog = element.current;
    if (!dialog?.open) dialog?.showModal();
    dialog?.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => {
      // The browser doesn't restore focus if the dialog is removed from the document.
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the native element closes on Escape
    <dialog
      ref={element}
      aria-labelledby={titleId}
      // Starts above the header's links or below the whole header, so that its edge doesn't cut a line of text.
      className={`mx-auto mt-9 max-h-[min(44rem,calc(100dvh-4.5rem))] lg:mt-[min(17dvh,8.5rem)] lg:max-h-[min(44rem,calc(83dvh-1rem))] ${wide ? "w-[min(56rem,calc(100vw-2rem))]" : "w-[min(40rem,calc(100vw-2rem))]"} overflow-y-auto rounded-lg border border-float bg-surface text-ink shadow-float backdrop:bg-[var(--shadow)]`}
      onClose={onClose}
      // Closes at once instead of waiting for the native close event, because reopening the dialog before that event
      // would fail.
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
