"use client";
/** The form that narrows a list. What is wanted is in the page's URL; a fault is shown below the fields. */
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { AppLink } from "@/components/layout/AppLink";

export function FilterForm({
  path,
  action,
  clear,
  fault,
  toPath,
  children,
}: {
  /** The list without a filter. */
  path: string;
  /** The label of the button. */
  action: string;
  /** The label of the link back to the list without a filter; undefined if there is no filter. */
  clear: string | undefined;
  /** Shown if what was typed has no path. */
  fault: string;
  /** The list as the form wants it; undefined if what was typed is invalid. */
  toPath: (form: FormData) => string | undefined;
  children: ReactNode;
}) {
  const router = useRouter();
  const [isBad, setBad] = useState(false);
  return (
    <form
      className="filter-row"
      action={path}
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = toPath(new FormData(event.currentTarget));
        setBad(wanted === undefined);
        if (wanted !== undefined) router.push(wanted);
      }}
    >
      {children}
      <button type="submit" className="button">
        {action}
      </button>
      {clear !== undefined && (
        <AppLink href={path} className="button">
          {clear}
        </AppLink>
      )}
      {isBad && (
        <p role="alert" className="basis-full text-13 text-neg">
          {fault}
        </p>
      )}
    </form>
  );
}
