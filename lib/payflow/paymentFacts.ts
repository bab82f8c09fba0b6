/**
 * Reads the on-chain facts about a payment in parallel. A fact is undefined if it can't be read. A failed read never
 * stops a payment, because only the server's verdict counts.
 */
import { decodeAbiParameters } from "viem";
import { isAddress } from "@/lib/address";
import { toDomainSeparator } from "@/lib/payflow/signatureFacts";
import { findPermit2Contracts, type Permit2Contracts } from "@/lib/x402/permit2Contracts";
import { findTokenDomain, type PaymentFacts } from "@/lib/x402/rules/paymentTerms";
import { findTransferMethod } from "@/lib/x402/signedPayment";
import { findChainId } from "@/lib/x402/signPayment";
import { toCalldata } from "@/lib/x402/tokenCalls";
import type { Hex, PaymentRequirements } from "@/lib/x402/types";

type Request = (args: { method: string; params: readonly unknown[] }) => Promise<unknown>;

export type ChainReading = PaymentFacts & {
  chainId: number | undefined;
  /** The signing domain computed from the requirement, and the one that the verifying contract reports. */
  domain: { contract: Hex; computed: Hex; onChain: Hex | undefined } | undefined;
  /** Only set for Permit2 payments. */
  contracts: Permit2Contracts | undefined;
  /** How many seconds the local clock is ahead of the server's. Only known if the response had a Date header. */
  clockAheadSeconds: number | undefined;
};

/** `nonce` is 32 bytes, or undefined before the payment is signed. `serverDate` is the 402 response's Date header. */
export async function readPaymentFacts(
  request: Request,
  requirement: PaymentRequirements,
  { payer, nonce, serverDate, nowMs }: { payer: Hex; nonce?: Hex; serverDate?: string | undefined; nowMs: number },
): Promise<ChainReading> {
  const reads = createReads(request);
  const { asset } = requirement;
  const contracts = findTransferMethod(requirement) === "permit2" ? findPermit2Contracts(requirement) : undefined;
  const domain = findDomain(requirement, contracts);
  const [chainId, balanceUnits, assetHasCode, payerHasCode, onChain, ofMethod] = await Promise.all([
    reads.chainId(),
    reads.uint(asset, toCalldata("balanceOf", payer)),
    reads.hasCode(asset),
    reads.hasCode(payer),
    domain && reads.call(domain.contract, toCalldata("DOMAIN_SEPARATOR")),
    contracts ? readPermit2Facts(reads, contracts, asset, payer, nonce) : readTokenFacts(reads, asset, payer, nonce),
  ]);
  const serverMs = Date.parse(serverDate ?? "");
  return {
    ...ofMethod,
    chainId,
    balanceUnits,
    assetHasCode,
    payerHasCode,
    contracts,
    domain: domain && { ...domain, onChain: onChain ?? undefined },
    // The Date header is in whole seconds, so on average it is half a second behind.
    clockAheadSeconds: Number.isNaN(serverMs) ? undefined : Math.round((nowMs - serverMs - 500) / 1000),
  };
}

async function readTokenFacts(reads: Reads, asset: string, payer: Hex, nonce: Hex | undefined): Promise<PaymentFacts> {
  const [tokenName, tokenVersion, state] = await Promise.all([
    reads.text(asset, toCalldata("name")),
    reads.text(asset, toCalldata("version")),
    nonce && reads.call(asset, toCalldata("authorizationState", payer, nonce)),
  ]);
  if (state === undefined) return { tokenName, tokenVersion };
  return { tokenName, tokenVersion, hasEip3009: state !== null, nonceUsed: state ? BigInt(state) === 1n : undefined };
}

async function readPermit2Facts(
  reads: Reads,
  { permit2, proxy }: Permit2Contracts,
  asset: string,
  payer: Hex,
  nonce: Hex | undefined,
): Promise<PaymentFacts> {
  const [allowanceUnits, proxyHasCode, bitmap] = await Promise.all([
    reads.uint(asset, toCalldata("allowance", payer, permit2)),
    reads.hasCode(proxy),
    // Permit2 stores each nonce as one bit, with 256 bits in a word. The nonce's last byte is the bit's index. The
    // remaining bytes are the word's index.
    nonce === undefined ? undefined : reads.uint(permit2, toCalldata("nonceBitmap", payer, BigInt(nonce) >> 8n)),
  ]);
  const isKnown = nonce !== undefined && bitmap !== undefined;
  const nonceUsed = isKnown ? ((bitmap >> (BigInt(nonce) & 0xffn)) & 1n) === 1n : undefined;
  return { allowanceUnits, proxyHasCode, nonceUsed };
}

type Reads = ReturnType<typeof createReads>;

function createReads(request: Request) {
  const ask = (method: string, ...params: unknown[]) => request({ method, params });
  const attempt = <T>(read: Promise<T>): Promise<T | undefined> => read.catch(() => undefined);

  /** The data that the call returned. Null if the contract doesn't have the function. */
  async function call(to: string, data: Hex): Promise<Hex | null | undefined> {
    try {
      const answer = await ask("eth_call", { to, data }, "latest");
      return typeof answer === "string" && answer.length > 2 ? (answer.toLowerCase() as Hex) : null;
    } catch (error) {
      return (error as { code?: unknown }).code === revertedCode ? null : undefined;
    }
  }

  return {
    call,
    async uint(to: string, data: Hex): Promise<bigint | undefined> {
      const word = await call(to, data);
      return word?.length === 66 ? BigInt(word) : undefined;
    },
    async text(to: string, data: Hex): Promise<string | undefined> {
      const encoded = await call(to, data);
      try {
        return encoded ? decodeAbiParameters([{ type: "string" }], encoded)[0] : undefined;
      } catch {
        return undefined;
      }
    },
    async hasCode(address: string): Promise<boolean | undefined> {
      const code = await attempt(ask("eth_getCode", address, "latest"));
      return typeof code === "string" ? code !== "0x" : undefined;
    },
    chainId: () => attempt(ask("eth_chainId").then(Number)),
  };
}

/** JSON-RPC's error code for a call that reverted. */
const revertedCode = 3;

function findDomain(
  requirement: PaymentRequirements,
  contracts: Permit2Contracts | undefined,
): { contract: Hex; computed: Hex } | undefined {
  const chainId = findChainId(requirement.network);
  if (chainId === undefined) return undefined;
  const contract = contracts?.permit2 ?? requirement.asset;
  const named = contracts ? { name: "Permit2" } : findTokenDomain(requirement);
  return named && isAddress(contract)
    ? { contract, computed: toDomainSeparator({ ...named, chainId, verifyingContract: contract }) }
    : undefined;
}
