"use client";
/** A button for an action that can't be undone. It says what will be lost and asks for confirmation first. */
import { type ReactNode, useEffect, useId, useRef, useState } from "react";

export function ConfirmedAction({
  label,
  ariaLabel,
  isReady = () => true,
  isMild = false,
  onConfirm,
  ...notice
}: {
  label: string;
  /** The button's label for screen readers, if `label` alone doesn't distinguish it from other buttons. */
  ariaLabel?: string;
  loss: ReactNode;
  confirm: string;
  /** Whether the input is complete. If it isn't, the form reports what is missing. */
  isReady?: () => boolean;
  /** Set if the button is red only after the first click. Pages for reading have such buttons. */
  isMild?: boolean;
  onConfirm: () => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  function close() {
    setAsking(false);
    button.current?.focus();
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`button ${isMild ? "" : "text-neg!"}`}
        aria-label={ariaLabel}
        aria-expanded={isAsking}
        onClick={() => setAsking(!isAsking && isReady())}
      >
        {label}
      </button>
      {isAsking && (
        <LossNotice
          {...notice}
          onConfirm={() => {
            close();
            onConfirm();
          }}
          onCancel={close}
        />
      )}
    </>
  );
}

export function LossNotice({
  loss,
  confirm,
  onConfirm,
  onCancel,
}: {
  /** What the visitor will lose. */
  loss: ReactNode;
  /** The label of the button that performs the action. */
  confirm: string;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  const lossId = useId();
  const notice = useRef<HTMLDivElement>(null);
  // It may open below the window, where nobody would see it.
  useEffect(() => notice.current?.focus(), []);
  return (
    <div ref={notice} tabIndex={-1} className="notice notice-neg basis-full scroll-my-4 flex-col text-13">
      <p id={lossId} role="status">
        {loss}
      </p>
      <div className="flex flex-wrap gap-2">
        <button type="button" className="button border-neg! text-neg!" aria-describedby={lossId} onClick={onConfirm}>
          {confirm}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </div>
  );
}
