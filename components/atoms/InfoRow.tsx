"use client";
/** One fact on a detail page: a label, its value, an optional explanation, and the request that returned the value. */
import { createContext, type ReactNode, useContext } from "react";
import { Hinted } from "@/components/atoms/Hinted";
import { type Request, ShowRequest } from "@/components/atoms/ShowRequest";

const RequestContext = createContext<Request | undefined>(undefined);

/**
 * `request` is the key of the query that the rows' values come from. A row can set a different key. `strip` shows the
 * facts side by side. On wide screens, `columns` shows the rows in two columns: those with `second` are in the second.
 */
export function InfoList({
  label,
  request,
  strip = false,
  columns = false,
  children,
}: {
  label: string;
  request?: Request;
  strip?: boolean;
  columns?: boolean;
  children: ReactNode;
}) {
  return (
    <RequestContext value={request}>
      <dl aria-label={label} className={strip ? "info-strip" : columns ? "info-columns" : undefined}>
        {children}
      </dl>
    </RequestContext>
  );
}

export function InfoRow({
  label,
  hint,
  request,
  aside,
  second = false,
  children,
}: {
  label: string;
  hint?: string;
  request?: Request;
  /** Shown after the value, such as links to related facts. */
  aside?: ReactNode;
  second?: boolean;
  children: ReactNode;
}) {
  const inherited = useContext(RequestContext);
  const asked = request ?? inherited;
  return (
    <div className={`info-row ${second ? "info-second" : ""}`}>
      <dt>
        <Hinted hint={hint}>{label}</Hinted>
        {asked && <ShowRequest request={asked} />}
      </dt>
      <dd>{children}</dd>
      {aside && <dd>{aside}</dd>}
    </div>
  );
}
