import { announce } from "@/components/layout/announcer";

/** Copies text and announces the result to screen readers. Resolves to false if the browser denies clipboard access. */
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
