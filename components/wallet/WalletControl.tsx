/**
 * The full wallet button and its dialog. The button replaces the plain one when the wallet libraries are loaded, and
 * shows the connected account. The dialog is a popover, so a click outside closes it and still reaches the page.
 */
"use client";

import { type ToggleEvent, useCallback, useEffect, useRef, useState } from "react";
import { useConnection } from "wagmi";
import { Hash } from "@/components/atoms/Hash";
import { Hashmark } from "@/components/atoms/Hashmark";
import { Icon } from "@/components/atoms/Icon";
import { useAddressName, useNetwork } from "@/components/layout/NetworkContext";
import type { PageNetwork } from "@/lib/networks";
import { isWalletBarred } from "./payer";
import { WalletPanel } from "./WalletPanel";
import { WalletProvider } from "./WalletProvider";
import { onWalletDialogWanted } from "./walletUse";

export function WalletControl({ networks }: { networks: readonly [PageNetwork, ...PageNetwork[]] }) {
  return (
    <WalletProvider networks={networks}>
      <WalletDialog />
    </WalletProvider>
  );
}

const dialogId = "wallet-dialog";

/** Opens and closes the dialog, and decides what has the focus afterwards. */
function useWalletDialog() {
  const connection = useConnection();
  const network = useNetwork();
  const dialog = useRef<HTMLDialogElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  const [isOpen, setIsOpen] = useState(false);
  const focusForm = useRef<(() => void) | undefined>(undefined);
  /** The result of `hasFocus` before the dialog closed. */
  const hadFocus = useRef(false);

  const open = useCallback(({ focus }: { focus?: () => void } = {}) => {
    focusForm.current = focus;
    if (!dialog.current?.matches(":popover-open")) dialog.current?.showPopover();
  }, []);
  useEffect(() => onWalletDialogWanted(open), [open]);

  const isReady =
    connection.status === "connected" && connection.chainId === network.chainId && !isWalletBarred(connection, network);
  useEffect(() => {
    if (isOpen && isReady && focusForm.current) dialog.current?.hidePopover();
  }, [isOpen, isReady]);

  /** Whether the dialog has the focus, or nothing has it. */
  function hasFocus(): boolean {
    const { activeElement } = document;
    return activeElement === document.body || dialog.current?.contains(activeElement) === true;
  }

  function onBeforeToggle({ newState }: ToggleEvent): void {
    if (newState === "open") {
      // Just below the header, so that the dialog covers no line of it in part.
      const { bottom = 0 } = button.current?.closest("header")?.getBoundingClientRect() ?? {};
      dialog.current?.style.setProperty("--top", `${Math.max(0, bottom) + 4}px`);
    } else {
      hadFocus.current = hasFocus();
    }
  }

  /**
   * Moves the focus to the form that asked for the connection. If no form did, moves it to the wallet button, because
   * the button that opened the dialog may have been replaced. A click outside has already moved it.
   */
  function keepFocus(): void {
    const focus = focusForm.current;
    focusForm.current = undefined;
    if (focus && isReady) focus();
    else if (hadFocus.current && hasFocus()) button.current?.focus({ preventScroll: true });
  }

  function onToggle({ newState }: ToggleEvent): void {
    setIsOpen(newState === "open");
    if (newState === "closed") keepFocus();
  }

  return { dialog, button, isOpen, onBeforeToggle, onToggle };
}

function WalletDialog() {
  const { address } = useConnection();
  const known = useAddressName(address ?? "");
  const { dialog, button, isOpen, onBeforeToggle, onToggle } = useWalletDialog();
  return (
    <>
      <button ref={button} type="button" className="button" aria-haspopup="dialog" popoverTarget={dialogId}>
        {address ? (
          <>
            <span className="sr-only">Wallet</span>
            <Hashmark kind="account" id={address} />
            {/* The narrowest phones have no room for it. */}
            <span className="inline-flex min-w-0 max-[24rem]:hidden">
              {known?.kind === "label" ? (
                <span className="max-w-32 truncate" title={address}>
                  {known.name}
                </span>
              ) : (
                <Hash value={address} short />
              )}
            </span>
          </>
        ) : (
          <span>
            Connect<span className="max-sm:sr-only"> wallet</span>
          </span>
        )}
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: clicking on a link closes; the popover closes on Escape */}
      <dialog
        ref={dialog}
        id={dialogId}
        popover="auto"
        // Aligns the dialog's right edge with the page's (40rem and 50.5rem = half of .page-width without its padding).
        className="mt-(--top) mr-[max(1.5rem,50%-40rem)] 2xl:mr-[max(1.5rem,50%-50.5rem)] mb-auto ml-auto max-h-[calc(100dvh-var(--top)-0.5rem)] w-[min(26rem,calc(100vw-2rem))] overflow-auto rounded-lg border border-float bg-surface text-ink shadow-float max-sm:mx-auto"
        aria-labelledby="wallet-title"
        onBeforeToggle={onBeforeToggle}
        onToggle={onToggle}
        onClick={({ target }) => {
          if (target instanceof Element && target.closest("a")) dialog.current?.hidePopover();
        }}
      >
        <div className="flex items-center justify-between gap-4 border-line border-b px-4 py-2">
          <h2 id="wallet-title" className="text-14 font-semibold">
            {address ? "Wallet" : "Connect a wallet"}
          </h2>
          <button
            type="button"
            className="icon-button"
            aria-label="Close"
            popoverTarget={dialogId}
            popoverTargetAction="hide"
          >
            <Icon name="cross" />
          </button>
        </div>
        {/* Rendered only while open, so that a closed dialog sends no requests and holds no key. */}
        {isOpen && <WalletPanel />}
      </dialog>
    </>
  );
}
