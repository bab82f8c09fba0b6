/**
 * The token contracts on a real EVM, placed as genesis places them. Reverts are compared word for word with those of
 * USDC's FiatToken, because facilitators match on them.
 */
import {
  concat,
  getAddress,
  type Hex,
  keccak256,
  maxUint256,
  pad,
  parseEventLogs,
  toHex,
  zeroAddress,
  zeroHash,
} from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenAbi } from "@/lib/abi/token";
import { compileSources } from "@/server/contracts/compiler";
import { toTokenAccount } from "@/server/contracts/predeploys";
import { type AnvilChain, findRevert, startAnvilChain, testAccounts } from "@/server/contracts/testing/anvilChain";
import {
  type Authorization,
  type Domain,
  signCancel,
  signPermit,
  signReceive,
  signTransfer,
  toHighS,
  toVrs,
} from "@/server/contracts/testing/authorization";

const address: Hex = "0x534b2f3A21130d7a60830c2Df862319e593943A3";
const plain: Hex = "0x00000000000000000000000000000000000c0ffe";
const [payer, payee, relayer, stranger] = testAccounts;
const domain: Domain = { name: "USDC", version: "2", chainId: 10143, verifyingContract: address };
const genesis = {
  name: "USDC",
  symbol: "USDC",
  decimals: 6,
  version: "2",
  eip3009: true,
  owner: relayer.address,
  balances: [{ address: payer.address, units: 1_000_000n }],
};

let chain: AnvilChain;
let nonceCount = 0;
const nextNonce = (): Hex => toHex(++nonceCount, { size: 32 });

beforeAll(async () => {
  chain = await startAnvilChain();
  await chain.place(address, toTokenAccount(genesis));
  await chain.place(plain, toTokenAccount({ ...genesis, name: "Plain", symbol: "PLN", decimals: 18, eip3009: false }));
});
afterAll(() => chain.close());

const read = (functionName: "balanceOf" | "nonces", account: Hex) =>
  chain.client.readContract({ address, abi: tokenAbi, functionName, args: [account] });
const isSpent = (authorizer: Hex, nonce: Hex) =>
  chain.client.readContract({ address, abi: tokenAbi, functionName: "authorizationState", args: [authorizer, nonce] });

/** An authorization from payer to payee that is valid now. */
async function toAuthorization(changes: Partial<Authorization> = {}): Promise<Authorization> {
  const now = await chain.now();
  return {
    from: payer.address,
    to: payee.address,
    value: 100n,
    validAfter: now - 100n,
    validBefore: now + 1000n,
    nonce: nextNonce(),
    ...changes,
  };
}
const toArgs = (a: Authorization) => [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce] as const;

/** Simulates transferWithAuthorization in its bytes form, at a block time if given. */
const simulateTransfer = (authorization: Authorization, signature: Hex, time?: bigint) =>
  chain.client.simulateContract({
    address,
    abi: tokenAbi,
    functionName: "transferWithAuthorization",
    args: [...toArgs(authorization), signature],
    account: relayer.address,
    ...(time === undefined ? {} : { blockOverrides: { time } }),
  });

type Write = Parameters<AnvilChain["client"]["writeContract"]>[0];
/** Sends a transaction and returns the token's events as "Name(args)". */
async function send(write: Omit<Write, "chain" | "account"> & { account?: Write["account"] }): Promise<string[]> {
  const hash = await chain.client.writeContract({ account: relayer, chain: chain.client.chain, ...write } as Write);
  const receipt = await chain.client.waitForTransactionReceipt({ hash });
  expect(receipt.status).toBe("success");
  return parseEventLogs({ abi: tokenAbi, logs: receipt.logs }).map(
    ({ eventName, args }) => `${eventName}(${Object.values(args).join(",")})`,
  );
}

