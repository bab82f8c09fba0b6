/** ABI of ERC-1271, which lets a contract validate signatures made on its behalf. */
import { parseAbi } from "viem";

export const erc1271Abi = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);
