/** ABI of ERC-1271, with which a contract validates a signature made on its behalf. */
import { parseAbi } from "viem";

export const erc1271Abi = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);