describe("a token placed by genesis", () => {
  it("answers its metadata, supply and balances", async () => {
    const call = <N extends "name" | "symbol" | "version" | "decimals" | "totalSupply" | "owner">(functionName: N) =>
      chain.client.readContract({ address, abi: tokenAbi, functionName });
    expect(await call("name")).toBe("USDC");
    expect(await call("symbol")).toBe("USDC");
    expect(await call("version")).toBe("2");
    expect(await call("decimals")).toBe(6);
    expect(await call("owner")).toBe(relayer.address);
    expect(await call("totalSupply")).toBe(1_000_000n);
    expect(await read("balanceOf", payer.address)).toBe(1_000_000n);
  });

  it("has the domain separator of USDC on both public networks", async () => {
    const readSeparator = (where: AnvilChain, at: Hex) =>
      where.client.readContract({ address: at, abi: tokenAbi, functionName: "DOMAIN_SEPARATOR" });
    expect(await readSeparator(chain, address)).toBe(
      "0xf1090f5a61ddee19528cecc447be0f91c7205fc2b34dd271fc0de87809a0a48d",
    );
    const mainnet = await startAnvilChain(143);
    try {
      const mainnetAddress = "0x754704Bc059F8C67012fEd69BC8A327a5aafb603";
      await mainnet.place(mainnetAddress, toTokenAccount(genesis));
      expect(await readSeparator(mainnet, mainnetAddress)).toBe(
        "0xfe22123edc0dd4aeb912eb7948c5f0e531592c2053b3067612f427db342c93c6",
      );
    } finally {
      await mainnet.close();
    }
  });

  it("has the type hashes of EIP-2612 and EIP-3009", async () => {
    const hashes = {
      PERMIT_TYPEHASH: "0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9",
      TRANSFER_WITH_AUTHORIZATION_TYPEHASH: "0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267",
      RECEIVE_WITH_AUTHORIZATION_TYPEHASH: "0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8",
      CANCEL_AUTHORIZATION_TYPEHASH: "0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429",
    } as const;
    for (const [functionName, hash] of Object.entries(hashes)) {
      const answer = await chain.client.readContract({
        address,
        abi: tokenAbi,
        functionName: functionName as keyof typeof hashes,
      });
      expect(answer, functionName).toBe(hash);
    }
  });

  it("reads long names back, whatever their length", async () => {
    for (const length of [31, 32, 64, 65]) {
      const name = "ä".repeat(Math.floor(length / 2)) + "x".repeat(length % 2);
      const at: Hex = `0x${(0xa000 + length).toString(16).padStart(40, "0")}`;
      await chain.place(at, toTokenAccount({ ...genesis, name, symbol: "" }));
      expect(await chain.client.readContract({ address: at, abi: tokenAbi, functionName: "name" })).toBe(name);
      expect(await chain.client.readContract({ address: at, abi: tokenAbi, functionName: "symbol" })).toBe("");
    }
  });
});

