/** Finds the constructor arguments that a deployment passed. */

/**
 * The minimum length, in hex digits, of the code to search for. Shorter code could appear in the arguments by chance.
 */
const shortestEnd = 32;

/**
 * Finds the constructor arguments, which follow the deployed code at the end of the init code. If the deployed code
 * ends with metadata, searches only for the metadata, because immutable variables change the rest of the code. Returns
 * undefined if nothing is found.
 */
export function findConstructorArguments(initCode: string, code: string): `0x${string}` | undefined {
  const digits = code.slice(2);
  // The last two bytes of Solidity's metadata are the metadata's length.
  const metadataBytes = Number.parseInt(digits.slice(-4), 16) + 2;
  const hasMetadata = metadataBytes > 10 && metadataBytes < 256 && metadataBytes * 2 < digits.length;
  const end = hasMetadata ? digits.slice(-metadataBytes * 2) : digits;
  const at = end.length < shortestEnd ? -1 : initCode.lastIndexOf(end);
  if (at < 0) return undefined;
  return `0x${initCode.slice(at + end.length)}`;
}
