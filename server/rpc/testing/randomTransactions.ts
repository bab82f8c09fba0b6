/**
 * Generates random signed transactions of every type except blobs: transfers, deployments, token calls, and calls that
 * revert, run out of gas or carry EIP-7702 authorizations. Each transaction is valid when it is sent, so both
 * implementations include all of them.
 */
import { encodeFunctionData, type TransactionSerializable } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { tokenAbi } from "@/lib/abi/token";
import type { Address, Hex } from "@/server/ethereum/types";
import { developer } from "@/server/rpc/testing/fixedChain";
import type { Random } from "@/server/rpc/testing/malformed";
import { createRandomCode, toInitCode } from "@/server/rpc/testing/randomCode";

/**
 * Accounts that sign transactions. Other accounts sign authorizations, so that a transaction and an authorization never
 * use the same nonce.
 */
export const senders = Array.from({ length: 6 }, (_, index) => developer(index));
export const authorities = Array.from({ length: 4 }, (_, index) =>
  privateKeyToAccount(`0x${"0".repeat(62)}a${index + 1}` as Hex),
);

export type RandomCall = { from: Address; to?: Address; input: Hex; value: bigint; gas: bigint };

export function createRandomTransactions(options: { random: Random; chainId: number; token: Address }) {
  const { random, chainId, token } = options;
  /** Contracts that programs may read and call. Each deployment adds one. */
  const contracts: Address[] = [token];
  const people = [...senders, ...authorities].map(({ address }) => address.toLowerCase() as Address);
  const precompiles = [...Array.from({ length: 17 }, (_, index) => index + 1), 0x100].map(
    (index): Address => `0x${index.toString(16).padStart(40, "0")}`,
  );
  const nonces = new Map<number, number>();

  const bytes = (length: number): Hex =>
    `0x${Array.from({ length }, () => random.pick(["00", "00", "01", "20", "ff", "a9", "7f"])).join("")}`;
  const wei = () => BigInt(random.int(1_000));
  const anyone = () => random.pick([...people, ...precompiles, ...contracts, ...contracts]);
  const runtime = () => createRandomCode(random, [...contracts, ...people, ...precompiles]);

  function tokenInput(): Hex {
    const [to, from] = [random.pick(people), random.pick(people)];
    const units = BigInt(random.pick([0, 1, 1_000, 10 ** 15]));
    const [functionName, args] = random.pick([
      ["transfer", [to, units]],
      ["transfer", [to, units]],
      ["approve", [to, units]],
      ["transferFrom", [from, to, units]],
      ["mint", [to, units]],
      ["balanceOf", [to]],
    ] as [string, unknown[]][]);
    return encodeFunctionData({ abi: tokenAbi, functionName, args } as never);
  }

  function toCall(sender: Address): RandomCall {
    const gas = BigInt(random.pick([60_000, 150_000, 400_000, 1_000_000]));
    return random.pick<() => RandomCall>([
      () => ({ from: sender, to: anyone(), input: "0x", value: wei(), gas }),
      () => ({ from: sender, to: token, input: tokenInput(), value: 0n, gas }),
      () => ({ from: sender, to: random.pick(contracts), input: bytes(random.int(100)), value: wei(), gas }),
      () => ({ from: sender, to: random.pick(contracts), input: bytes(random.int(100)), value: 0n, gas }),
      () => ({ from: sender, input: toInitCode(runtime()), value: random.pick([0n, 0n, 7n]), gas: 1_000_000n }),
      () => ({ from: sender, input: runtime(), value: 0n, gas: 1_000_000n }),
    ])();
  }

  return {
    contracts,
    /** Returns a call object for eth_call. */
    nextCall: () => toCall(random.pick(people.slice(0, senders.length))),
    /** Returns the next signed transaction. `nonceOf` returns an authority's nonce at the head. */
    async next(nonceOf: (address: Address) => Promise<number>): Promise<Hex> {
      const index = random.int(senders.length);
      const sender = senders[index]!;
      const nonce = nonces.get(index) ?? 0;
      nonces.set(index, nonce + 1);
      const { to, input, value, gas } = toCall(sender.address.toLowerCase() as Address);
      const listed = Array.from({ length: random.int(3) }, () => ({
        address: anyone(),
        storageKeys: Array.from({ length: random.int(3) }, (): Hex => `0x${`${random.int(6)}`.padStart(64, "0")}`),
      }));
      const common = { chainId, nonce, data: input, value, gas, ...(to ? { to } : {}) };
      const gasPrice = 5_000_000_000n + BigInt(random.int(10 ** 9));
      const fees = { maxFeePerGas: gasPrice, maxPriorityFeePerGas: BigInt(random.int(2 * 10 ** 9)) };
      const authority = random.pick(authorities);
      const right = await nonceOf(authority.address.toLowerCase() as Address);
      const authorizationList = [
        await authority.signAuthorization({
          contractAddress: random.pick([...contracts, `0x${"00".repeat(20)}` as const]),
          chainId: random.pick([0, chainId, chainId, chainId + 1]),
          nonce: random.pick([right, right, right + 1]),
        }),
      ];
      const transaction = random.pick<TransactionSerializable>([
        { ...common, type: "legacy", gasPrice },
        { ...common, type: "eip2930", gasPrice, accessList: listed },
        { ...common, type: "eip1559", ...fees, accessList: listed },
        to ? { ...common, to, type: "eip7702", ...fees, authorizationList } : { ...common, type: "eip1559", ...fees },
      ]);
      return sender.signTransaction(transaction as never);
    },
  };
}
