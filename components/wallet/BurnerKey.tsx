/** Shows the burner account's key, and deletes it on request. The key is in the page's HTML only while it is shown. */
"use client";

import { useState } from "react";
import { useDisconnect } from "wagmi";
import { Snippet } from "@/components/atoms/Snippet";
import { announce } from "@/components/layout/announcer";
import { findBurnerKey, forgetBurnerKey } from "./burnerKey";

/** A button without a border, for everything except the dialog's main action. */
export const quietClass = "min-h-6 shrink-0 font-medium text-13 text-accent underline-offset-3 hover:underline";

export function BurnerKey() {
  const [shown, setShown] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const { mutate: disconnect } = useDisconnect();
  const key = shown ? findBurnerKey() : undefined;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap justify-between gap-x-4 gap-y-1">
        <button type="button" className={quietClass} aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? "Hide private key" : "Show private key"}
        </button>
        <button
          type="button"
          className={`${quietClass} text-neg`}
          aria-expanded={deleting}
          onClick={() => setDeleting(!deleting)}
        >
          Delete this key
        </button>
      </div>
      {key && (
        <>
          <div className="[&_pre]:whitespace-pre-wrap [&_pre]:wrap-anywhere">
            <Snippet code={key} what="private key" />
          </div>
          <p className="text-pretty text-12 text-ink-2">Anyone with this key controls the account.</p>
        </>
      )}
      {deleting && (
        <div className="notice notice-warn flex flex-col items-start gap-2">
          Delete this key permanently? To keep the account, copy the key first.
          <div className="flex gap-2">
            <button
              type="button"
              className="button text-neg"
              onClick={() => {
                forgetBurnerKey();
                disconnect();
                announce("The burner account was deleted");
              }}
            >
              Delete it
            </button>
            <button type="button" className="button" onClick={() => setDeleting(false)}>
              Keep it
            </button>
          </div>
        </div>
      )}
    </div>
  );
}
