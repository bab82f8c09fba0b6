/**
 * Tests the ERC-20 functions of the token contracts on a real EVM, with the same accounts as in a genesis. Revert
 * reasons must equal those of USDC's FiatToken word for word, because facilitators match on them.
 */
import { type Hex, keccak256, maxUint256, zeroAddress, zeroHash } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenAbi } from "@/lib/abi/token";
import { toTokenAccount } from "@/server/contracts/predeploys";
import { startAnvilChain } from "@/server/contracts/testing/anvilChain";
import {
  payee,
  payer,
  plainToken,
  relayer,
  startTokenChain,
  stranger,
  type TokenChain,
  tokenCall,
  tokenGenesis,
} from "@/server/contracts/testing/tokenChain";

let chain: TokenChain;
beforeAll(async () => {
  chain = await startTokenChain();
});
afterAll(() => chain.close());

const read = (functionName: string, ...args: unknown[]) => chain.simulate(tokenCall(functionName, args));

describe("a genesis token", () => {
  it("returns its metadata, supply and balances", async () => {
    expect(await read("name")).toBe("USDC");
    expect(await read("symbol")).toBe("USDC");
    expect(await read("version")).toBe("2");
    expect(await read("decimals")).toBe(6);
    expect(await read("owner")).toBe(relayer.address);
    expect(await read("totalSupply")).toBe(1_000_000n);
    expect(await chain.balanceOf(payer.address)).toBe(1_000_000n);
    expect(await chain.balanceOf(stranger.address)).toBe(0n);
  });

  it("has USDC's domain separator on both public networks", async () => {
    expect(await read("DOMAIN_SEPARATOR")).toBe("0xf1090f5a61ddee19528cecc447be0f91c7205fc2b34dd271fc0de87809a0a48d");
    const mainnet = await startAnvilChain(143);
    try {
      const address = "0x754704Bc059F8C67012fEd69BC8A327a5aafb603";
      await mainnet.place(address, toTokenAccount(tokenGenesis));
      expect(await mainnet.simulate({ address, abi: tokenAbi, functionName: "DOMAIN_SEPARATOR" })).toBe(
        "0xfe22123edc0dd4aeb912eb7948c5f0e531592c2053b3067612f427db342c93c6",
      );
    } finally {
      await mainnet.close();
    }
  });

  it.each([
    ["PERMIT_TYPEHASH", "0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9"],
    ["TRANSFER_WITH_AUTHORIZATION_TYPEHASH", "0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267"],
    ["RECEIVE_WITH_AUTHORIZATION_TYPEHASH", "0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8"],
    ["CANCEL_AUTHORIZATION_TYPEHASH", "0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429"],
  ])("has the standard %s", async (name, hash) => {
    expect(await read(name)).toBe(hash);
  });

  it.each([31, 32, 64, 65])("returns a name of %i bytes", async (length) => {
    const name = "ä".repeat(Math.floor(length / 2)) + "x".repeat(length % 2);
    const address: Hex = `0x${(0xa000 + length).toString(16).padStart(40, "0")}`;
    await chain.place(address, toTokenAccount({ ...tokenGenesis, name, symbol: "" }));
    expect(await chain.simulate({ address, abi: tokenAbi, functionName: "name" })).toBe(name);
    expect(await chain.simulate({ address, abi: tokenAbi, functionName: "symbol" })).toBe("");
  });
});

