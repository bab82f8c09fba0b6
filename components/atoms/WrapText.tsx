/** A URL, an identifier or a signature. Long ones wrap between their parts, so that a line doesn't break inside a word. */
import { Fragment } from "react";

/**
 * Lines may break after a slash, a comma or an underscore that ends a part, after a question mark, before an
 * ampersand, and between the words of a name in camel case. They don't break inside a number such as 1,000.
 */
const breaks = /(?<=[\w)\]][/_])|(?<=[\w)\]"}],)(?!\d)|(?<=\?)|(?=&)|(?<=[a-z]{2})(?=[A-Z][a-z]{2})/;

export function WrapText({ text }: { text: string }) {
  return text.split(breaks).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
