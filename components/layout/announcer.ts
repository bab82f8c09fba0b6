/**
 * One polite live region for the whole page. Whatever happens without a change in view ("Copied") is said here once.
 */
type Listener = () => void;

let message = "";
const listeners = new Set<Listener>();

export function announce(text: string): void {
  // The same words twice are read out again only when the region's text changes: a no-break space makes it change.
  message = message === text ? `${text}\u00a0` : text;
  for (const listener of listeners) listener();
}

export function subscribeAnnouncements(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function findAnnouncement(): string {
  return message;
}
