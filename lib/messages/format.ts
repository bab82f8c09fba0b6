/**
 * Formats a catalogue text. "{name}" is replaced by a value, "{name|one|other}" by the word for that count. The names a
 * text needs are read from its type, so a missing value is a compile error.
 */

export type Names<Text extends string> = Text extends `${string}{${infer Inside}}${infer Rest}`
  ? (Inside extends `${infer Name}|${string}` ? Name : Inside) | Names<Rest>
  : never;

export type Values<Text extends string, Value> = { [Name in Names<Text>]: Value };
/** The rest argument of a formatter: nothing where the text has no names. */
export type ValueArguments<Text extends string, Value> = [Names<Text>] extends [never]
  ? []
  : [values: Values<Text, Value>];

/** The text in pieces: plain strings, and the names to be replaced. */
export type Piece = { text: string } | { name: string; one?: string; other?: string };

export function toPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(/\{([^{}]+)\}/g)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    const [name = "", one, other] = match[1]!.split("|");
    pieces.push(one === undefined ? { name } : { name, one, other: other ?? one });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

/** The word for a count in a "{count|one|other}" piece. */
export function toCountWord(piece: { one?: string; other?: string }, value: unknown): string {
  return (Number(value) === 1 ? piece.one : piece.other) ?? "";
}

export function formatMessage(text: string, values: Record<string, string | number> = {}): string {
  return toPieces(text)
    .map((piece) => {
      if ("text" in piece) return piece.text;
      const value = values[piece.name];
      return piece.one === undefined ? String(value ?? "") : toCountWord(piece, value);
    })
    .join("");
}
