"use client";
/**
 * A form for naming an address in this browser. On the address's page, it is a button until the visitor clicks it and
 * the field appears.
 */
import { type FormEvent, useState } from "react";
import { setLocalLabel, useLocalLabels } from "@/components/labels/localLabels";
import { announce } from "@/components/layout/announcer";
import { maxLabelLength } from "@/lib/labels";

export function LabelForm({
  address,
  onClosed,
}: {
  address: string;
  /** Set if the form is open from the start. */
  onClosed?: () => void;
}) {
  const label = useLocalLabels()[address.toLowerCase()];
  const [isOpen, setOpen] = useState(onClosed !== undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);

  function close() {
    setOpen(false);
    onClosed?.();
  }

  function save(text: string) {
    try {
      setLocalLabel(address, text);
      close();
      setFault(undefined);
      announce(text.trim() === "" ? "Label removed" : "Label saved");
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    save(String(new FormData(event.currentTarget).get("label") ?? ""));
  }

  if (!isOpen) {
    return (
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {label === undefined ? "Add a label" : "Edit label"}
      </button>
    );
  }
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={submit}
      onKeyDown={(event) => event.key === "Escape" && close()}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the visitor has just asked for the field
        autoFocus
        className="field w-48 font-sans! text-13!"
        name="label"
        aria-label="Label"
        aria-describedby="label-note"
        autoComplete="off"
        defaultValue={label ?? ""}
        maxLength={maxLabelLength}
        placeholder="Treasury"
      />
      <button type="submit" className="button button-primary">
        Save
      </button>
      {label !== undefined && (
        <button type="button" className="button" onClick={() => save("")}>
          Remove
        </button>
      )}
      <button type="button" className="button" onClick={close}>
        Cancel
      </button>
      <span id="label-note" role="status" className={`text-13 ${fault ? "text-neg" : "text-ink-2"}`}>
        {fault ?? "Saved in this browser only."}
      </span>
    </form>
  );
}
