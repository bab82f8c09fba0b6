import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { hexToBytes, type TransactionSerializable } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeRlp, encodeRlp, type RlpItem } from "@/lib/rlp";
import { toBytes, toHex } from "@/server/ethereum/codec/bytes";
import { decodeTransaction, findAuthority } from "@/server/ethereum/codec/transaction";
import { MalformedTransactionError } from "@/server/ethereum/errors";
import type { Hex } from "@/server/ethereum/types";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const sender = account.address.toLowerCase();
const word = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex);
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toHex);
const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });
const accessList = fc.array(fc.record({ address, storageKeys: fc.array(word, { maxLength: 3 }) }), { maxLength: 3 });

const common = {
  chainId: fc.integer({ min: 1, max: 2 ** 40 }),
  nonce: fc.integer({ min: 0, max: 2 ** 48 }),
  gas: uint(63),
  value: uint(128),
  data: fc.uint8Array({ maxLength: 100 }).map(toHex),
};
const fees = fc.tuple(uint(100), uint(100)).map(([a, b]) => (a < b ? { tip: a, cap: b } : { tip: b, cap: a }));
const legacy = fc.record({ ...common, to: fc.option(address, { nil: undefined }), gasPrice: uint(100) });
const withFees = fc.record({ ...common, to: address, accessList, fees });

async function sign(transaction: TransactionSerializable): Promise<Uint8Array> {
  return hexToBytes(await account.signTransaction(transaction));
}

test("decodes a legacy transaction as signed, with or without replay protection", async () => {
  await fc.assert(
    fc.asyncProperty(legacy, fc.boolean(), async ({ to, chainId, ...fields }, isProtected) => {
      const raw = await sign({
        ...fields,
        type: "legacy",
        ...(to ? { to } : {}),
        ...(isProtected ? { chainId } : {}),
      } as TransactionSerializable);
      const decoded = decodeTransaction(raw);
      expect(decoded).toMatchObject({
        type: 0,
        from: sender,
        nonce: BigInt(fields.nonce),
        gasLimit: fields.gas,
        gasPrice: fields.gasPrice,
        value: fields.value,
        input: fields.data,
      });
      expect(decoded.to).toBe(to);
      expect(decoded.chainId).toBe(isProtected ? BigInt(chainId) : undefined);
    }),
    { numRuns: 40 },
  );
});

test("decodes typed transactions as signed", async () => {
  await fc.assert(
    fc.asyncProperty(
      withFees,
      fc.constantFrom(1, 2, 3, 4),
      word,
      async ({ fees: { tip, cap }, ...fields }, type, hash) => {
        const blobHash: Hex = `0x01${hash.slice(4)}`;
        const authorization = await account.signAuthorization({
          chainId: fields.chainId,
          nonce: fields.nonce,
          contractAddress: fields.to,
        });
        const prices = { maxFeePerGas: cap, maxPriorityFeePerGas: tip };
        const transaction = {
          1: { ...fields, type: "eip2930", gasPrice: cap },
          2: { ...fields, type: "eip1559", ...prices },
          3: { ...fields, type: "eip4844", ...prices, maxFeePerBlobGas: tip, blobVersionedHashes: [blobHash] },
          4: { ...fields, type: "eip7702", ...prices, authorizationList: [authorization] },
        }[type] as TransactionSerializable;
        const decoded = decodeTransaction(await sign(transaction));
        expect(decoded).toMatchObject({
          type,
          from: sender,
          to: fields.to,
          chainId: BigInt(fields.chainId),
          nonce: BigInt(fields.nonce),
          gasLimit: fields.gas,
          value: fields.value,
          input: fields.data,
          accessList: fields.accessList,
          ...(type === 1 ? { gasPrice: cap } : prices),
          ...(type === 3 ? { maxFeePerBlobGas: tip, blobVersionedHashes: [blobHash] } : {}),
        });
        if (type === 4) expect(decoded.authorizationList?.map(findAuthority)).toEqual([sender]);
      },
    ),
    { numRuns: 60 },
  );
});

test("never decodes changed bytes to the same transaction, and fails only with a decoding error", async () => {
  const raw = await sign({
    type: "eip1559",
    chainId: 1,
    nonce: 1,
    gas: 21_000n,
    to: account.address,
    maxFeePerGas: 9n,
  });
  for (let at = 0; at < raw.length; at++) {
    const changed = raw.slice();
    changed[at] = changed[at]! ^ 1;
    try {
      expect(decodeTransaction(changed).hash).not.toBe(decodeTransaction(raw).hash);
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedTransactionError);
    }
  }
  for (let length = 0; length < raw.length; length++) {
    expect(() => decodeTransaction(raw.subarray(0, length))).toThrow(MalformedTransactionError);
  }
  expect(() => decodeTransaction(new Uint8Array([...raw, 0]))).toThrow("RLP has trailing bytes.");
});

test("rejects a high s even if the signature is otherwise valid", async () => {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const raw = await sign({ type: "legacy", nonce: 0, gas: 21_000n, to: account.address, gasPrice: 1n });
  const fields = decodeRlp(raw) as Uint8Array[];
  const s = order - BigInt(toHex(fields[8]!));
  fields[8] = toBytes(`0x${s.toString(16)}`);
  fields[6] = Uint8Array.of(fields[6]![0] === 27 ? 28 : 27);
  expect(() => decodeTransaction(encodeRlp(fields))).toThrow("The signature is invalid.");
});

test("rejects deep nesting without a stack overflow", () => {
  let item: RlpItem = [];
  for (let depth = 0; depth < 500; depth++) item = [item];
  expect(() => decodeTransaction(encodeRlp(item))).toThrow("RLP is nested too deeply.");
});

const archive = resolve(import.meta.dirname, "../../../../shared/evm-tests/rlp-trie-tx-tests.tar.gz");

/** Test vectors that must fail for one of these reasons don't test the codec. Other tests cover them. */
const notOfTheCodec =
  /INVALID_CHAINID|INTRINSIC_GAS|PRIORITY_GREATER_THAN_MAX_FEE|INITCODE_SIZE|GASLIMIT_PRICE_PRODUCT|TYPE_[1-4]_TX_PRE_FORK/;

describe.skipIf(!existsSync(archive))("published transaction vectors (if ../shared/evm-tests exists)", () => {
  const folder = mkdtempSync(join(tmpdir(), "vectors-"));
  beforeAll(() => void execFileSync("tar", ["xzf", archive, "-C", folder, "TransactionTests"]));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("decode or fail as published", () => {
    let count = 0;
    for (const { name, vector } of readVectors(join(folder, "TransactionTests"))) {
      const expected = vector.result.Cancun ?? vector.result.Prague;
      if (!expected || (expected.exception && notOfTheCodec.test(expected.exception))) continue;
      count++;
      const decode = () => decodeTransaction(hexToBytes(vector.txbytes));
      if (expected.exception) expect(decode, `${name} ${expected.exception}`).toThrow(MalformedTransactionError);
      else expect(decode(), name).toMatchObject({ hash: expected.hash, from: expected.sender });
    }
    expect(count).toBeGreaterThan(100);
  });
});

type Vector = { txbytes: Hex; result: Record<string, { exception?: string; hash?: Hex; sender?: Hex } | undefined> };

function readVectors(folder: string): { name: string; vector: Vector }[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".json"))
    .flatMap((path) =>
      Object.entries(JSON.parse(readFileSync(join(folder, path), "utf8")) as Record<string, Vector>).map(
        ([name, vector]) => ({ name, vector }),
      ),
    );
}
