/**
 * What the chain says about a payment before it is made: read once, in parallel, over JSON-RPC only. A failed read
 * gives undefined and never stops a payment, because only the server's verdict counts.
 */
import { isAddress } from "@/lib/address";
import { toDomainSeparator } from "@/lib/payflow/signatureFacts";
import { findPermit2Contracts } from "@/lib/x402/permit2Contracts";
import { findChainId } from "@/lib/x402/signPayment";
import type { Hex, PaymentRequirements } from "@/lib/x402/types";

type Request = (args: { method: string; params: readonly unknown[] }) => Promise<unknown>;

export type PaymentFacts = {
  chainId?: number | undefined;
  /** Units of the asset. */
  balance?: bigint | undefined;
  assetHasCode?: boolean | undefined;
  payerHasCode?: boolean | undefined;
  /** The signing domain: as computed from the requirement, and as its contract reports it. */
  domain: { contract: Hex; computed: Hex; onChain?: Hex | undefined } | undefined;
  /** For Permit2 only. */
  permit2?: { spender: Hex; allowance?: bigint | undefined; proxy: Hex; proxyHasCode?: boolean | undefined };
  /** How many seconds this clock is ahead of the server's, if the answer had a date. */
  clockAheadSeconds?: number | undefined;
};

const selectors = {
  balanceOf: "0x70a08231",
  allowance: "0xdd62ed3e",
  domainSeparator: "0x3644e515",
  authorizationState: "0xe94a0102",
  nonceBitmap: "0x4fe02b44",
} as const;

const toWord = (hex: string) => hex.slice(2).toLowerCase().padStart(64, "0");

function createReads(request: Request) {
  const attempt = async <T>(read: () => Promise<T>): Promise<T | undefined> => read().catch(() => undefined);
  const call = (to: string, data: string) =>
    attempt(async () => {
      const answer = await request({ method: "eth_call", params: [{ to, data }, "latest"] });
      return typeof answer === "string" && /^0x[0-9a-f]{64}$/i.test(answer) ? (answer.toLowerCase() as Hex) : undefined;
    });
  return {
    call,
    async number(to: string, data: string): Promise<bigint | undefined> {
      const word = await call(to, data);
      return word === undefined ? undefined : BigInt(word);
    },
    hasCode: (address: string) =>
      attempt(async () => {
        const code = await request({ method: "eth_getCode", params: [address, "latest"] });
        return typeof code === "string" ? code !== "0x" : undefined;
      }),
    chainId: () => attempt(async () => Number(await request({ method: "eth_chainId", params: [] }))),
  };
}

/** @param serverDate the Date header of the 402 answer. */
export async function readPaymentFacts(
  request: Request,
  requirement: PaymentRequirements,
  payer: Hex,
  { serverDate, nowMs }: { serverDate?: string | undefined; nowMs: number },
): Promise<PaymentFacts> {
  const reads = createReads(request);
  const { asset } = requirement;
  const contracts = isPermit2(requirement) ? findPermit2Contracts(requirement) : undefined;
  const domain = findDomain(requirement, contracts?.permit2);
  const [chainId, balance, assetHasCode, payerHasCode, onChain, allowance, proxyHasCode] = await Promise.all([
    reads.chainId(),
    reads.number(asset, `${selectors.balanceOf}${toWord(payer)}`),
    reads.hasCode(asset),
    reads.hasCode(payer),
    domain && reads.call(domain.contract, selectors.domainSeparator),
    contracts && reads.number(asset, `${selectors.allowance}${toWord(payer)}${toWord(contracts.permit2)}`),
    contracts && reads.hasCode(contracts.proxy),
  ]);
  const serverMs = serverDate === undefined ? Number.NaN : Date.parse(serverDate);
  return {
    chainId,
    balance,
    assetHasCode,
    payerHasCode,
    domain: domain && { ...domain, onChain },
    ...(contracts && { permit2: { spender: contracts.permit2, allowance, proxy: contracts.proxy, proxyHasCode } }),
    // The header is truncated to whole seconds, so half a second is subtracted.
    ...(!Number.isNaN(serverMs) && { clockAheadSeconds: Math.round((nowMs - serverMs - 500) / 1000) }),
  };
}

/** Whether the nonce was already used; undefined if the contract does not say. */
export async function readNonceUsed(
  request: Request,
  requirement: PaymentRequirements,
  payer: string,
  nonce: string,
): Promise<boolean | undefined> {
  const reads = createReads(request);
  if (!isPermit2(requirement)) {
    const state = await reads.number(
      requirement.asset,
      `${selectors.authorizationState}${toWord(payer)}${toWord(nonce)}`,
    );
    return state === undefined ? undefined : state === 1n;
  }
  const contracts = findPermit2Contracts(requirement);
  if (!contracts || !/^\d{1,78}$/.test(nonce)) return undefined;
  // Permit2 keeps 256 nonces per word: the last byte is the bit's index, the rest the word's.
  const word = (BigInt(nonce) >> 8n).toString(16).padStart(64, "0");
  const bitmap = await reads.number(contracts.permit2, `${selectors.nonceBitmap}${toWord(payer)}${word}`);
  return bitmap === undefined ? undefined : ((bitmap >> (BigInt(nonce) & 0xffn)) & 1n) === 1n;
}

export function isPermit2({ scheme, extra }: PaymentRequirements): boolean {
  return (extra?.assetTransferMethod ?? (scheme === "upto" ? "permit2" : "eip3009")) === "permit2";
}

function findDomain(
  { network, asset, extra }: PaymentRequirements,
  permit2: Hex | undefined,
): { contract: Hex; computed: Hex } | undefined {
  const chainId = findChainId(network);
  if (chainId === undefined) return undefined;
  if (permit2) {
    return { contract: permit2, computed: toDomainSeparator({ name: "Permit2", chainId, verifyingContract: permit2 }) };
  }
  const { name, version } = (extra ?? {}) as { name?: unknown; version?: unknown };
  if (typeof name !== "string" || typeof version !== "string" || !isAddress(asset)) return undefined;
  return { contract: asset, computed: toDomainSeparator({ name, version, chainId, verifyingContract: asset }) };
}
