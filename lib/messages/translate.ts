/**
 * The catalogue lookup. One language today; a second one is another object of the same type chosen here.
 */
import { messages } from "@/lib/messages/en";
import { formatMessage, type Names, type ValueArguments } from "@/lib/messages/format";

export type MessageKey = keyof typeof messages;
/** Keys of texts that need no values. */
export type PlainKey = {
  [Key in MessageKey]: [Names<(typeof messages)[Key]>] extends [never] ? Key : never;
}[MessageKey];

/** The text of a key with its values put in. A missing key or value is a compile error. */
export function t<Key extends MessageKey>(
  key: Key,
  ...values: ValueArguments<(typeof messages)[Key], string | number>
): string {
  return formatMessage(messages[key], values[0] as Record<string, string | number> | undefined);
}
