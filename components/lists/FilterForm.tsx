"use client";
/** A form that filters a list. The filter is part of the page's URL. Errors are shown below the fields. */
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
  /** The path of the unfiltered list. */
  path: string;
  /** The submit button's label. */
  action: string;
  /** The label of the link back to the unfiltered list. Undefined if no filter is set. */
  clear: string | undefined;
  /** The error shown if `toPath` returns undefined. */
  fault: string;
  /** Returns the path of the filtered list, or undefined if the input is invalid. */
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
