/** Finds a deployment's constructor arguments. */

/** The minimum number of hex digits to search for. Shorter code could appear in the arguments by chance. */
const shortestEnd = 32;

/**
 * Finds the constructor arguments, which follow the deployed code at the end of the init code. Immutable variables
 * change the code, so if the code ends with metadata, only the metadata is searched for. Returns undefined if it isn't
 * found.
 */
export function findConstructorArguments(initCode: string, code: string): `0x${string}` | undefined {
  const digits = code.slice(2);
  // Solidity's metadata ends with its own length in two bytes.
  const metadataBytes = Number.parseInt(digits.slice(-4), 16) + 2;
  const hasMetadata = metadataBytes > 10 && metadataBytes < 256 && metadataBytes * 2 < digits.length;
  const end = hasMetadata ? digits.slice(-metadataBytes * 2) : digits;
  const at = end.length < shortestEnd ? -1 : initCode.lastIndexOf(end);
  if (at < 0) return undefined;
  return `0x${initCode.slice(at + end.length)}`;
}
