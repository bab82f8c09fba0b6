"use client";
/** A quiet button beside an address that opens the form for naming it. The form's code is loaded on the first click. */
import { useState } from "react";
import { useLocalLabels } from "@/components/labels/localLabels";
import { loadedLater, Nothing } from "@/components/layout/loadedLater";

const LabelForm = loadedLater(
  () => import("@/components/labels/LabelForm").then((module) => module.LabelForm),
  Nothing,
);

export function LabelLink({ address }: { address: string }) {
  const label = useLocalLabels()[address.toLowerCase()];
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <LabelForm address={address} onClosed={() => setOpen(false)} />;
  return (
    <button
      type="button"
      className="-my-0.5 min-h-6 whitespace-nowrap text-13 text-accent underline-offset-3 hover:underline"
      onClick={() => setOpen(true)}
    >
      {label === undefined ? "Add a label" : "Edit label"}
    </button>
  );
}
