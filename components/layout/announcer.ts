/** The page's only polite live region. It announces changes that aren't visible on the page, such as "Copied". */
import { createListeners } from "@/lib/createListeners";

let message = "";
const listeners = createListeners();

export function announce(text: string): void {
  // Screen readers repeat a message only if its text changes, so a repeated message gets a no-break space at the end.
  message = message === text ? `${text}\u00a0` : text;
  listeners.announce();
}

export const subscribeAnnouncements = listeners.add;

export function findAnnouncement(): string {
  return message;
}
