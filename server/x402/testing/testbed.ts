/**
 * Sets up a facilitator for the tests: anvil with the token and the x402 contracts at their genesis addresses, a SQLite
 * ledger in its own folder, and payers with a known balance. Only the chain's node is a replacement; everything else is
 * real.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { concatHex, encodeAbiParameters, erc20Abi, maxUint256, zeroAddress } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { tokenAbi } from "@/lib/abi/token";
import { canonicalContracts } from "@/lib/contracts";
import type { PayableNetwork } from "@/lib/networks";
import { findChainId } from "@/lib/x402/signPayment";
import { toPermit2Data, toTransferAuthorizationData } from "@/lib/x402/typedData";
import type {
  Eip3009Authorization,
  Hex,
  PaymentPayload,
  PaymentRequirements,
  Permit2Authorization,
} from "@/lib/x402/types";
import { testAccounts } from "@/server/contracts/testing/anvilChain";
import { placePredeploys } from "@/server/contracts/testing/placePredeploys";
import { payee, plainToken, startTokenChain, token, tokenCall } from "@/server/contracts/testing/tokenChain";
import type { Eip1193Request } from "@/server/ports/eip1193";
import { openStore } from "@/server/storage/open";
import { createFacilitator, type Facilitator, type FacilitatorOptions } from "@/server/x402/facilitator/facilitator";
import type { FacilitatorNetwork } from "@/server/x402/facilitator/networkFacilitator";
import { toExactRequirement, toUptoRequirement } from "@/server/x402/resource-server/requirements";

export const facilitatorAccount = testAccounts[4] as (typeof testAccounts)[0];

export const network: PayableNetwork = {
  name: "testnet",
  label: "Testnet",
  chainId: 10143,
  nativeCurrency: { name: "Monad", symbol: "MON", decimals: 18 },
  tokens: [
    { address: token, symbol: "USDC", decimals: 6, eip712: { name: "USDC", version: "2" }, eip3009: true },
    { address: plainToken, symbol: "PLN", decimals: 18, eip3009: false },
  ],
  contracts: canonicalContracts,
  embedded: true,
};

/** Requires one cent for the payee, through EIP-3009. */
export const requirement = toExactRequirement({ network, price: "$0.01", payTo: payee.address });

/** Requires at most five cents for the payee, through Permit2. */
export const uptoRequirement = toUptoRequirement({
  network,
  price: "$0.05",
  payTo: payee.address,
  facilitatorAddress: facilitatorAccount.address,
});

/** Requires 10,000 units of the token without EIP-3009, through Permit2. */
export const permit2Requirement: PaymentRequirements = {
  ...requirement,
  asset: plainToken,
  extra: { assetTransferMethod: "permit2" },
};

export type Testbed = Awaited<ReturnType<typeof startTestbed>>;

/** Starts the chain and opens the ledger. */
export async function startTestbed() {
  const chain = await startTokenChain();
  await placePredeploys(chain, network.chainId);
  const folder = await mkdtemp(join(tmpdir(), "tollscan-x402-"));
  const store = await openStore({ kind: "sqlite", file: join(folder, "ledger.sqlite") }, { readonly: false });
  const request = chain.client.request as Eip1193Request;

  async function mint(to: Hex, units: bigint, asset: Hex = token): Promise<void> {
    await chain.send({ ...tokenCall("mint", [to, units]), address: asset });
  }

  /** Creates a facilitator that uses the chain and the ledger. Creating another one simulates a restart. */
  function open(
    changes: Partial<Omit<FacilitatorOptions, "relay">> &
      Partial<Pick<FacilitatorNetwork, "request" | "accounts" | "tokens" | "relay" | "store" | "shared">> = {},
  ): Facilitator {
    const { request: seen = request, accounts = [facilitatorAccount], tokens = network.tokens } = changes;
    const { relay = { pollMs: 5 }, store: ledger = store, shared, ...options } = changes;
    return createFacilitator({
      networks: [
        {
          caip2: "eip155:10143",
          chainId: network.chainId,
          request: seen,
          tokens,
          contracts: network.contracts,
          accounts,
          store: ledger,
          relay,
          ...(shared && { shared }),
        },
      ],
      ...options,
    });
  }

  return {
    ...chain,
    store,
    request,
    createFacilitator: open,
    /**
     * Creates a facilitator that doesn't wait for the block when it sends a transaction, and that polls only briefly
     * for the receipt.
     */
    createImpatientFacilitator(): Facilitator {
      const hasty: Eip1193Request = (args) =>
        request(args.method === "eth_sendRawTransactionSync" ? { ...args, method: "eth_sendRawTransaction" } : args);
      return open({ relay: { waitMs: 50, pollMs: 10 }, request: hasty });
    },
    /** Creates an account that holds this many units of the asset. */
    async createPayer(units = 1_000_000n, asset: Hex = token): Promise<PrivateKeyAccount> {
      const account = privateKeyToAccount(generatePrivateKey());
      if (units > 0n) await mint(account.address, units, asset);
      return account;
    },
    mint,
    balanceOf: (account: Hex, asset: Hex = token) =>
      chain.client.readContract({ address: asset, abi: erc20Abi, functionName: "balanceOf", args: [account] }),
    allowance: (owner: Hex, spender: Hex) =>
      chain.client.readContract({ address: token, abi: erc20Abi, functionName: "allowance", args: [owner, spender] }),
    permitNonce: (owner: Hex) =>
      chain.client.readContract({ address: token, abi: tokenAbi, functionName: "nonces", args: [owner] }),
    /** Lets Permit2 move an account's token, as a wallet would on the first payment. */
    async approvePermit2(account: PrivateKeyAccount, asset: Hex = token, units = maxUint256): Promise<void> {
      await chain.client.setBalance({ address: account.address, value: 10n ** 18n });
      await chain.send({
        ...tokenCall("approve", [canonicalContracts.permit2, units], account as never),
        address: asset,
      });
    },
    async close(): Promise<void> {
      await store.close();
      await chain.close();
      await rm(folder, { recursive: true });
    },
  };
}