describe("ERC-20", () => {
  const simulate = (functionName: "transfer" | "approve" | "decreaseAllowance", to: Hex, value: bigint) =>
    chain.client.simulateContract({ address, abi: tokenAbi, functionName, args: [to, value], account: payer.address });

  it("moves units, also to oneself, and says why not", async () => {
    const before = await read("balanceOf", payer.address);
    const events = await send({
      address,
      abi: tokenAbi,
      functionName: "transfer",
      args: [payee.address, 7n],
      account: payer,
    });
    expect(events).toEqual([`Transfer(${payer.address},${payee.address},7)`]);
    await send({ address, abi: tokenAbi, functionName: "transfer", args: [payer.address, 5n], account: payer });
    expect(await read("balanceOf", payer.address)).toBe(before - 7n);
    expect(await findRevert(simulate("transfer", payee.address, before))).toBe(
      "ERC20: transfer amount exceeds balance",
    );
    expect(await findRevert(simulate("transfer", zeroAddress, 1n))).toBe("ERC20: transfer to the zero address");
  });

  it("spends an allowance, the unlimited one too", async () => {
    const allowance = () =>
      chain.client.readContract({
        address,
        abi: tokenAbi,
        functionName: "allowance",
        args: [payer.address, stranger.address],
      });
    const events = await send({
      address,
      abi: tokenAbi,
      functionName: "approve",
      args: [stranger.address, maxUint256],
      account: payer,
    });
    expect(events).toEqual([`Approval(${payer.address},${stranger.address},${maxUint256})`]);
    const pull = { address, abi: tokenAbi, functionName: "transferFrom", account: stranger } as const;
    expect(await send({ ...pull, args: [payer.address, payee.address, 3n] })).toEqual([
      `Transfer(${payer.address},${payee.address},3)`,
    ]);
    expect(await allowance()).toBe(maxUint256 - 3n);
    await send({ address, abi: tokenAbi, functionName: "approve", args: [stranger.address, 10n], account: payer });
    const change = { address, abi: tokenAbi, account: payer } as const;
    await send({ ...change, functionName: "increaseAllowance", args: [stranger.address, 5n] });
    await send({ ...change, functionName: "decreaseAllowance", args: [stranger.address, 13n] });
    expect(await allowance()).toBe(2n);
    const tooMuch = chain.client.simulateContract({ ...pull, args: [payer.address, payee.address, 3n] });
    expect(await findRevert(tooMuch)).toBe("ERC20: transfer amount exceeds allowance");
    expect(await findRevert(simulate("decreaseAllowance", stranger.address, 3n))).toBe(
      "ERC20: decreased allowance below zero",
    );
    expect(await findRevert(simulate("approve", zeroAddress, 1n))).toBe("ERC20: approve to the zero address");
  });

  it("is minted by its owner alone", async () => {
    const mint = { address, abi: tokenAbi, functionName: "mint" } as const;
    const to = testAccounts[7]?.address ?? zeroAddress;
    expect(await send({ ...mint, args: [to, 50n] })).toEqual([
      `Mint(${relayer.address},${to},50)`,
      `Transfer(${zeroAddress},${to},50)`,
    ]);
    expect(await read("balanceOf", to)).toBe(50n);
    expect(await chain.client.readContract({ address, abi: tokenAbi, functionName: "totalSupply" })).toBe(1_000_050n);
    const simulate = (account: Hex, receiver: Hex, amount: bigint) =>
      findRevert(chain.client.simulateContract({ ...mint, args: [receiver, amount], account }));
    expect(await simulate(stranger.address, to, 1n)).toBe("FiatToken: caller is not a minter");
    expect(await simulate(relayer.address, zeroAddress, 1n)).toBe("FiatToken: mint to the zero address");
    expect(await simulate(relayer.address, to, 0n)).toBe("FiatToken: mint amount not greater than 0");
    expect(await simulate(relayer.address, to, maxUint256)).toBe("Panic(17)");
  });
});

