/**
 * Limits the work of parsing a body as JSON. Parsing can't pause, and a few megabytes of brackets would block the
 * process for seconds.
 */

/** Deeper than any legitimate request needs, but shallow enough that recursive functions don't overflow the stack. */
const maxDepth = 256;
/** A request within the default maximum size exceeds this only if its values take less than 50 bytes on average. */
const maxValues = 100_000;

const [quote, backslash, comma, openArray, closeArray, openObject, closeObject] = Buffer.from('"\\,[]{}');

/**
 * Returns why the body must not be parsed, or undefined if it may be. Doesn't check whether it is valid JSON: the
 * parser does that.
 */
export function findJsonFault(body: Uint8Array): string | undefined {
  if (body.length <= maxDepth) return undefined;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === quote) at = findStringEnd(body, at);
    else if (byte === comma) values++;
    else if (byte === closeArray || byte === closeObject) depth--;
    else if (byte === openArray || byte === openObject) {
      values++;
      if (++depth > maxDepth) return `The JSON is nested more than ${maxDepth} levels deep.`;
    }
    if (values > maxValues) return `The JSON has more than ${maxValues} values: send fewer at once.`;
  }
  return undefined;
}

/** The index of the string's closing quote, or the body's length if there is none. */
function findStringEnd(body: Uint8Array, start: number): number {
  for (let end = body.indexOf(quote!, start + 1); end !== -1; end = body.indexOf(quote!, end + 1)) {
    let before = end;
    while (body[before - 1] === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return body.length;
}
