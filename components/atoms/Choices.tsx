/** A row of toggle buttons, at most one of which is pressed. */
export function Choices<Name extends string>({
  names,
  chosen,
  onChoose,
  labels,
  disabled,
}: {
  names: readonly Name[];
  chosen: Name | undefined;
  onChoose: (name: Name) => void;
  /** The buttons' labels. By default, the names of the choices. */
  labels?: Partial<Record<Name, string>>;
  disabled?: Name | undefined;
}) {
  return (
    <span className="segmented">
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
