/**
 * The method that a transaction calls, as a chip: the function's name if it is known, otherwise its selector. A
 * transaction that calls no function has a plain word instead. Data that starts with four zero bytes is padding.
 */

const noSelector = "0x00000000";

/** Where a long name would be cut, payments have this word instead: a cut name looks the same in every row. */
const shortNames: Record<string, string> = {
  transferWithAuthorization: "payment",
  receiveWithAuthorization: "payment",
};

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
      : !name && selector === noSelector
        ? "Data"
        : undefined;
  if (word !== undefined) {
    const hint = word === "Data" ? "The data starts with zeros instead of a function selector" : undefined;
    return (
      <span className="text-ink-2" title={hint}>
        {word}
      </span>
    );
  }
  const short = name ? shortNames[name] : undefined;
  return (
    <span className={`method ${name ? "" : "font-mono"}`} title={[name, selector].filter(Boolean).join(" · ")}>
      {short === undefined ? (
        (name ?? selector)
      ) : (
        <>
          <span className="max-xl:hidden">{name}</span>
          <span className="xl:hidden">{short}</span>
        </>
      )}
    </span>
  );
}
