/**
 * The accounts that settle payments and receive the demo resources' earnings. Random keys are created once and stored
 * with the data, so that all instances use the same accounts. Keys are never logged or served.
 */
import type { Hex } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import type { Config } from "@/server/config/config";
import { facilitatorIndex, getDevAccount, listFundedAccounts, merchantIndex } from "@/server/config/devAccounts";
import type { NetworkConfig } from "@/server/config/networkConfig";
import { findPublicChain } from "@/server/config/publicChains";
import { StoreFormatError } from "@/server/storage/errors";
import type { KeyStore } from "@/server/storage/keyFile";
import { openKeyStore } from "@/server/storage/open";
import { createSigningAccount } from "@/server/x402/facilitator/signingAccount";

const keySchema = z.string().regex(/^0x[0-9a-f]{64}$/) as z.ZodType<Hex>;
const keysSchema = z.strictObject({ facilitator: keySchema, payee: keySchema });

type NodeKeys = z.output<typeof keysSchema>;
type Account = ReturnType<typeof createSigningAccount>;

export type Signers = Awaited<ReturnType<typeof openSigners>>;

/**
 * Throws StoreFormatError if the stored keys are damaged, or StoreUnavailableError if they can't be read or created.
 */
export async function openSigners(config: Config) {
  const kept = await openNodeKeys(config);
  const own = createSigningAccount(kept.facilitator);
  const [first, ...others] = config.facilitatorKeys.map(createSigningAccount);
  /**
   * Whether only the node's own key may sign. If a local chain has a mainnet's ID, signatures for it are also valid on
   * that mainnet, so keys that may hold real funds must never sign there.
   */
  const isOwn = ({ name, chainId }: Pick<NetworkConfig, "name" | "chainId">) =>
    !config.publicNodes.has(name) && findPublicChain(chainId)?.isMainnet === true;
  const toAccounts = (network: Pick<NetworkConfig, "name" | "chainId">): [Account, ...Account[]] =>
    first && !isOwn(network) ? [first, ...others] : [own];
  const ownPayee = privateKeyToAccount(kept.payee);
  // Payments on a remote network may be real money, so they go to an account that the operator chose.
  const payee = config.publicNodes.size > 0 && first ? first.address : ownPayee.address;
  return {
    /** The accounts that settle a network's payments and pay for their gas. */
    toAccounts,
    /** The address of the first settling account. `upto` payments are bound to it. */
    toAddress: (network: Pick<NetworkConfig, "name" | "chainId">) => toLowercase(toAccounts(network)[0].address),
    /** The payee of the demo resources. */
    payTo: toLowercase(payee),
    /**
     * Finds the account of a payee that holds no real money and has a key on this node: the node's own payee, or a
     * public test account.
     */
    findPayee(network: NetworkConfig, address: Hex): PrivateKeyAccount | undefined {
      if (!network.embedded) return undefined;
      if (address === toLowercase(ownPayee.address)) return ownPayee;
      const funded = listFundedAccounts(network).find((each) => toLowercase(each.address) === address);
      return funded?.privateKey && privateKeyToAccount(funded.privateKey);
    },
  };
}

const toLowercase = (address: string) => address.toLowerCase() as `0x${string}`;

async function openNodeKeys(config: Config): Promise<NodeKeys> {
  if (config.isDeterministic) {
    return {
      facilitator: getDevAccount(facilitatorIndex).privateKey,
      payee: getDevAccount(merchantIndex).privateKey,
    };
  }
  const created = { facilitator: generatePrivateKey(), payee: generatePrivateKey() };
  // On remote networks, all keys come from the environment.
  if (config.isTemporary || !config.networks.some(({ embedded }) => embedded)) return created;
  return keepKeys(openKeyStore(config), created);
}

/** Returns the stored keys. If there are none, stores the new keys and returns them. */
async function keepKeys(store: KeyStore, created: NodeKeys): Promise<NodeKeys> {
  let text = await store.find();
  if (text === undefined) {
    await store.insert(JSON.stringify(created));
    // Reads the keys back, because another instance may have stored its own keys first.
    text = await store.find();
  }
  const kept = readKeys(text);
  if (kept) return kept;
  throw new StoreFormatError(
    `The keys in ${store.name} are damaged; restore them from a backup, or delete them to get new ones.`,
  );
}

function readKeys(text = ""): NodeKeys | undefined {
  try {
    return keysSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // Ignores the error, because its message would contain the keys.
    return undefined;
  }
}
