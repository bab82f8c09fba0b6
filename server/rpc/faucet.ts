/**
 * The faucet of an embedded network: sends transactions from a developer account to visitors and to the accounts that
 * settle payments. Per minute, each recipient gets at most one grant and each caller at most ten, so a loop can't drain
 * the account.
 */
import { encodeFunctionData, getAddress, parseAbi } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { faucetAmounts } from "@/lib/networks";
import { formatUnits, parseUnits } from "@/lib/units";
import type { Chain } from "@/server/chain/chain";
import { faucetIndex, getDevAccount } from "@/server/config/devAccounts";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { toBytes } from "@/server/ethereum/codec/bytes";
import type { Address, Hash } from "@/server/ethereum/types";
import { readTokenBalances } from "@/server/explorer/tokenBalances";
import { toLimitExceeded, toServerError } from "@/server/rpc/errors";
import type { Fund } from "@/server/rpc/ports";
import { runAlone } from "@/server/storage/runAlone";

const windowMs = 60_000;
const perRecipient = 1;
const perCaller = 10;
/** A transfer to an EOA takes 21,000 gas; a recipient with code may need more. */
const nativeGas = 100_000n;
const tokenGas = 150_000n;
const tipWei = 1_000_000_000n;
/** A settling account is topped up if it has less than `leastGasWei`. */
const leastGasWei = 10n ** 18n;
const topUpWei = 1_000n * 10n ** 18n;
const topUpMs = 10_000;

const abi = parseAbi(["function transfer(address to, uint256 value) returns (bool)"]);

export type Faucet = {
  /**
   * Sends a visitor's grant. Undefined if the network has no token, or if the faucet's account has no funds at genesis.
   */
  fund: Fund | undefined;
  /**
   * Tops up an account that pays for gas. Does this only if the account's balance is low and the faucet can afford it.
   * Waits for the funds to arrive. Rejects with the chain's errors.
   */
  topUpGas(account: Address): Promise<void>;
};

/** The network must be embedded. */
export function createFaucet(chain: Chain, network: NetworkConfig, now = () => performance.now()): Faucet {
  const developer = getDevAccount(faucetIndex);
  const account = privateKeyToAccount(developer.privateKey);
  const topUps = new Map<Address, Hash>();
  /** Requests run one after another, so that nonces are assigned in order. */
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(() =>
      runAlone(chain.store, "faucet", async () => {
        // Another instance may have sent transactions from the faucet's account.
        await chain.refresh({ isUrgent: true });
        return work();
      }),
    );
    last = done.catch(() => undefined);
    return done;
  }

  const findBalance = async (address: Address) =>
    (await chain.store.findAccount(address, chain.head().number))?.balance ?? 0n;

  /**
   * The amount to send to an account. It is zero if the account's balance isn't low, and at most half of the faucet's
   * balance, so that the faucet and the account can both keep paying.
   */
  async function findTopUp(recipient: Address): Promise<bigint> {
    const held = await findBalance(recipient);
    if (held >= leastGasWei) return 0n;
    const available = (await findBalance(developer.address)) / 2n;
    const value = available < topUpWei ? available : topUpWei;
    return value > held ? value : 0n;
  }

  async function send(to: Address, value: bigint, data: `0x${string}`, gas: bigint): Promise<Hash> {
    const head = chain.head();
    const mined = (await chain.store.findAccount(developer.address, head.number))?.nonce ?? 0n;
    const next = chain.pool.nextNonce(developer.address) ?? 0n;
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

  return {
    fund: createFund(chain, network, now, (transfers) => inTurn(() => transfers(send))),
    async topUpGas(recipient) {
      if ((await findTopUp(recipient)) === 0n) return;
      const sent = await inTurn(async () => {
        const value = await findTopUp(recipient);
        if (value === 0n) return undefined;
        const earlier = topUps.get(recipient);
        const isPending = earlier !== undefined && chain.pool.findStatus(earlier)?.status === "pending";
        const hash = isPending ? earlier : await send(recipient, value, "0x", nativeGas);
        topUps.set(recipient, hash);
        // Other instances don't see a top-up until it is mined.
        if (chain.store.isShared) await chain.waitForTransaction(hash, topUpMs);
        return hash;
      });
      // Waits outside `inTurn`, so that other faucet requests don't have to wait for this block, which may never come
      // if the chain mines only on request.
      if (sent) await chain.waitForTransaction(sent, topUpMs);
    },
  };
}

