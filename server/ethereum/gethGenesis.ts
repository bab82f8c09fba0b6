/** Reads geth's genesis.json, which contains the rules and the first block of a chain from another client. */
import { z } from "zod";
import { type ChainSpec, type GethChainConfig, toSpec } from "@/server/ethereum/spec";
import type { Address, Genesis, GenesisAccount, Hash, Hex } from "@/server/ethereum/types";

const hex = z.string().regex(/^0x[0-9a-fA-F]*$/, "must be a hex string that starts with 0x");
/** A quantity may be hex, decimal text or a number. */
const quantity = z
  .union([
    z
      .string()
      .regex(/^(0x[0-9a-fA-F]+|\d+)$/, "must be a number")
      .transform(BigInt),
    z.int().nonnegative().transform(BigInt),
  ])
  .default(0n);

const genesisSchema = z.object({
  config: z.looseObject({ chainId: z.int().positive() }),
  nonce: quantity,
  timestamp: quantity,
  extraData: hex.default("0x"),
  gasLimit: quantity,
  difficulty: quantity,
  mixHash: hex.default(`0x${"00".repeat(32)}`),
  coinbase: hex.default(`0x${"00".repeat(20)}`),
  baseFeePerGas: quantity.nullish(),
  excessBlobGas: quantity.nullish(),
  blobGasUsed: quantity.nullish(),
  alloc: z.record(
    z.string().regex(/^(0x)?[0-9a-fA-F]{40}$/, "must be an address"),
    z.object({
      balance: quantity,
      nonce: quantity,
      code: hex.nullish(),
      storage: z.record(hex, hex).nullish(),
    }),
  ),
});

/** Throws a ZodError that points to the invalid part of the document. */
export function readGethGenesis(json: unknown): { spec: ChainSpec; genesis: Genesis } {
  const parsed = genesisSchema.parse(json);
  const alloc: Record<Address, GenesisAccount> = {};
  for (const [address, { balance, nonce, code, storage }] of Object.entries(parsed.alloc)) {
    alloc[`0x${address.replace(/^0x/, "").toLowerCase()}`] = {
      balance,
      nonce,
      ...(code ? { code: toLowercase(code) } : {}),
      ...(storage
        ? { storage: Object.fromEntries(Object.entries(storage).map(([slot, value]) => [toWord(slot), toWord(value)])) }
        : {}),
    };
  }
  return {
    spec: toSpec(parsed.config as GethChainConfig),
    genesis: {
      alloc,
      gasLimit: parsed.gasLimit,
      timestamp: Number(parsed.timestamp),
      baseFeePerGas: parsed.baseFeePerGas ?? 1_000_000_000n,
      difficulty: parsed.difficulty,
      coinbase: toLowercase(parsed.coinbase),
      extraData: toLowercase(parsed.extraData),
      mixHash: toLowercase(parsed.mixHash),
      nonce: `0x${parsed.nonce.toString(16).padStart(16, "0")}`,
      excessBlobGas: parsed.excessBlobGas ?? 0n,
      blobGasUsed: parsed.blobGasUsed ?? 0n,
    },
  };
}

function toLowercase(text: string): Hex {
  return text.toLowerCase() as Hex;
}

function toWord(text: string): Hash {
  return `0x${text.slice(2).toLowerCase().padStart(64, "0")}`;
}
