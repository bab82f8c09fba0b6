/** A transaction's method: the function's name if the node knows it, otherwise its selector. */

export function Method({
  selector,
  name,
  creates,
}: {
  selector: string | null;
  name: string | null;
  creates: boolean;
}) {
  const word = creates ? "create contract" : selector === null ? "transfer" : name;
  const title = word === null || selector === null ? (word ?? selector ?? undefined) : `${word} · ${selector}`;
  return (
    <span className={`method ${word === null ? "font-mono" : ""}`} title={title}>
      {word ?? selector}
    </span>
  );
}
