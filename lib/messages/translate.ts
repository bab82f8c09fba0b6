/**
 * The catalogue lookup. A section's page takes t() from the translate module of that section, which knows its texts and
 * the common ones; a key of another section is a compile error. One language today; a second one is other objects of the
 * same types chosen here and there.
 */
import { commonMessages } from "@/lib/messages/enCommon";
import { formatMessage, type Names, type ValueArguments } from "@/lib/messages/format";

/** Keys of texts that need no values. */
export type PlainKeyOf<Texts extends Record<string, string>> = {
  [Key in keyof Texts & string]: [Names<Texts[Key]>] extends [never] ? Key : never;
}[keyof Texts & string];
export type PlainKey = PlainKeyOf<typeof commonMessages>;

/** Makes the lookup in some texts: the text of a key with its values put in. A missing key or value is a compile error. */
export function createTranslate<const Texts extends Record<string, string>>(texts: Texts) {
  return <Key extends keyof Texts & string>(key: Key, ...values: ValueArguments<Texts[Key], string | number>): string =>
    formatMessage(texts[key] as string, values[0] as Record<string, string | number> | undefined);
}

/** Texts that any page may show. */
export const t = createTranslate(commonMessages);
