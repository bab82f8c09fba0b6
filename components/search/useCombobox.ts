/**
 * Implements the combobox pattern from the ARIA Authoring Practices: the field keeps the focus, the arrow keys move
 * through the options, and Enter chooses one. The caller owns the text and the options.
 */
import { type KeyboardEvent, useId, useState } from "react";

type Combobox<Item> = {
  items: readonly Item[];
  /** The accessible name of the field and the list. */
  fieldLabel: string;
  listLabel: string;
  /** Whether the first option is active before an arrow key is pressed. */
  startsAtFirst?: boolean;
  onChoose: (item: Item) => void;
};

export function useCombobox<Item>({ items, fieldLabel, listLabel, startsAtFirst = false, onChoose }: Combobox<Item>) {
  const listId = useId();
  const start = startsAtFirst ? 0 : -1;
  const [wanted, setActive] = useState(start);
  const active = Math.min(wanted, items.length - 1);
  const chosen = items[active];

  function onKeyDown(event: KeyboardEvent) {
    const next = findNextOption(event.key, active, items.length);
    if (next !== undefined) setActive(next);
    else if (event.key === "Enter" && chosen !== undefined && !event.nativeEvent.isComposing) onChoose(chosen);
    else return;
    event.preventDefault();
  }

  return {
    /** Call this when the text and its options change. */
    reset: () => setActive(start),
    activate: (item: Item) => setActive(items.indexOf(item)),
    fieldProps: {
      onKeyDown,
      role: "combobox",
      "aria-label": fieldLabel,
      "aria-expanded": items.length > 0,
      "aria-controls": listId,
      "aria-autocomplete": "list",
      "aria-activedescendant": chosen === undefined ? undefined : `${listId}-${active}`,
      autoComplete: "off",
      autoCapitalize: "off",
      autoCorrect: "off",
      spellCheck: false,
      maxLength: 200,
    } as const,
    listProps: { id: listId, role: "listbox", "aria-label": listLabel } as const,
    toOptionProps: (item: Item) => {
      const index = items.indexOf(item);
      return {
        id: `${listId}-${index}`,
        type: "button",
        role: "option",
        tabIndex: -1,
        "aria-selected": index === active,
        // Keeps the focus in the field, because a blur would close the list before the click.
        onMouseDown: (event: { preventDefault: () => void }) => event.preventDefault(),
        onClick: () => onChoose(item),
      } as const;
    },
  };
}

/**
 * Returns the option that a key moves to, wrapping around at both ends. `active` is -1 if no option is active. Returns
 * undefined for other keys and for an empty list.
 */
export function findNextOption(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === "ArrowDown") return active >= count - 1 ? 0 : active + 1;
  if (key === "ArrowUp") return active <= 0 ? count - 1 : active - 1;
  return undefined;
}