describe("EIP-3009", () => {
  it("transfers by v, r, s and by bytes, once per nonce", async () => {
    for (const form of ["vrs", "bytes"]) {
      const authorization = await toAuthorization();
      const signature = await signTransfer(payer, domain, authorization);
      const before = await read("balanceOf", payee.address);
      const args =
        form === "vrs" ? [...toArgs(authorization), ...toVrs(signature)] : [...toArgs(authorization), signature];
      const events = await send({ address, abi: tokenAbi, functionName: "transferWithAuthorization", args });
      expect(events).toEqual([
        `AuthorizationUsed(${payer.address},${authorization.nonce})`,
        `Transfer(${payer.address},${payee.address},100)`,
      ]);
      expect(await read("balanceOf", payee.address)).toBe(before + 100n);
      expect(await isSpent(payer.address, authorization.nonce)).toBe(true);
      expect(await findRevert(simulateTransfer(authorization, signature))).toBe(
        "FiatTokenV2: authorization is used or canceled",
      );
    }
  });

  it("lets only the payee receive, by v, r, s and by bytes", async () => {
    for (const form of ["vrs", "bytes"]) {
      const authorization = await toAuthorization();
      const signature = await signReceive(payer, domain, authorization);
      const args =
        form === "vrs" ? [...toArgs(authorization), ...toVrs(signature)] : [...toArgs(authorization), signature];
      const receive = { address, abi: tokenAbi, functionName: "receiveWithAuthorization", args } as const;
      const byRelayer = chain.client.simulateContract({ ...receive, account: relayer.address } as never);
      expect(await findRevert(byRelayer)).toBe("FiatTokenV2: caller must be the payee");
      expect(await send({ ...receive, account: payee })).toEqual([
        `AuthorizationUsed(${payer.address},${authorization.nonce})`,
        `Transfer(${payer.address},${payee.address},100)`,
      ]);
      const again = chain.client.simulateContract({ ...receive, account: payee.address } as never);
      expect(await findRevert(again)).toBe("FiatTokenV2: authorization is used or canceled");
    }
  });

  it("cancels a nonce by v, r, s and by bytes, and then refuses it", async () => {
    for (const form of ["vrs", "bytes"]) {
      const authorization = await toAuthorization();
      const { nonce } = authorization;
      const cancel = await signCancel(payer, domain, { authorizer: payer.address, nonce });
      const cancelCall = { address, abi: tokenAbi, functionName: "cancelAuthorization" } as const;
      const byStranger = await signCancel(stranger, domain, { authorizer: payer.address, nonce });
      expect(
        await findRevert(chain.client.simulateContract({ ...cancelCall, args: [payer.address, nonce, byStranger] })),
      ).toBe("FiatTokenV2: invalid signature");
      const args = form === "vrs" ? [payer.address, nonce, ...toVrs(cancel)] : [payer.address, nonce, cancel];
      expect(await send({ ...cancelCall, args })).toEqual([`AuthorizationCanceled(${payer.address},${nonce})`]);
      expect(await isSpent(payer.address, nonce)).toBe(true);
      const signature = await signTransfer(payer, domain, authorization);
      expect(await findRevert(simulateTransfer(authorization, signature))).toBe(
        "FiatTokenV2: authorization is used or canceled",
      );
      expect(
        await findRevert(chain.client.simulateContract({ ...cancelCall, args: [payer.address, nonce, cancel] })),
      ).toBe("FiatTokenV2: authorization is used or canceled");
    }
  });

  it("takes both time bounds as exclusive", async () => {
    const now = await chain.now();
    const authorization = await toAuthorization({ validAfter: now + 50n, validBefore: now + 60n });
    const signature = await signTransfer(payer, domain, authorization);
    const early = "FiatTokenV2: authorization is not yet valid";
    const late = "FiatTokenV2: authorization is expired";
    expect(await findRevert(simulateTransfer(authorization, signature, now + 50n))).toBe(early);
    await simulateTransfer(authorization, signature, now + 51n);
    await simulateTransfer(authorization, signature, now + 59n);
    expect(await findRevert(simulateTransfer(authorization, signature, now + 60n))).toBe(late);
    expect(await findRevert(simulateTransfer(authorization, signature, now + 61n))).toBe(late);
  });

  it("refuses a signature over anything else", async () => {
    const authorization = await toAuthorization();
    const signature = await signTransfer(payer, domain, authorization);
    const invalid = "FiatTokenV2: invalid signature";
    const changes: Partial<Authorization>[] = [
      { to: stranger.address },
      { from: stranger.address },
      { value: 101n },
      { validAfter: authorization.validAfter - 1n },
      { validBefore: authorization.validBefore + 1n },
      { nonce: nextNonce() },
    ];
    for (const change of changes) {
      const call = simulateTransfer({ ...authorization, ...change }, signature);
      expect(await findRevert(call), Object.keys(change).join()).toBe(invalid);
    }
    const foreign = [
      await signTransfer(stranger, domain, authorization),
      await signReceive(payer, domain, authorization),
      await signTransfer(payer, { ...domain, version: "1" }, authorization),
      await signTransfer(payer, { ...domain, name: "USD Coin" }, authorization),
      await signTransfer(payer, { ...domain, chainId: 143 }, authorization),
      await signTransfer(payer, { ...domain, verifyingContract: plain }, authorization),
    ];
    for (const [index, wrong] of foreign.entries()) {
      expect(await findRevert(simulateTransfer(authorization, wrong)), `signature ${index}`).toBe(invalid);
    }
    await simulateTransfer(authorization, signature);
  });

  it("refuses malleable and malformed signatures with a reason of their own", async () => {
    const authorization = await toAuthorization();
    const signature = await signTransfer(payer, domain, authorization);
    const refuse = (wrong: Hex) => findRevert(simulateTransfer(authorization, wrong));
    expect(await refuse(toHighS(signature))).toBe("ECRecover: invalid signature 's' value");
    expect(await refuse(`${signature.slice(0, -2)}00` as Hex)).toBe("ECRecover: invalid signature 'v' value");
    expect(await refuse(signature.slice(0, -2) as Hex)).toBe("ECRecover: invalid signature length");
    expect(await refuse("0x")).toBe("ECRecover: invalid signature length");
    // r = 0 recovers to nobody, which must not pass for the zero address.
    const nobody = concat([zeroHash, pad("0x01"), "0x1b"]);
    expect(await refuse(nobody)).toBe("ECRecover: invalid signature");
    const fromNobody = { ...authorization, from: zeroAddress };
    expect(await findRevert(simulateTransfer(fromNobody, nobody))).toBe("ECRecover: invalid signature");
  });

  it("does not use the nonce where the balance does not suffice", async () => {
    const authorization = await toAuthorization({ value: 10_000_000n });
    const signature = await signTransfer(payer, domain, authorization);
    expect(await findRevert(simulateTransfer(authorization, signature))).toBe("ERC20: transfer amount exceeds balance");
    expect(await isSpent(payer.address, authorization.nonce)).toBe(false);
  });
});

