/**
 * The method that a transaction calls, as a chip: the function's name if it is known, otherwise its selector. If it calls
 * no function, a word says what it does. Data that starts with four zero bytes is padding.
 */

const noSelector = "0x00000000";

/** Payments have this word at every width: most lists have no room for the names, which look alike if they are cut. */
export const paymentWord = "payment";
const paymentMethods: ReadonlySet<string | null> = new Set([
  "transferWithAuthorization",
  "receiveWithAuthorization",
  "settle",
  "settleWithPermit",
]);
export const isPaymentMethod = (name: string | null) => paymentMethods.has(name);

export function Method({
  selector,
  name,
  creates,
}: {
  selector: string | null;
  name: string | null;
  creates: boolean;
}) {
  const word = creates ? "deploy" : selector === null ? "send" : !name && selector === noSelector ? "data" : undefined;
  if (word !== undefined) {
    const hint = word === "data" ? "The data starts with zeros instead of a function selector" : undefined;
    return (
      <span className="method" title={hint}>
        {word}
      </span>
    );
  }
  return (
    <span
      // Payments stand out from calls of other functions.
      className={`method ${name ? "" : "font-mono"} ${isPaymentMethod(name) ? "border-accent/50" : ""}`}
      title={[name, selector].filter(Boolean).join(" · ")}
    >
      {isPaymentMethod(name) ? paymentWord : (name ?? selector)}
    </span>
  );
}
