/**
 * One polite live region for the whole page. Whatever happens without a change in view ("Copied") is said here once.
 */
import { createListeners } from "@/lib/createListeners";

let message = "";
const listeners = createListeners();

export function announce(text: string): void {
  // The same words twice are read out again only when the region's text changes: a no-break space makes it change.
  message = message === text ? `${text}\u00a0` : text;
  listeners.announce();
}

export const subscribeAnnouncements = listeners.add;

export function findAnnouncement(): string {
  return message;
}
