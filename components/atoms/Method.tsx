/**
 * The method that a transaction calls: the function's name if it is known, otherwise its selector. Data that starts
 * with four zero bytes is padding and calls no function.
 */

const noSelector = "0x00000000";

export function Method({
  selector,
  name,
  creates,
}: {
  selector: string | null;
  name: string | null;
  creates: boolean;
}) {
  const word = creates
    ? "Deploy"
    : selector === null
      ? "Transfer"
      : (name ?? (selector === noSelector ? "Data" : null));
  const title =
    word === "Data"
      ? "The data starts with zeros instead of a function selector"
      : [word, selector].filter(Boolean).join(" · ");
  return (
    <span className={`method ${word === null ? "font-mono" : ""}`} title={title}>
      {word ?? selector}
    </span>
  );
}
