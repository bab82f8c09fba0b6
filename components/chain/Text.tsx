/**
 * A catalogue text whose values are elements: the words stay in the catalogue, the links in the page.
 */
import { Fragment, type ReactNode } from "react";
import { messages } from "@/lib/messages/en";
import { toCountWord, toPieces, type Values } from "@/lib/messages/format";
import type { MessageKey } from "@/lib/messages/translate";

export function Text<Key extends MessageKey>({
  id,
  values,
}: {
  id: Key;
  values: Values<(typeof messages)[Key], ReactNode>;
}) {
  const given = values as Record<string, ReactNode>;
  return toPieces(messages[id]).map((piece, index) => {
    const content =
      "text" in piece
        ? piece.text
        : piece.one === undefined
          ? given[piece.name]
          : toCountWord(piece, given[piece.name]);
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one constant text never change places
    return <Fragment key={index}>{content}</Fragment>;
  });
}
