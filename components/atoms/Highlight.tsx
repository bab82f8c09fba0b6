"use client";
/**
 * Highlights every occurrence of the identifier under the pointer or focus, and shows a copy button beside that
 * identifier. One listener and one button serve the whole page, so that lists stay light.
 */
import { useEffect, useState } from "react";
import { Copy } from "@/components/atoms/Copy";
import { toChecksumAddress } from "@/lib/address";

type Place = { id: string; left: number; top: number };

const size = 24;

function findIdentifier(target: EventTarget | null): HTMLElement | undefined {
  const found = target instanceof Element ? target.closest<HTMLElement>("[data-lit]") : null;
  return found && /^0x[0-9a-f]+$/.test(found.dataset.lit ?? "") ? found : undefined;
}

const isFocusVisible = (target: EventTarget | null) => target instanceof Element && target.matches(":focus-visible");

/** The copy button's position. Undefined if the identifier already has a copy button. */
function findPlace(element: HTMLElement | undefined): Place | undefined {
  if (!element || element.querySelector("button")) return undefined;
  const { right, top, height } = element.getBoundingClientRect();
  const left = Math.min(right, document.documentElement.clientWidth - size);
  return { id: element.dataset.lit ?? "", left, top: top + (height - size) / 2 };
}

export function Highlight() {
  const [place, setPlace] = useState<Place | undefined>(undefined);
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    let lit = "";
    function light(event: PointerEvent | FocusEvent) {
      if (event.target instanceof Element && event.target.closest("[data-copies-lit]")) return;
      const element = findIdentifier(event.target);
      // A tap also moves the focus, but touch screens show no button, because it would cover the text beside it.
      const isShown = "pointerType" in event ? event.pointerType !== "touch" : isFocusVisible(event.target);
      setPlace(isShown ? findPlace(element) : undefined);
      const id = element?.dataset.lit ?? "";
      if (id === lit) return;
      lit = id;
      sheet.replaceSync(
        id && `[data-lit="${id}"]{background:var(--lit);box-shadow:0 0 0 3px var(--lit);border-radius:2px}`,
      );
    }
    const hide = () => setPlace(undefined);
    document.addEventListener("pointerover", light);
    document.addEventListener("focusin", light);
    document.addEventListener("scroll", hide, { capture: true, passive: true });
    return () => {
      document.removeEventListener("pointerover", light);
      document.removeEventListener("focusin", light);
      document.removeEventListener("scroll", hide, { capture: true });
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((candidate) => candidate !== sheet);
    };
  }, []);
  if (!place) return null;
  const { id, left, top } = place;
  return (
    <span data-copies-lit className="copy-lit" style={{ left, top }}>
      <Copy key={id} value={toChecksumAddress(id)} what={toKind(id)} quiet={false} />
    </span>
  );
}

export function toKind(id: string): string {
  return id.length === 42 ? "address" : "hash";
}
