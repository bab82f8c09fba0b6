/**
 * Returns the readable form of a value in a response: quantities in decimal, amounts in native tokens, times as dates,
 * and identifiers with links. Returns no reading if the value's format and key are ambiguous.
 */
import { formatDate } from "@/lib/formatTime";
import { findIdentifier, toAddressPath, toBlockPath, toSearchPath, toTransactionPath } from "@/lib/links";
import type { Network } from "@/lib/networks";
import { formatInteger, toDisplayAmount, toGasPrice } from "@/lib/units";

export type Reading = { text?: string; href?: string };

const gasPrices = /^(gasPrice|effectiveGasPrice|baseFee.*|max.*Fee.*|blobGasPrice)$/;
const amounts = /^(value|balance|gasCost|amount)$/;
/** Values longer than 64 bits are hashes, bytes or amounts. */
const quantity = /^0x(0|[1-9a-f][0-9a-f]{0,15})$/;
const longQuantity = /^0x(0|[1-9a-f][0-9a-f]{0,63})$/;

/** `key` is the value's property name. For the root of a response, it is the type, such as "quantity". */
export function toReading(key: string, value: unknown, network: Network, method: string): Reading {
  if (typeof value !== "string") return {};
  if (key === "quantity" && /GasPrice|PriorityFee|BaseFee/i.test(method)) return readGasPrice(value);
  if (key === "quantity" && /getBalance/.test(method)) return readAmount(value, network);
  if (gasPrices.test(key)) return readGasPrice(value);
  // Amounts in payments and token transfers aren't in the native currency.
  if (amounts.test(key) && !/Payment|Token|Hold/.test(method)) return readAmount(value, network);
  if (/timestamp$/i.test(key) && quantity.test(value)) return { text: formatDate(Number(value)) };
  if (/^(createdAt|changedAt|at|seenAt)$/.test(key) && quantity.test(value)) {
    return { text: formatDate(Number(value) / 1000) };
  }
  if (key === "extraData") return readText(value);
  if (/(^n|N)umber$/.test(key) && quantity.test(value)) {
    return { text: formatInteger(BigInt(value)), href: toBlockPath(network.name, Number(value)) };
  }
  if (quantity.test(value) || (key === "quantity" && longQuantity.test(value))) {
    return value.length > 3 || BigInt(value) > 9n ? { text: formatInteger(BigInt(value)) } : {};
  }
  return readIdentifier(key, value, network.name);
}

/** The text that a block's producer wrote into its header, if it is printable. */
function readText(value: string): Reading {
  const text = value.slice(2).replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)));
  return /^[ -~]+$/.test(text) ? { text } : {};
}

function readGasPrice(value: string): Reading {
  if (!longQuantity.test(value)) return {};
  const { text, unit } = toGasPrice(BigInt(value));
  return { text: `${text} ${unit}` };
}

function readAmount(value: string, { nativeCurrency: { symbol, decimals } }: Network): Reading {
  return longQuantity.test(value) ? { text: `${toDisplayAmount(BigInt(value), decimals, 12).text} ${symbol}` } : {};
}

const blockHashes = /^(blockHash|parentHash)$/;
const transactionHashes = /^(transactionHash|transaction|nativeTransaction|tokenTransactions?)$/;
/** Keys of 32-byte values that don't identify anything on the chain. */
const otherHashes = /(Root|Hash|root|Hashes|nonce|Bloom|id|value|key|slot|topics|storageKeys|proof|r|s|mixHash)$/;

function readIdentifier(key: string, value: string, network: string): Reading {
  const identifier = value.startsWith("0x") ? findIdentifier(value) : undefined;
  if (identifier?.kind === "address") return { href: toAddressPath(network, value) };
  if (identifier?.kind !== "hash") return {};
  if (blockHashes.test(key)) return { href: toBlockPath(network, value) };
  if (transactionHashes.test(key)) return { href: toTransactionPath(network, value) };
  if (otherHashes.test(key)) return {};
  return key === "hash" || key === "transactions" ? { href: toSearchPath(network, value) } : {};
}
