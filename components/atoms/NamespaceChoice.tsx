/** Chooses one of the methods' namespaces, or all of them. */
export function NamespaceChoice({
  namespaces,
  chosen,
  onChoose,
  className,
}: {
  namespaces: readonly string[];
  /** Empty for all namespaces. */
  chosen: string;
  onChoose: (namespace: string) => void;
  className: string;
}) {
  return (
    <select
      aria-label="Namespace"
      className={`field ${className}`}
      value={chosen}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">All namespaces</option>
      {namespaces.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}
