/**
 * Finds the implementation that a contract delegates to: through an EIP-7702 delegation, an EIP-1167 clone or an
 * EIP-1967 slot.
 */

/** keccak256("eip1967.proxy.implementation") - 1 */
export const implementationSlot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";

/** keccak256("eip1967.proxy.beacon") - 1. This slot holds the address of a contract that returns the implementation. */
export const beaconSlot = "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";
/** The selector of a beacon's implementation(). */
export const implementationSelector = "0x5c60da1b";

/** EIP-7702: the code contains only the address that the account delegates to. */
export function findDelegate(code: string): `0x${string}` | undefined {
  return /^0xef0100[0-9a-f]{40}$/.test(code) ? `0x${code.slice(8)}` : undefined;
}

/** An account has no code, or only the delegation of EIP-7702. */
export const isAccountCode = (code: string) => code === "0x" || findDelegate(code) !== undefined;

/** EIP-1167: the code forwards every call to a fixed address. Leading zero bytes of the address may be omitted. */
export function findCloned(code: string): `0x${string}` | undefined {
  const match = /^0x363d3d373d3d3d363d(6[0-9a-f]|7[0-3])([0-9a-f]{2,40})5af43d82803e903d91602b57fd5bf3$/.exec(code);
  const length = match ? Number.parseInt(match[1]!, 16) - 0x5f : 0;
  return match?.[2]?.length === length * 2 ? `0x${match[2].padStart(40, "0")}` : undefined;
}

/**
 * The address in a word, which comes from a slot or a beacon's response. Undefined if the word doesn't contain an
 * address.
 */
export function findImplementation(slotValue: string): `0x${string}` | undefined {
  return /^0x0{24}(?!0{40})[0-9a-f]{40}$/.test(slotValue) ? `0x${slotValue.slice(26)}` : undefined;
}
