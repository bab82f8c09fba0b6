/** Recognizes a 402 response from x402 version 1, which has the price in the body instead of a header. */
export function isVersion1(body: string): boolean {
  try {
    const value = JSON.parse(body) as { x402Version?: unknown; accepts?: unknown } | null;
    return value?.x402Version === 1 && Array.isArray(value.accepts);
  } catch {
    return false;
  }
}
