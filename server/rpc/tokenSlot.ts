/**
 * Finds the storage slot that an ERC-20 token's getter reads its result from, and writes to that slot. Works for any
 * storage layout.
 */
import { encodeFunctionData, erc20Abi } from "viem";
import { callAt, createAccessListAt } from "@/server/chain/calls";
import type { Address, Hash } from "@/server/ethereum/types";
import { toServerError } from "@/server/rpc/errors";
import type { Ports } from "@/server/rpc/ports";

type Getter = { name: "balanceOf"; args: [Address] } | { name: "allowance"; args: [Address, Address] };

/**
 * Sets the value that the getter returns. Tries each slot that the getter reads, until a change to the slot changes the
 * getter's result. Throws RpcError if no slot works.
 */
export async function setTokenValue(
  { devControls, calls }: Pick<Ports, "devControls" | "calls">,
  token: Address,
  { name: functionName, args }: Getter,
  units: bigint,
): Promise<void> {
  const input = encodeFunctionData({ abi: erc20Abi, functionName, args } as Parameters<typeof encodeFunctionData>[0]);
  const call = { to: token, input };
  const value: Hash = `0x${units.toString(16).padStart(64, "0")}`;
  const { accessList } = await createAccessListAt(calls, { call });
  for (const { address, storageKeys } of accessList) {
    for (const slot of storageKeys) {
      const stateOverrides = { [address]: { stateDiff: { [slot]: value } } };
      const { output, failure } = await callAt(calls, { call, stateOverrides });
      if (!failure && output === value) return devControls.edit([{ address, slots: [{ slot, value }] }]);
    }
  }
  throw toServerError(
    `No single storage slot of ${token} determines the result of ${functionName}: set the contract's slots with anvil_setStorageAt.`,
  );
}
