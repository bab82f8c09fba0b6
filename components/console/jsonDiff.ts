/**
 * Finds the paths at which two JSON values differ. The number of differences is limited, because responses can be very
 * large.
 */
export type Difference = {
  /** The path: "transactions[0].hash", for example. Empty if the values differ as a whole. */
  path: string;
  /** Undefined if this response has no value at the path. */
  here: unknown;
  there: unknown;
};

export const maxDifferences = 200;

export function listDifferences(here: unknown, there: unknown): Difference[] {
  const found: Difference[] = [];
  compare(here, there, "", found);
  return found;
}

function compare(here: unknown, there: unknown, path: string, found: Difference[]): void {
  if (found.length >= maxDifferences || here === there) return;
  if (Array.isArray(here) && Array.isArray(there)) {
    for (let index = 0; index < Math.max(here.length, there.length); index++) {
      compare(here[index], there[index], `${path}[${index}]`, found);
    }
    return;
  }
  if (isObject(here) && isObject(there)) {
    for (const key of new Set([...Object.keys(here), ...Object.keys(there)])) {
      compare(here[key], there[key], path ? `${path}.${key}` : key, found);
    }
    return;
  }
  found.push({ path, here, there });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