describe("ERC-20", () => {
  const byPayer = (functionName: string, ...args: unknown[]) => tokenCall(functionName, args, payer);

  it("transfers units, including to the sender, and reverts with a reason", async () => {
    const before = await chain.balanceOf(payer.address);
    expect(await chain.send(byPayer("transfer", payee.address, 7n))).toEqual([
      `Transfer(${payer.address},${payee.address},7)`,
    ]);
    await chain.send(byPayer("transfer", payer.address, 5n));
    expect(await chain.balanceOf(payer.address)).toBe(before - 7n);
    expect(await chain.balanceOf(payee.address)).toBe(7n);
    expect(await chain.findRevert(byPayer("transfer", payee.address, before))).toBe(
      "ERC20: transfer amount exceeds balance",
    );
    expect(await chain.findRevert(byPayer("transfer", zeroAddress, 1n))).toBe("ERC20: transfer to the zero address");
  });

  it("spends an allowance, including an unlimited one", async () => {
    const pull = (units: bigint) => tokenCall("transferFrom", [payer.address, payee.address, units], stranger);
    const allowance = () => read("allowance", payer.address, stranger.address);
    expect(await chain.send(byPayer("approve", stranger.address, maxUint256))).toEqual([
      `Approval(${payer.address},${stranger.address},${maxUint256})`,
    ]);
    expect(await chain.send(pull(3n))).toEqual([`Transfer(${payer.address},${payee.address},3)`]);
    expect(await allowance()).toBe(maxUint256 - 3n);
    await chain.send(byPayer("approve", stranger.address, 10n));
    await chain.send(byPayer("increaseAllowance", stranger.address, 5n));
    await chain.send(byPayer("decreaseAllowance", stranger.address, 13n));
    expect(await allowance()).toBe(2n);
    expect(await chain.findRevert(pull(3n))).toBe("ERC20: transfer amount exceeds allowance");
    expect(await chain.findRevert(byPayer("decreaseAllowance", stranger.address, 3n))).toBe(
      "ERC20: decreased allowance below zero",
    );
    expect(await chain.findRevert(byPayer("approve", zeroAddress, 1n))).toBe("ERC20: approve to the zero address");
    await chain.send(byPayer("approve", stranger.address, maxUint256));
    expect(await chain.findRevert(pull(10_000_000n))).toBe("ERC20: transfer amount exceeds balance");
  });

  it("can be minted only by its owner", async () => {
    const receiver = "0x0000000000000000000000000000000000005555";
    const supply = (await read("totalSupply")) as bigint;
    expect(await chain.send(tokenCall("mint", [receiver, 50n]))).toEqual([
      `Mint(${relayer.address},${receiver},50)`,
      `Transfer(${zeroAddress},${receiver},50)`,
    ]);
    expect(await chain.balanceOf(receiver)).toBe(50n);
    expect(await read("totalSupply")).toBe(supply + 50n);
    expect(await chain.findRevert(tokenCall("mint", [receiver, 1n], stranger))).toBe(
      "FiatToken: caller is not a minter",
    );
    expect(await chain.findRevert(tokenCall("mint", [zeroAddress, 1n]))).toBe("FiatToken: mint to the zero address");
    expect(await chain.findRevert(tokenCall("mint", [receiver, 0n]))).toBe("FiatToken: mint amount not greater than 0");
    expect(await chain.findRevert(tokenCall("mint", [receiver, maxUint256]))).toBe("Panic(17)");
  });
});

describe("the plain token", () => {
  const plain = (functionName: string, ...args: unknown[]) => ({
    ...tokenCall(functionName, args, payer),
    address: plainToken,
  });

  it("is an ERC-20 token without signatures", async () => {
    expect(await chain.simulate(plain("symbol"))).toBe("PLN");
    expect(await chain.simulate(plain("decimals"))).toBe(18);
    expect(await chain.send(plain("transfer", payee.address, 4n))).toEqual([
      `Transfer(${payer.address},${payee.address},4)`,
    ]);
    for (const call of [
      plain("version"),
      plain("DOMAIN_SEPARATOR"),
      plain("nonces", payer.address),
      plain("authorizationState", payer.address, zeroHash),
    ]) {
      expect(await chain.findRevert(call), call.functionName).toBe("execution reverted");
    }
  });
});

describe("toTokenAccount", () => {
  it("rejects values that do not fit, and adds up the balances of an account that is listed twice", () => {
    const balance = (units: bigint) => ({ address: payer.address, units });
    expect(() => toTokenAccount({ ...tokenGenesis, decimals: 256 })).toThrow("decimals cannot hold 256.");
    expect(() => toTokenAccount({ ...tokenGenesis, balances: [balance(-1n)] })).toThrow("totalSupply cannot hold -1.");
    const { version: _, ...withoutVersion } = tokenGenesis;
    expect(() => toTokenAccount(withoutVersion)).toThrow("needs an EIP-712 version");
    expect(toTokenAccount({ ...tokenGenesis, balances: [balance(400_000n), balance(600_000n)] })).toEqual(
      toTokenAccount(tokenGenesis),
    );
  });

  it("gives the same code to every token", () => {
    const other = toTokenAccount({ ...tokenGenesis, name: "Other", symbol: "OTH", decimals: 2 });
    expect(keccak256(other.code)).toBe(keccak256(toTokenAccount(tokenGenesis).code));
  });
});
