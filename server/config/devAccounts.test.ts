/** Tests that the accounts are the same as those that other tools derive from this mnemonic. */
import { bytesToHex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { expect, it } from "vitest";
import {
  facilitatorIndex,
  getDevAccount,
  listDevAccounts,
  listFundedAccounts,
  merchantIndex,
} from "@/server/config/devAccounts";

it("derives the same accounts as anvil, hardhat and viem", () => {
  expect(listDevAccounts()[0]).toEqual({
    index: 0,
    address: "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
    privateKey: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
  });
  for (const index of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, facilitatorIndex, merchantIndex, 12, 99]) {
    const words = "test test test test test test test test test test test junk";
    const { address, getHdKey } = mnemonicToAccount(words, { addressIndex: index });
    expect(getDevAccount(index)).toEqual({
      index,
      address: address.toLowerCase(),
      privateKey: bytesToHex(getHdKey().privateKey!),
    });
  }
});

it("gives the keys of funded accounts only if they are public", () => {
  const { address, privateKey } = getDevAccount(3);
  const stranger = `0x${"5e".repeat(20)}` as const;
  const funded = [stranger, address].map((one) => ({ address: one, balanceWei: 1n, tokenUnits: 1n }));
  expect(listFundedAccounts({ accounts: [], funded })).toEqual([
    { address: stranger },
    { index: 3, address, privateKey },
  ]);
});