export type PaymentChanges = {
  authorization?: Partial<Eip3009Authorization>;
  /** Changes only the data that is signed. The data that is sent stays the same. */
  signed?: Partial<Eip3009Authorization>;
  domain?: Partial<{ name: string; version: string; chainId: number; asset: Hex }>;
  accepted?: Partial<PaymentRequirements>;
  signature?: (signature: Hex) => Hex;
};

/** Creates a payment for a requirement. Everything except the changes is valid. */
export async function toPayment(
  account: PrivateKeyAccount,
  wanted: PaymentRequirements = requirement,
  changes: PaymentChanges = {},
): Promise<PaymentPayload> {
  const authorization: Eip3009Authorization = {
    from: account.address,
    to: wanted.payTo as Hex,
    value: wanted.amount,
    validAfter: "0",
    validBefore: String(Math.floor(Date.now() / 1000) + wanted.maxTimeoutSeconds),
    nonce: generatePrivateKey(),
    ...changes.authorization,
  };
  const domain = {
    chainId: findChainId(wanted.network) ?? 0,
    asset: wanted.asset as Hex,
    name: String(wanted.extra?.name),
    version: String(wanted.extra?.version),
    ...changes.domain,
  };
  const data = toTransferAuthorizationData(domain, { ...authorization, ...changes.signed });
  const signature = await account.signTypedData(data as never);
  return {
    x402Version: 2,
    accepted: { ...wanted, ...changes.accepted },
    payload: { signature: changes.signature?.(signature) ?? signature, authorization },
  };
}

export type Permit2Changes = {
  authorization?: Partial<Permit2Authorization>;
  /** Changes only the data that is signed. The data that is sent stays the same. */
  signed?: Partial<Permit2Authorization>;
  chainId?: number;
  accepted?: Partial<PaymentRequirements>;
  signature?: (signature: Hex) => Hex;
};

/** Creates a payment for a requirement through Permit2. Everything except the changes is valid. */
export async function toPermit2Payment(
  account: PrivateKeyAccount,
  wanted: PaymentRequirements,
  changes: Permit2Changes = {},
): Promise<PaymentPayload> {
  const scheme = wanted.scheme === "upto" ? "upto" : "exact";
  const permit2Authorization: Permit2Authorization = {
    permitted: { token: wanted.asset as Hex, amount: wanted.amount },
    from: account.address,
    spender: scheme === "upto" ? canonicalContracts.uptoPermit2Proxy : canonicalContracts.exactPermit2Proxy,
    nonce: BigInt(generatePrivateKey()).toString(),
    deadline: String(Math.floor(Date.now() / 1000) + wanted.maxTimeoutSeconds),
    witness: {
      to: wanted.payTo as Hex,
      ...(scheme === "upto" && { facilitator: wanted.extra?.facilitatorAddress as Hex }),
      validAfter: "0",
    },
    ...changes.authorization,
  };
  const chainId = changes.chainId ?? findChainId(wanted.network) ?? 0;
  const domain = { chainId, permit2: canonicalContracts.permit2 };
  const data = toPermit2Data(scheme, domain, { ...permit2Authorization, ...changes.signed });
  const signature = await account.signTypedData(data as never);
  return {
    x402Version: 2,
    accepted: { ...wanted, ...changes.accepted },
    payload: { signature: changes.signature?.(signature) ?? signature, permit2Authorization },
  };
}

/** Wraps a signature in the ERC-6492 form, which is for wallets that may not be deployed yet. */
export function toErc6492Signature(signature: Hex): Hex {
  const parameters = [{ type: "address" }, { type: "bytes" }, { type: "bytes" }] as const;
  return concatHex([encodeAbiParameters(parameters, [zeroAddress, "0x", signature]), `0x${"6492".repeat(16)}`]);
}
