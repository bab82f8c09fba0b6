/**
 * A viem client for a developer who uses the node under test. Use each sender in one test only, because tests share the
 * chain.
 */
import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  parseAbi,
  parseEther,
} from "viem";
import { generatePrivateKey, mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

export const usdc = "0x534b2f3a21130d7a60830c2df862319e593943a3";
export const mnemonic = "test test test test test test test test test test test junk";
const tokenAbi = parseAbi(["function transfer(address to, uint256 amount) returns (bool)"]);

/** A client that sends from a new account. The funded account at the given index first gives it 100 MON. */
export async function createFundedChain(origin: string, senderIndex: number) {
  const account = privateKeyToAccount(generatePrivateKey());
  const funder = createDevChain(origin, senderIndex);
  await funder.mined(await funder.send(account.address, "100"));
  return createDevChain(origin, account);
}

/**
 * `origin` is the node's origin, such as "http://localhost:3000". The sender is an account, or the index of a funded
 * account.
 */
export function createDevChain(origin: string, sender: number | PrivateKeyAccount) {
  const chain = {
    id: 10143,
    name: "testnet",
    nativeCurrency: { name: "Monad", symbol: "MON", decimals: 18 },
    rpcUrls: { default: { http: [`${origin}/api/rpc/testnet`] } },
  };
  const account = typeof sender === "number" ? mnemonicToAccount(mnemonic, { addressIndex: sender }) : sender;
  const transport = http(undefined, { retryCount: 0 });
  const client = createPublicClient({ chain, transport, pollingInterval: 50 });
  const wallet = createWalletClient({ account, chain, transport });
  const fees = { gas: 21_000n, maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

  return {
    sender: account.address.toLowerCase(),
    nonce: () => client.getTransactionCount({ address: account.address }),
    /** Sends native tokens and returns the hash without waiting for the receipt. `price` is the max fee, in wei. */
    send: (to: Hex, ether: string, nonce?: number, price?: bigint) =>
      wallet.sendTransaction({
        ...fees,
        ...(price !== undefined && { maxFeePerGas: price, maxPriorityFeePerGas: price }),
        to,
        value: parseEther(ether),
        ...(nonce === undefined ? {} : { nonce }),
      }),
    /** Sends a token transfer with enough gas to be mined even if it reverts. */
    sendToken: (to: Hex, units: bigint, nonce?: number) =>
      wallet.sendTransaction({
        ...fees,
        ...(nonce === undefined ? {} : { nonce }),
        gas: 100_000n,
        to: usdc,
        data: encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [to, units] }),
      }),
    /** Signs a transfer without sending it. Returns the signed bytes and the hash. */
    async sign(to: Hex, ether: string) {
      const nonce = await client.getTransactionCount({ address: account.address });
      const raw = await wallet.signTransaction({ ...fees, type: "eip1559", nonce, to, value: parseEther(ether) });
      return { raw, hash: keccak256(raw) };
    },
    /** Calls a contract and sends native tokens with the call. */
    call: (to: Hex, data: Hex, value: bigint, gas = 300_000n) =>
      wallet.sendTransaction({ ...fees, gas, to, data, value }),
    /** Sends a deployment and returns the hash without waiting for the receipt. */
    create: (initCode: Hex) => wallet.sendTransaction({ ...fees, gas: 300_000n, data: initCode }),
    /** Deploys a contract and returns its address. */
    async deploy(initCode: Hex): Promise<Hex> {
      const hash = await wallet.sendTransaction({ ...fees, gas: 300_000n, data: initCode });
      const { contractAddress } = await client.waitForTransactionReceipt({ hash, checkReplacement: false });
      if (!contractAddress) throw new Error(`${hash} created no contract.`);
      return contractAddress.toLowerCase() as Hex;
    },
    sendRaw: (raw: Hex) => client.sendRawTransaction({ serializedTransaction: raw }),
    mined: (hash: Hex) => client.waitForTransactionReceipt({ hash, checkReplacement: false }),
    head: () => client.getBlockNumber({ cacheTime: 0 }),
  };
}
