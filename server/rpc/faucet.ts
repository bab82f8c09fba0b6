/**
 * The faucet of an embedded network: it sends ordinary transactions from a funded developer account. Each recipient is
 * funded at most once a minute and each caller ten times, so a runaway loop can't drain the account.
 */
import { encodeFunctionData, parseAbi } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Chain } from "@/server/chain/chain";
import { listDevAccounts } from "@/server/config/devAccounts";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { toBytes } from "@/server/ethereum/codec/bytes";
import type { Address, Hash } from "@/server/ethereum/types";
import { toLimitExceeded } from "@/server/rpc/errors";
import type { Fund } from "@/server/rpc/ports";
import { runAlone } from "@/server/storage/runAlone";

const nativeAmount = 10n;
const tokenAmount = 100n;
const windowMs = 60_000;
const perRecipient = 1;
const perCaller = 10;
/** A transfer to an EOA takes 21,000 gas; a recipient with code may need more. */
const nativeGas = 100_000n;
const tokenGas = 150_000n;
const tipWei = 1_000_000_000n;

const abi = parseAbi(["function transfer(address to, uint256 value) returns (bool)"]);

/** Returns undefined if the network is not embedded, has no token, or does not fund the developer account. */
export function createFaucet(chain: Chain, network: NetworkConfig, now: () => number = Date.now): Fund | undefined {
  const developer = listDevAccounts().at(-1);
  const isFunded = network.funded.some((entry) => entry.address.toLowerCase() === developer?.address);
  const [token] = network.tokens;
  if (!network.embedded || !developer || !isFunded || !token) return undefined;
  const account = privateKeyToAccount(developer.privateKey);
  const served = createWindow(now);
  /** Requests run one after another, so that nonces are assigned in order. */
  let last: Promise<unknown> = Promise.resolve();

  async function send(to: Address, value: bigint, data: `0x${string}`, gas: bigint): Promise<Hash> {
    const head = chain.head();
    const mined = (await chain.store.findAccount(developer!.address, head.number))?.nonce ?? 0n;
    const next = chain.pool.nextNonce(developer!.address) ?? 0n;
    const baseFee = head.baseFeePerGas ?? 0n;
    const raw = await account.signTransaction({
      type: "eip1559",
      chainId: network.chainId,
      nonce: Number(next > mined ? next : mined),
      to,
      value,
      data,
      gas,
      maxFeePerGas: baseFee * 2n + tipWei,
      maxPriorityFeePerGas: tipWei,
    });
    return chain.submit(toBytes(raw));
  }

  return (recipient, caller) => {
    served.assertFree(`recipient ${recipient}`, perRecipient);
    if (caller.address) served.assertFree(`caller ${caller.address}`, perCaller);
    const fund = async () => {
      // Another instance may have sent transactions from this account.
      await chain.refresh({ isUrgent: true });
      const value = nativeAmount * 10n ** BigInt(network.nativeCurrency.decimals);
      const sendToken = ({ address, decimals }: typeof token) => {
        const units = tokenAmount * 10n ** BigInt(decimals);
        return send(address, 0n, encodeFunctionData({ abi, args: [recipient, units] }), tokenGas);
      };
      const native = await send(recipient, value, "0x", nativeGas);
      // Send the first token last, so a caller that waits for it has the others too.
      for (const other of network.tokens.slice(1)) await sendToken(other);
      return { native, token: await sendToken(token) };
    };
    const sent = last.then(() => runAlone(chain.store, "faucet", fund));
    last = sent.catch(() => undefined);
    return sent;
  };
}

/** Counts events by key over a sliding window; a key is forgotten when its window ends. */
function createWindow(now: () => number) {
  const times = new Map<string, number[]>();
  return {
    /** Counts one event; throws if the key has reached its limit. */
    assertFree(key: string, allowed: number): void {
      const since = now() - windowMs;
      for (const [other, seen] of times) if ((seen.at(-1) ?? 0) <= since) times.delete(other);
      const recent = (times.get(key) ?? []).filter((time) => time > since);
      const oldest = recent[0];
      if (recent.length >= allowed && oldest !== undefined) {
        const seconds = Math.ceil((oldest - since) / 1000);
        throw toLimitExceeded(
          "faucet",
          `the faucet has just funded this ${key.split(" ")[0]}: try again in ${seconds} s`,
        );
      }
      times.set(key, [...recent, now()]);
    },
  };
}