describe("EIP-2612", () => {
  const permit = (args: readonly unknown[]) => ({ address, abi: tokenAbi, functionName: "permit", args }) as const;
  const toMessage = async (deadline = maxUint256) => ({
    owner: payer.address,
    spender: stranger.address,
    value: 77n,
    nonce: await read("nonces", payer.address),
    deadline,
  });

  it("approves by v, r, s and by bytes, once per nonce, without a deadline too", async () => {
    for (const form of ["vrs", "bytes"]) {
      const message = await toMessage();
      const signature = await signPermit(payer, domain, message);
      const terms = [payer.address, stranger.address, 77n, message.deadline];
      const call = permit(form === "vrs" ? [...terms, ...toVrs(signature)] : [...terms, signature]);
      expect(await send(call)).toEqual([`Approval(${payer.address},${stranger.address},77)`]);
      expect(await read("nonces", payer.address)).toBe(message.nonce + 1n);
      expect(await findRevert(chain.client.simulateContract(call as never))).toBe("EIP2612: invalid signature");
    }
  });

  it("takes the deadline as inclusive", async () => {
    const message = await toMessage((await chain.now()) + 100n);
    const signature = await signPermit(payer, domain, message);
    const simulate = (time: bigint) =>
      chain.client.simulateContract({
        ...permit([payer.address, stranger.address, 77n, message.deadline, signature]),
        blockOverrides: { time },
      } as never);
    await simulate(message.deadline);
    expect(await findRevert(simulate(message.deadline + 1n))).toBe("FiatTokenV2: permit is expired");
  });

  it("refuses the high half of s and a stranger's signature", async () => {
    const message = await toMessage();
    const terms = [payer.address, stranger.address, 77n, message.deadline];
    const simulate = (signature: Hex) => chain.client.simulateContract(permit([...terms, signature]) as never);
    expect(await findRevert(simulate(toHighS(await signPermit(payer, domain, message))))).toBe(
      "ECRecover: invalid signature 's' value",
    );
    expect(await findRevert(simulate(await signPermit(stranger, domain, message)))).toBe("EIP2612: invalid signature");
  });
});

