"use client";
/**
 * Pauses a live list while someone reads it. As long as the pointer or the focus is inside the list, its rows don't
 * change, and a count shows how many new rows are waiting.
 */
import { type FocusEvent, useRef, useState } from "react";

export type Held<Item> = {
  shown: Item[];
  /** The number of newer items that are not shown yet. */
  waiting: number;
  /** Whether the latest update added this item. */
  isNew: (item: Item) => boolean;
  release: () => void;
  /** Event handlers for the element around the list. */
  surroundings: {
    onPointerEnter: () => void;
    onPointerLeave: () => void;
    onFocus: () => void;
    onBlur: (event: FocusEvent) => void;
  };
};

export function useHeld<Item>(items: Item[], getKey: (item: Item) => string): Held<Item> {
  const [held, setHeld] = useState<Item[] | undefined>(undefined);
  const pointerInside = useRef(false);
  const focusInside = useRef(false);

  const update = () =>
    setHeld((before) => (pointerInside.current || focusInside.current ? (before ?? items) : undefined));
  // An empty list has no rows to keep in place, so its first rows appear at once.
  if (held?.length === 0 && items.length > 0) setHeld(items);
  const shown = held ?? items;
  const [seen, setSeen] = useState(() => ({ shown, keys: new Set(shown.map(getKey)), fresh: new Set<string>() }));
  if (seen.shown !== shown) {
    const keys = shown.map(getKey);
    const fresh = keys.filter((key) => !seen.keys.has(key));
    // If all rows are new, the list shows another page or its first data, so no row is highlighted.
    setSeen({ shown, keys: new Set(keys), fresh: new Set(fresh.length < keys.length ? fresh : []) });
  }
  const shownKeys = held === undefined ? undefined : new Set(held.map(getKey));
  const waiting = shownKeys === undefined ? 0 : items.filter((item) => !shownKeys.has(getKey(item))).length;

  return {
    shown,
    waiting,
    isNew: (item) => seen.fresh.has(getKey(item)),
    release: () => setHeld(items),
    surroundings: {
      onPointerEnter: () => {
        pointerInside.current = true;
        update();
      },
      onPointerLeave: () => {
        pointerInside.current = false;
        update();
      },
      onFocus: () => {
        focusInside.current = true;
        update();
      },
      onBlur: (event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        focusInside.current = false;
        update();
      },
    },
  };
}
