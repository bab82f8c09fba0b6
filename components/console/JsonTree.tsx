"use client";
/**
 * JSON as a collapsible tree. Some values have a readable form (a "reading") beside them. Only open nodes and the start
 * of long lists are rendered, so that responses of several megabytes stay usable.
 */
import { createContext, useContext, useState } from "react";
import { Copy } from "@/components/atoms/Copy";
import { type Reading, toReading } from "@/components/console/readings";
import { AppLink } from "@/components/layout/AppLink";
import type { Network } from "@/lib/networks";
import { plural } from "@/lib/plural";

/**
 * The context for interpreting values. If undefined, no readings are shown, for example for a response from another
 * chain.
 */
export type TreeSubject = { network: Network; method: string } | undefined;

const Subject = createContext<TreeSubject>(undefined);

const firstItems = 100;
/** Strings longer than this many characters are truncated, to as many as a hash has. */
const longText = 140;
const shownText = 67;

/**
 * `name` is the root value's type, which determines how the root is interpreted. `depth` is the number of levels that
 * are open at first.
 */
export function JsonTree({
  value,
  name,
  subject,
  depth = 2,
}: {
  value: unknown;
  name: string;
  subject: TreeSubject;
  depth?: number;
}) {
  return (
    <Subject value={subject}>
      <div className="tree relative min-w-0 wrap-anywhere font-mono text-12 leading-5">
        <Node name={name} value={value} depth={depth} />
      </div>
    </Subject>
  );
}

function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** `name` determines how a value is interpreted. `label` is shown before the value. */
type NodeProps<Value> = { name: string; label?: string | undefined; value: Value };

function Node({ name, label, value, depth }: NodeProps<unknown> & { depth: number }) {
  return isBranch(value) ? (
    <Branch name={name} label={label} value={value} depth={depth} />
  ) : (
    <Leaf name={name} label={label} value={value} />
  );
}

function Branch({ name, label, value, depth }: NodeProps<object> & { depth: number }) {
  const [open, setOpen] = useState(depth > 0);
  const [most, setMost] = useState(firstItems);
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label !== undefined && <span className="mr-2 text-ink-2">{label}</span>}
        <span className="text-ink-3">
          {isList
            ? `${entries.length} ${plural(entries.length, "item")}`
            : `${entries.length} ${plural(entries.length, "field")}`}
        </span>
      </summary>
      {open && (
        <ul>
          {entries.slice(0, most).map(([key, item]) => (
            <li key={key}>
              {/*
                A list's items are interpreted based on the list's name. Only expandable items show their index. A single
                item is as open as its list.
              */}
              <Node
                name={isList ? name : key}
                label={!isList || isBranch(item) ? key : undefined}
                value={item}
                depth={isList && entries.length === 1 ? depth : depth - 1}
              />
            </li>
          ))}
          {entries.length > most && (
            <li>
              <button
                type="button"
                className="ml-2 font-sans text-accent underline underline-offset-3"
                onClick={() => setMost(most + 5 * firstItems)}
              >
                Show more ({entries.length - most} left)
              </button>
            </li>
          )}
        </ul>
      )}
    </details>
  );
}

function Leaf({ name, label, value }: NodeProps<unknown>) {
  const subject = useContext(Subject);
  const [whole, setWhole] = useState(false);
  const reading: Reading = subject ? toReading(name, value, subject.network, subject.method) : {};
  const text = JSON.stringify(value) ?? "null";
  const isLong = text.length > longText && !whole;
  const content = <span className={toLeafClass(value)}>{isLong ? `${text.slice(0, shownText)}…` : text}</span>;
  return (
    // The copy button takes no room, because it would often be the only thing on a last line. A long value's other lines
    // are indented, so that names stand out.
    <span className="reveals block pl-4 -indent-4 *:indent-0 max-sm:pr-3 [&_.icon-button]:absolute">
      {label !== undefined && <span className="mr-2 text-ink-2">{label}</span>}
      {reading.href === undefined ? (
        content
      ) : (
        // In the line, so that a long value starts beside its name.
        <AppLink href={reading.href} className="inline text-accent *:text-inherit">
          {content}
        </AppLink>
      )}
      {isLong && (
        <button
          type="button"
          className="ml-2 font-sans text-accent underline underline-offset-3"
          onClick={() => setWhole(true)}
        >
          Show all {typeof value === "string" ? value.length : text.length} characters
        </button>
      )}
      {reading.text !== undefined && (
        <span className="ml-2 inline-block rounded-sm bg-sunken px-1.5 font-sans text-ink-2">{reading.text}</span>
      )}
      {typeof value === "string" && value.length > 40 && <Copy value={value} what={name} />}
    </span>
  );
}

function toLeafClass(value: unknown): string {
  if (value === null) return "text-ink-3";
  return typeof value === "string" ? "text-ink" : "text-code";
}
