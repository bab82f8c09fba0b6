"use client";
/**
 * The form field for one value: text, choice, number, list, object, map or JSON. The parent component holds the parsed
 * value. The field keeps showing the typed text as long as the text parses to that value.
 */
import { type ReactNode, useId, useState } from "react";
import { Icon } from "@/components/atoms/Icon";
import { readFieldText, toEmptyValue, toFieldText, withEntry } from "@/components/console/fieldValue";
import type { Entry, Field } from "@/lib/rpc/schema/field";

type Props<F extends Field = Field> = {
  field: F;
  /** The label, including the type. */
  name: string;
  required: boolean;
  value: unknown;
  /** Called with the new value, or with undefined to omit the value. */
  onChange: (value: unknown) => void;
};

/** What to type for a block, which the schema only calls "block or object". */
const blockType = "block number, tag or hash";
/** Suggestions for a block parameter. */
const blockTags = ["latest", "safe", "finalized", "earliest", "pending"];

export function FieldInput(props: Props) {
  const { field } = props;
  switch (field.kind) {
    case "text":
    case "number":
    case "json":
      return <TextInput {...props} field={field} />;
    case "choice":
      return <ChoiceInput {...props} choices={field.choices} type={field.type} toValue={(text) => text} />;
    case "boolean":
      return (
        <ChoiceInput {...props} choices={["true", "false"]} type={field.type} toValue={(text) => text === "true"} />
      );
    case "object":
      return <ObjectInput {...props} field={field} />;
    case "list":
      return <ListInput {...props} field={field} />;
    case "map":
      return <MapInput {...props} field={field} />;
  }
}

function FieldName({ name, type, required }: { name: string; type: string; required: boolean }) {
  return (
    <>
      <span className="mono text-ink">{name}</span> <span>{type}</span>
      {!required && <span> optional</span>}
    </>
  );
}

function Group({ children, ...shown }: { name: string; type: string; required: boolean; children: ReactNode }) {
  return (
    <fieldset className="param-group">
      <legend className="param-label">
        <FieldName {...shown} />
      </legend>
      {children}
    </fieldset>
  );
}

function FieldLabel({ id, ...shown }: { id: string; name: string; type: string; required: boolean }) {
  return (
    <label htmlFor={id} className="param-label">
      <FieldName {...shown} />
    </label>
  );
}

