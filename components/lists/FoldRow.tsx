"use client";
/** A list row of one or two lines, with a button that shows its details below. */
import { type ReactNode, useId, useState } from "react";
import { Icon } from "@/components/atoms/Icon";

export function FoldRow({
  label,
  details,
  startsOpen = false,
  children,
}: {
  /** The button's accessible name, which describes the details that it shows. */
  label: string;
  details: () => ReactNode;
  startsOpen?: boolean;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(startsOpen);
  const id = useId();
  return (
    <li data-row className="border-line border-b px-4 py-2 last:border-b-0">
      <div className="flex items-start gap-x-3">
        <div className="min-w-0 flex-1">{children}</div>
        <button
          type="button"
          className="icon-button my-0!"
          aria-expanded={open}
          aria-controls={id}
          aria-label={label}
          title={label}
          onClick={() => setOpen(!open)}
        >
          <Icon name="down" className={open ? "rotate-180" : ""} />
        </button>
      </div>
      <div id={id} hidden={!open} className="mt-2 mb-2 border-line border-l pl-3">
        {open && details()}
      </div>
    </li>
  );
}