describe("ERC-1271", () => {
  it("asks a signer that has code, in every form", async () => {
    const { TestWallet } = compileSources(["test/TestWallet.sol"]);
    const hash = await chain.client.deployContract({
      abi: TestWallet?.abi ?? [],
      bytecode: TestWallet?.bytecode ?? "0x",
      account: stranger,
      chain: chain.client.chain,
    });
    const deployed = (await chain.client.waitForTransactionReceipt({ hash })).contractAddress;
    const wallet = getAddress(deployed ?? "0x");
    await send({ address, abi: tokenAbi, functionName: "mint", args: [wallet, 1000n] });

    const first = await toAuthorization({ from: wallet });
    expect(await findRevert(simulateTransfer(first, await signTransfer(payer, domain, first)))).toBe(
      "FiatTokenV2: invalid signature",
    );
    const signature = await signTransfer(stranger, domain, first);
    await send({
      address,
      abi: tokenAbi,
      functionName: "transferWithAuthorization",
      args: [...toArgs(first), signature],
    });
    const second = await toAuthorization({ from: wallet });
    await send({
      address,
      abi: tokenAbi,
      functionName: "transferWithAuthorization",
      args: [...toArgs(second), ...toVrs(await signTransfer(stranger, domain, second))],
    });
    expect(await read("balanceOf", wallet)).toBe(800n);

    const message = { owner: wallet, spender: payee.address, value: 9n, nonce: 0n, deadline: maxUint256 };
    expect(
      await send({
        address,
        abi: tokenAbi,
        functionName: "permit",
        args: [wallet, payee.address, 9n, maxUint256, await signPermit(stranger, domain, message)],
      }),
    ).toEqual([`Approval(${wallet},${payee.address},9)`]);
    const nonce = nextNonce();
    const cancel = await signCancel(stranger, domain, { authorizer: wallet, nonce });
    expect(
      await send({ address, abi: tokenAbi, functionName: "cancelAuthorization", args: [wallet, nonce, cancel] }),
    ).toEqual([`AuthorizationCanceled(${wallet},${nonce})`]);
  });

  it("refuses a signer whose code is no wallet", async () => {
    const authorization = await toAuthorization({ from: plain });
    const signature = await signTransfer(payer, domain, authorization);
    expect(await findRevert(simulateTransfer(authorization, signature))).toBe("FiatTokenV2: invalid signature");
  });
});

describe("the plain token", () => {
  it("is an ERC-20 token without signatures", async () => {
    const call = { address: plain, abi: tokenAbi } as const;
    expect(await chain.client.readContract({ ...call, functionName: "symbol" })).toBe("PLN");
    expect(await chain.client.readContract({ ...call, functionName: "decimals" })).toBe(18);
    expect(await send({ ...call, functionName: "transfer", args: [payee.address, 4n], account: payer })).toEqual([
      `Transfer(${payer.address},${payee.address},4)`,
    ]);
    await expect(chain.client.readContract({ ...call, functionName: "DOMAIN_SEPARATOR" })).rejects.toThrow("reverted");
    await expect(
      chain.client.readContract({ ...call, functionName: "authorizationState", args: [payer.address, zeroHash] }),
    ).rejects.toThrow("reverted");
  });
});

describe("toTokenAccount", () => {
  it("refuses what does not fit, and adds up balances of one account", () => {
    expect(() => toTokenAccount({ ...genesis, decimals: 256 })).toThrow("decimals does not hold 256.");
    expect(() => toTokenAccount({ ...genesis, balances: [{ address: payer.address, units: -1n }] })).toThrow();
    const { version: _, ...withoutVersion } = genesis;
    expect(() => toTokenAccount(withoutVersion)).toThrow("needs an EIP-712 version");
    const half = { address: payer.address, units: 500_000n };
    expect(toTokenAccount({ ...genesis, balances: [half, half] })).toEqual(toTokenAccount(genesis));
  });

  it("gives the same code to every token", () => {
    const other = toTokenAccount({ ...genesis, name: "Other", symbol: "OTH", decimals: 2 });
    expect(keccak256(other.code)).toBe(keccak256(toTokenAccount(genesis).code));
  });
});
