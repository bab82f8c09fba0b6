/**
 * One polite live region for the whole page. Changes that are not visible in the page ("Copied") are announced here
 * once.
 */
import { createListeners } from "@/lib/createListeners";

let message = "";
const listeners = createListeners();

export function announce(text: string): void {
  // Screen readers repeat a message only if the region's text changes, so a no-break space is appended to it.
  message = message === text ? `${text}\u00a0` : text;
  listeners.announce();
}

export const subscribeAnnouncements = listeners.add;

export function findAnnouncement(): string {
  return message;
}