function TextInput({ field, name, required, value, onChange }: Props<Field & { kind: "text" | "number" | "json" }>) {
  const id = useId();
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const shown = toFieldText(field, value);
  const read = typed === undefined ? undefined : readFieldText(field, typed);
  // If the value is changed elsewhere, the new value replaces the typed text.
  const isCurrent = read !== undefined && ("fault" in read || toFieldText(field, read.value) === shown);
  const text = isCurrent && typed !== undefined ? typed : shown;
  const fault = isCurrent && read !== undefined && "fault" in read;
  const change = (next: string) => {
    setTyped(next);
    const given = readFieldText(field, next);
    if (!("fault" in given)) onChange(given.value);
  };
  const hint = field.kind === "text" ? field.hint : undefined;
  const isBlock = field.kind === "text" && field.type.startsWith("block");
  const shared = {
    id,
    value: text,
    autoComplete: "off",
    spellCheck: false,
    "aria-invalid": fault,
    ...(hint !== undefined && { "aria-describedby": `${id}-hint` }),
  };
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-0.5">
      <FieldLabel id={id} name={name} type={isBlock ? blockType : field.type} required={required} />
      {field.kind === "json" ? (
        <textarea {...shared} rows={4} className="field w-full" onChange={(event) => change(event.target.value)} />
      ) : (
        <input
          {...shared}
          type="text"
          inputMode={field.kind === "number" ? "numeric" : "text"}
          list={isBlock ? `${id}-tags` : undefined}
          className="field w-full"
          onChange={(event) => change(event.target.value)}
        />
      )}
      {isBlock && (
        <datalist id={`${id}-tags`}>
          {blockTags.map((tag) => (
            <option key={tag} value={tag} />
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="param-hint">
          {hint}
        </p>
      )}
      {fault && <p className="param-hint text-neg">Invalid JSON</p>}
    </div>
  );
}

function ChoiceInput({
  name,
  type,
  required,
  value,
  onChange,
  choices,
  toValue,
}: Omit<Props, "field"> & { type: string; choices: string[]; toValue: (text: string) => unknown }) {
  const id = useId();
  const text = value === undefined || value === null ? "" : String(value);
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-0.5">
      <FieldLabel id={id} name={name} type={type} required={required} />
      <select
        id={id}
        className="field w-full"
        value={text}
        onChange={(event) => onChange(event.target.value === "" ? undefined : toValue(event.target.value))}
      >
        {(!required || text === "") && <option value="">omitted</option>}
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
        {text !== "" && !choices.includes(text) && <option>{text}</option>}
      </select>
    </div>
  );
}

/** How many of an object's fields are shown initially. The user adds more with a menu. */
const shownAtOnce = 4;

function ObjectInput({ field, name, required, value, onChange }: Props<Field & { kind: "object" }>) {
  const id = useId();
  const [opened, setOpened] = useState<readonly string[]>([]);
  const object = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  const isShown = (entry: Entry) =>
    field.entries.length <= shownAtOnce ||
    entry.required ||
    object[entry.name] !== undefined ||
    opened.includes(entry.name);
  const rest = field.entries.filter((entry) => !isShown(entry));
  return (
    <Group name={name} type={field.type} required={required}>
      {field.entries.filter(isShown).map((entry) => (
        <FieldInput
          key={entry.name}
          field={entry.field}
          name={entry.name}
          required={entry.required}
          value={object[entry.name]}
          onChange={(next) => onChange(withEntry(object, entry.name, next, required))}
        />
      ))}
      {rest.length > 0 && (
        <div className="self-start">
          <label htmlFor={id} className="sr-only">
            Add a field to {name}
          </label>
          <select
            id={id}
            className="field w-full"
            value=""
            onChange={(event) => setOpened([...opened, event.target.value])}
          >
            <option value="">Add a field…</option>
            {rest.map((entry) => (
              <option key={entry.name} value={entry.name}>
                {entry.name}
              </option>
            ))}
          </select>
        </div>
      )}
    </Group>
  );
}

function RemoveButton({ name, onClick }: { name: string; onClick: () => void }) {
  const label = `Remove ${name}`;
  return (
    <button type="button" className="icon-button mt-6" aria-label={label} title={label} onClick={onClick}>
      <Icon name="cross" />
    </button>
  );
}

function ListInput({ field, name, required, value, onChange }: Props<Field & { kind: "list" }>) {
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  return (
    <Group name={name} type={field.type} required={required}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item has no identity but its index
        <div key={index} className="flex min-w-0 items-start gap-1 *:first:flex-1">
          <FieldInput
            field={field.item}
            name={String(index)}
            required
            value={item}
            onChange={(next) => onChange(items.with(index, next ?? null))}
          />
          <RemoveButton
            name={`${name} ${index}`}
            onClick={() => {
              const rest = items.filter((_, other) => other !== index);
              onChange(rest.length === 0 && !required ? undefined : rest);
            }}
          />
        </div>
      ))}
      <button
        type="button"
        className="button self-start text-ink-2"
        onClick={() => onChange([...items, toEmptyValue(field.item)])}
      >
        Add to {name}
      </button>
    </Group>
  );
}

function MapInput({ field, name, required, value, onChange }: Props<Field & { kind: "map" }>) {
  const pairs = Object.entries(typeof value === "object" && value !== null ? value : {}) as [string, unknown][];
  const set = (next: [string, unknown][]) =>
    onChange(next.length === 0 && !required ? undefined : Object.fromEntries(next));
  return (
    <Group name={name} type={field.type} required={required}>
      {pairs.map(([key, item], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the key is what is being typed
        <div key={index} className="flex min-w-0 items-start gap-1 *:first:flex-1">
          <div className="param-group">
            <FieldInput
              field={{ kind: "text", type: field.key }}
              name="key"
              required
              value={key}
              onChange={(next) => set(pairs.with(index, [String(next ?? ""), item]))}
            />
            <FieldInput
              field={field.value}
              name="value"
              required
              value={item}
              onChange={(next) => set(pairs.with(index, [key, next ?? null]))}
            />
          </div>
          <RemoveButton name={`${name} ${key}`} onClick={() => set(pairs.filter((_, other) => other !== index))} />
        </div>
      ))}
      <button
        type="button"
        className="button self-start text-ink-2"
        disabled={pairs.some(([key]) => key === "")}
        onClick={() => set([...pairs, ["", toEmptyValue(field.value)]])}
      >
        Add to {name}
      </button>
    </Group>
  );
}
