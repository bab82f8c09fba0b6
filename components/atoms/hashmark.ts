/**
 * Computes the geometry of hashmarks. The same identifier always gets the same glyph. Every byte affects the glyph, so
 * that addresses with the same start and end (address poisoning) look different.
 */

/**
 * FNV-1a over the hex digits, finished with murmur3's mixer. The hashes of similar inputs differ in about half of their
 * bits.
 */
export function toSeed(identifier: string): number {
  let hash = 0x811c9dc5;
  for (const character of identifier.toLowerCase()) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Hue in degrees, in steps of 10. */
export function toHue(identifier: string): number {
  return (toSeed(`hue${identifier}`) % 36) * 10;
}

/** The filled cells of a 5x5 grid with left-right symmetry. Between 7 and 19 cells are filled. */
export function toCells(identifier: string): { x: number; y: number }[] {
  for (let attempt = 0; ; attempt++) {
    const seed = toSeed(`${attempt}${identifier}`);
    const cells: { x: number; y: number }[] = [];
    for (let y = 0; y < 5; y++) {
      for (let x = 0; x < 5; x++) {
        const bit = y * 3 + Math.min(x, 4 - x);
        if ((seed >>> bit) & 1) cells.push({ x, y });
      }
    }
    if (cells.length >= 7 && cells.length <= 19) return cells;
  }
}

/** The heights of eight bars, from 1 to 8. Each bar comes from four bytes of a 32-byte hash. */
export function toBars(hash: string): number[] {
  const digits = hash.slice(2).padEnd(64, "0");
  return Array.from({ length: 8 }, (_, bar) => (toSeed(digits.slice(bar * 8, bar * 8 + 8)) % 8) + 1);
}
