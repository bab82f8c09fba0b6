/** Converts JSON values to the values that an ABI encoder expects for their types. */

type Parameter = { type: string; name?: string | undefined; components?: readonly Parameter[] };

/** Throws an error that names the parameter. */
export function toAbiValues(parameters: readonly Parameter[], given: unknown): unknown[] {
  if (!Array.isArray(given)) throw new Error("The values must be a JSON array.");
  if (given.length !== parameters.length) {
    throw new Error(`Expected ${parameters.length} values, but got ${given.length}.`);
  }
  return parameters.map((parameter, at) => toAbiValue(parameter, given[at], parameter.name || `values[${at}]`));
}

function toAbiValue(parameter: Parameter, value: unknown, path: string): unknown {
  const { type, components = [] } = parameter;
  const list = /^(.*)\[(\d*)\]$/.exec(type);
  if (list) {
    const [, item = "", length] = list;
    if (!Array.isArray(value)) throw new Error(`${path} must be a JSON array.`);
    if (length && value.length !== Number(length)) throw new Error(`${path} must have ${length} items.`);
    return value.map((each, at) => toAbiValue({ ...parameter, type: item }, each, `${path}[${at}]`));
  }
  if (type === "tuple") {
    const values = Array.isArray(value)
      ? value
      : components.map(({ name }) => (value as Record<string, unknown> | null)?.[name ?? ""]);
    if (values.length !== components.length) throw new Error(`${path} must have ${components.length} fields.`);
    const fields = components.map((each, at) => toAbiValue(each, values[at], `${path}.${each.name || at}`));
    // The encoder reads a tuple's fields by name if all of them have names, otherwise by position.
    return components.every(({ name }) => name)
      ? Object.fromEntries(components.map(({ name }, at) => [name, fields[at]]))
      : fields;
  }
  if (/^u?int/.test(type)) return toInteger(value, type, path);
  if (type === "bool") {
    if (typeof value === "boolean") return value;
    if (value === "true" || value === "false") return value === "true";
    throw new Error(`${path} must be true or false.`);
  }
  if (typeof value !== "string") throw new Error(`${path} must be a string.`);
  // The address is in lowercase, because the encoder would verify the checksum of a mixed-case address.
  return type === "address" ? value.toLowerCase() : value;
}

function toInteger(value: unknown, type: string, path: string): bigint {
  const text = String(value).trim();
  const isWhole = /^-?(\d+|0x[0-9a-fA-F]+)$/.test(text) && (typeof value === "string" || Number.isSafeInteger(value));
  if (!isWhole) throw new Error(`${path} must be a whole number.`);
  const number = text.startsWith("-0x") ? -BigInt(text.slice(1)) : BigInt(text);
  const bits = Number(/\d+/.exec(type)?.[0] ?? 256);
  const fits = type.startsWith("u") ? BigInt.asUintN(bits, number) === number : BigInt.asIntN(bits, number) === number;
  if (!fits) throw new Error(`${path} doesn’t fit in ${type}.`);
  return number;
}
