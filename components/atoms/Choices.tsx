/** A row of toggle buttons, at most one of which is pressed. */
export function Choices<Name extends string>({
  names,
  chosen,
  onChoose,
  labels,
  disabled,
  className = "",
}: {
  names: readonly Name[];
  chosen: Name | undefined;
  onChoose: (name: Name) => void;
  /** The buttons' labels. By default, the names of the choices. */
  labels?: Partial<Record<Name, string>>;
  disabled?: Name | undefined;
  className?: string;
}) {
  return (
    <span className={`segmented ${className}`}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === chosen}
          disabled={name === disabled}
          onClick={() => onChoose(name)}
        >
          {labels?.[name] ?? name}
        </button>
      ))}
    </span>
  );
}
