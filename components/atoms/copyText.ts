import { announce } from "@/components/layout/announcer";

/** Copies a text and tells screen readers. Resolves to false if the browser denies it. */
export async function copyText(text: string, what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    announce(`Copied ${what}`);
    return true;
  } catch {
    announce("Couldn’t copy: clipboard access was denied");
    return false;
  }
}