/** The units of a token that the faucet gives. */
const toGrant = (decimals: number) => parseUnits(String(faucetAmounts.token), decimals);

type Send = (to: Address, value: bigint, data: `0x${string}`, gas: bigint) => Promise<Hash>;

function createFund(
  chain: Chain,
  { tokens, funded, nativeCurrency, contracts }: NetworkConfig,
  now: () => number,
  inTurn: <T>(transfers: (send: Send) => Promise<T>) => Promise<T>,
): Fund | undefined {
  const { address: donor } = getDevAccount(faucetIndex);
  const [token] = tokens;
  if (!token || !funded.some(({ address }) => address.toLowerCase() === donor)) return undefined;
  const served = createWindow(now);

  /** Throws if the faucet holds less of a token than it gives, because the transfer would fail on the chain. */
  async function assertFunded(client: string | undefined): Promise<void> {
    const pairs = tokens.map(({ address }) => ({ token: address.toLowerCase() as Address, holder: donor }));
    const balances = await readTokenBalances({ ...chain, client }, contracts.multicall3, pairs);
    for (const [at, { symbol, decimals }] of tokens.entries()) {
      const held = balances[at];
      if (held === undefined || held >= toGrant(decimals)) continue;
      const left = `${formatUnits(held, decimals)} ${symbol}`;
      throw toServerError(
        `the faucet has only ${left} left and gives ${faucetAmounts.token}: send ${symbol} to ${getAddress(donor)}`,
      );
    }
  }

  return async (recipient, caller) => {
    await assertFunded(caller.address);
    served.count([
      [`recipient ${recipient}`, perRecipient],
      ...(caller.address ? [[`caller ${caller.address}`, perCaller] as const] : []),
    ]);
    return inTurn(async (send) => {
      const sendToken = ({ address, decimals }: typeof token) => {
        const data = encodeFunctionData({ abi, args: [recipient, toGrant(decimals)] });
        return send(address, 0n, data, tokenGas);
      };
      const wei = BigInt(faucetAmounts.native) * 10n ** BigInt(nativeCurrency.decimals);
      const native = await send(recipient, wei, "0x", nativeGas);
      // Sends the first token last, so that a caller that waits for it has all the other funds too.
      const others: Hash[] = [];
      for (const other of tokens.slice(1)) others.push(await sendToken(other));
      return { native, tokens: [await sendToken(token), ...others] };
    });
  };
}

/** Counts events by key over a sliding window. A key is removed once its last event is outside the window. */
function createWindow(now: () => number) {
  /** The times of recent events per key. Keys are ordered by the time of their last event. */
  const times = new Map<string, number[]>();

  function forgetEnded(since: number): void {
    for (const [key, seen] of times) {
      if (seen.at(-1)! > since) return;
      times.delete(key);
    }
  }

  return {
    /** Counts one event for each key. If any key has reached its limit, throws and counts nothing. */
    count(keys: readonly (readonly [key: string, allowed: number])[]): void {
      const since = now() - windowMs;
      forgetEnded(since);
      const counted = keys.map(([key, allowed]) => {
        const recent = (times.get(key) ?? []).filter((time) => time > since);
        const [oldest] = recent;
        if (recent.length < allowed || oldest === undefined) return { key, seen: [...recent, now()] };
        const seconds = Math.ceil((oldest - since) / 1000);
        const isRecipient = key.startsWith("recipient ");
        const why = isRecipient ? "has just funded this recipient" : "has reached its limit for this client";
        throw toLimitExceeded("faucet", `the faucet ${why}: try again in ${seconds} s`);
      });
      for (const { key, seen } of counted) {
        times.delete(key);
        times.set(key, seen);
      }
    },
  };
}
