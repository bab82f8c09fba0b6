/** ABI of ERC-1271: a contract checks whether a signature is its own. */
import { parseAbi } from "viem";

export const erc1271Abi = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);
