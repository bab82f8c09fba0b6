"use client";
/**
 * Highlights every occurrence of the identifier under the pointer or focus, with one listener and one style rule for
 * the whole page instead of state in every link.
 */
import { useEffect } from "react";

export function Highlight() {
  useEffect(() => {
    const sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    let lit = "";
    function light(event: Event) {
      const element = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-lit]") : null;
      const id = element?.dataset.lit ?? "";
      if (id === lit || !/^(0x[0-9a-f]+)?$/.test(id)) return;
      lit = id;
      sheet.replaceSync(
        id && `[data-lit="${id}"]{background:var(--lit);box-shadow:0 0 0 3px var(--lit);border-radius:2px}`,
      );
    }
    document.addEventListener("pointerover", light);
    document.addEventListener("focusin", light);
    return () => {
      document.removeEventListener("pointerover", light);
      document.removeEventListener("focusin", light);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((candidate) => candidate !== sheet);
    };
  }, []);
  return null;
}
