/** Generates a command or program that sends a transaction again. */
import type { WireTransaction } from "@/lib/query/wire";

/** Single quotes are enough, because hex can't contain a quote. */
export function toCast(transaction: WireTransaction, url: string): string {
  const { to, input, value } = transaction;
  const parts = [
    "cast send",
    `--rpc-url ${url}`,
    `--from ${transaction.from} --unlocked`,
    ...(BigInt(value) > 0n ? [`--value ${BigInt(value)}`] : []),
    `--gas-limit ${BigInt(transaction.gas)}`,
    ...(to === null ? [`--create ${input}`] : [`${to}${input === "0x" ? "" : ` ${input}`}`]),
  ];
  return parts.join(" \\\n  ");
}

export function toViem(transaction: WireTransaction, url: string): string {
  const { to, input, value, gas } = transaction;
  const fields = [
    ...(to === null ? [] : [`  to: "${to}",`]),
    ...(input === "0x" ? [] : [`  data: "${input}",`]),
    ...(BigInt(value) > 0n ? [`  value: ${BigInt(value)}n,`] : []),
    `  gas: ${BigInt(gas)}n,`,
  ];
  return [
    'import { createWalletClient, http } from "viem";',
    'import { privateKeyToAccount } from "viem/accounts";',
    "",
    "const client = createWalletClient({",
    "  account: privateKeyToAccount(process.env.PRIVATE_KEY),",
    `  transport: http("${url}"),`,
    "});",
    "await client.sendTransaction({",
    "  chain: null,",
    ...fields,
    "});",
  ].join("\n");
}

/** Generates a command that sends the signed bytes unchanged. */
export function toCurl(raw: string, url: string): string {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_sendRawTransaction", params: [raw] });
  return `curl -s ${url} -H 'content-type: application/json' \\\n  -d '${body}'`;
}
