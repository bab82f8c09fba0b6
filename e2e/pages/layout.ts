/** Finds layout faults on a page at its current width by measuring the displayed text. */
import type { Page } from "@playwright/test";

/** Lists pairs of texts that overlap, hashes that are too narrow to read, and texts whose start or end is cut off. */
export function listLayoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Box = { text: string; node: Node; left: number; right: number; top: number; bottom: number };
    const clips = new Map<Element, DOMRect | undefined>();
    /** The rectangle that an element's ancestors clip it to. Undefined if they don't clip it. */
    const findClip = (element: Element): DOMRect | undefined => {
      if (clips.has(element)) return clips.get(element);
      const parent = element.parentElement;
      const outer = parent ? findClip(parent) : undefined;
      const { overflowX, overflowY } = getComputedStyle(element);
      const clipsHere = element !== document.body && element !== document.documentElement;
      let clip = outer;
      if (clipsHere && (overflowX !== "visible" || overflowY !== "visible")) {
        const box = element.getBoundingClientRect();
        const left = Math.max(box.left, outer?.left ?? box.left);
        const top = Math.max(box.top, outer?.top ?? box.top);
        const right = Math.min(box.right, outer?.right ?? box.right);
        const bottom = Math.min(box.bottom, outer?.bottom ?? box.bottom);
        clip = new DOMRect(left, top, Math.max(right - left, 0), Math.max(bottom - top, 0));
      }
      clips.set(element, clip);
      return clip;
    };
    /**
     * Where an element's ancestors cut off its text without a scrollbar, and at the end without an ellipsis if
     * `unmarked`. An ellipsis never marks the start.
     */
    const findCut = (element: Element, unmarked: boolean): { start: number; end: number } => {
      for (let each: Element | null = element; each && each !== document.body; each = each.parentElement) {
        const { overflowX, textOverflow, maskImage } = getComputedStyle(each);
        if (overflowX === "visible") continue;
        const isMarked = unmarked && (textOverflow === "ellipsis" || maskImage !== "none");
        const { left, right, width } = each.getBoundingClientRect();
        if (/auto|scroll/.test(overflowX) || width <= 1) break;
        return { start: left, end: isMarked ? Infinity : right };
      }
      return { start: -Infinity, end: Infinity };
    };
    /**
     * The nearest sticky ancestor. Texts with different sticky ancestors may overlap, because a sticky heading is meant
     * to cover the rows that scroll under it, including the cells in a sticky column.
     */
    const findSticky = (node: Node) => {
      for (let element = node.parentElement; element; element = element.parentElement) {
        if (getComputedStyle(element).position === "sticky") return element;
      }
      return undefined;
    };
    const boxes: Box[] = [];
    const cuts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim();
      if (!parent || !text || parent.closest("script, style, svg, .sr-only")) continue;
      if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const clip = findClip(parent);
      const cut = findCut(parent, true);
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        if (rect.right > cut.end + 1 && rect.left < cut.end)
          cuts.push(
            `"${text}" is cut off after ${Math.round(cut.end - rect.left)} of ${Math.round(rect.width)} pixels`,
          );
        if (rect.left < cut.start - 1 && rect.right > cut.start)
          cuts.push(
            `"${text}" lacks its first ${Math.round(cut.start - rect.left)} of ${Math.round(rect.width)} pixels`,
          );
        // A line's box is taller than its letters. If lines are closely spaced, their boxes can overlap even if the
        // letters don't.
        const slack = rect.height * 0.2;
        const left = Math.max(rect.left, clip?.left ?? rect.left);
        const right = Math.min(rect.right, clip?.right ?? rect.right);
        const top = Math.max(rect.top + slack, clip?.top ?? rect.top);
        const bottom = Math.min(rect.bottom - slack, clip?.bottom ?? rect.bottom);
        if (right - left > 1 && bottom - top > 1 && bottom + scrollY > 0) {
          boxes.push({ text, node, left, right, top, bottom });
        }
      }
    }
    boxes.sort((one, other) => one.top - other.top);
    const faults: string[] = [...cuts];
    boxes.forEach((one, at) => {
      for (let next = at + 1; next < boxes.length && boxes[next]!.top < one.bottom - 1; next++) {
        const other = boxes[next]!;
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        if (one.node === other.node || across <= 1 || findSticky(one.node) !== findSticky(other.node)) continue;
        faults.push(`"${one.text}" covers "${other.text}"`);
      }
    });
    for (const hash of document.querySelectorAll<HTMLElement>(".hash")) {
      // The narrowest phones have no room for two hashes beside a value.
      if (innerWidth < 360) break;
      const width = hash.getBoundingClientRect().width;
      const end = hash.lastElementChild;
      if (end?.checkVisibility() && end.getBoundingClientRect().right > findCut(end, false).end + 1) {
        faults.push(`"${hash.textContent}" has lost its last digits`);
      }
      if (hash.checkVisibility() && width > 0 && width < 48 && (hash.title || hash.textContent || "").length > 10) {
        faults.push(`"${hash.textContent}" is only ${Math.round(width)} pixels wide`);
      }
    }
    return [...new Set(faults)];
  });
}
