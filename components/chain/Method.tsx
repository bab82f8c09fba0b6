/**
 * What a transaction does, in one word: the function's name where we know its selector, else the selector.
 */
import { findFunctionName } from "@/lib/decode/selectors";
import { t } from "@/lib/messages/translate";

export function Method({ selector, creates, title }: { selector: string | null; creates: boolean; title?: string }) {
  const name = creates ? t("method.create") : selector === null ? t("method.transfer") : findFunctionName(selector);
  return (
    <span className={`method ${name === undefined ? "font-mono" : ""}`} title={title ?? name ?? selector ?? undefined}>
      {name ?? selector}
    </span>
  );
}
