/**
 * A catalogue text whose values are elements: the words stay in the catalogue, the links in the page.
 */
import { Fragment, type ReactNode } from "react";
import { toCountWord, toPieces, type Values } from "@/lib/messages/format";

/** `text` is the catalogue's own, so that its values are known by its type. */
export function Text<Message extends string>({ text, values }: { text: Message; values: Values<Message, ReactNode> }) {
  const given = values as Record<string, ReactNode>;
  return toPieces(text).map((piece, index) => {
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
