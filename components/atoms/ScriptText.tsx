/** A line of JavaScript: strings have their own color, and it wraps after an opening parenthesis, not inside a name. */
import { Fragment } from "react";
import { WrapText } from "@/components/atoms/WrapText";

export function ScriptText({ text }: { text: string }) {
  return text.split(/("[^"]*"|\((?!\)))/).map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
    <Fragment key={place}>
      {part.startsWith('"') ? (
        <span className="text-code">
          <WrapText text={part} />
        </span>
      ) : (
        part
      )}
      {part === "(" && <wbr />}
    </Fragment>
  ));
}
