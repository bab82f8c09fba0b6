import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBlock, encodeBlock, toBlockSize } from "@/server/ethereum/codec/block";
import { toBloom } from "@/server/ethereum/codec/bloom";
import { toHex } from "@/server/ethereum/codec/bytes";
import { decodeHeader, encodeHeader, type HeaderFields, hashHeader, toHeader } from "@/server/ethereum/codec/header";
import { decodeReceipt, encodeReceipt } from "@/server/ethereum/codec/receipt";
import { InvalidBlockError } from "@/server/ethereum/errors";
import type { Log } from "@/server/ethereum/types";

const hex = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(toHex);
const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });

const legacyFields = {
  parentHash: hex(32),
  ommersHash: hex(32),
  coinbase: hex(20),
  stateRoot: hex(32),
  transactionsRoot: hex(32),
  receiptsRoot: hex(32),
  logsBloom: hex(256),
  difficulty: uint(256),
  number: fc.nat(2 ** 31 - 1),
  gasLimit: uint(63),
  gasUsed: uint(63),
  timestamp: fc.nat(2 ** 31 - 1),
  extraData: fc.uint8Array({ maxLength: 32 }).map(toHex),
  mixHash: hex(32),
  nonce: hex(8),
};
const london = { ...legacyFields, baseFeePerGas: uint(256) };
const shanghai = { ...london, withdrawalsRoot: hex(32) };
const cancun = { ...shanghai, blobGasUsed: uint(64), excessBlobGas: uint(64), parentBeaconBlockRoot: hex(32) };
const header: fc.Arbitrary<HeaderFields> = fc.oneof(
  fc.record(legacyFields),
  fc.record(london),
  fc.record(shanghai),
  fc.record(cancun),
  fc.record({ ...cancun, requestsHash: hex(32) }),
);
const withdrawal = fc.record({ index: uint(64), validatorIndex: uint(64), address: hex(20), amount: uint(64) });
const log: fc.Arbitrary<Log> = fc.record({
  address: hex(20),
  topics: fc.array(hex(32), { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 70 }).map(toHex),
});

test("decodes headers of every fork and encodes them to the same bytes", () => {
  fc.assert(
    fc.property(header, (fields) => {
      expect(decodeHeader(encodeHeader(fields))).toEqual({ ...fields, hash: hashHeader(fields) });
    }),
  );
});

test("hashes mainnet's genesis header to its known hash", () => {
  const zeros = (length: number) => `0x${"00".repeat(length)}` as const;
  const fields: HeaderFields = {
    parentHash: zeros(32),
    ommersHash: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
    coinbase: zeros(20),
    stateRoot: "0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544",
    transactionsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
    receiptsRoot: "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421",
    logsBloom: zeros(256),
    difficulty: 0x400000000n,
    number: 0,
    gasLimit: 5000n,
    gasUsed: 0n,
    timestamp: 0,
    extraData: "0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa",
    mixHash: zeros(32),
    nonce: "0x0000000000000042",
  };
  expect(hashHeader(fields)).toBe("0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3");
});

test("decodes a block with its size, ommers and withdrawals", () => {
  fc.assert(
    fc.property(
      header,
      fc.array(header, { maxLength: 2 }),
      fc.array(withdrawal, { maxLength: 3 }),
      (fields, ommers, list) => {
        const parts = {
          header: toHeader(fields),
          transactions: [],
          ommers: ommers.map(toHeader),
          ...(fields.withdrawalsRoot === undefined ? {} : { withdrawals: list }),
        };
        const encoded = encodeBlock(parts);
        expect(toBlockSize(parts)).toBe(encoded.length);
        expect(decodeBlock(encoded)).toEqual({ ...parts, size: encoded.length });
      },
    ),
  );
});

test("rejects bytes that are not a block, with a clear message", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (input) => {
      expect(() => decodeBlock(input)).toThrow(InvalidBlockError);
      expect(() => decodeHeader(input)).toThrow(InvalidBlockError);
      expect(() => decodeReceipt(input)).toThrow(InvalidBlockError);
    }),
  );
});

test("decodes receipts of every type, with a status or a state root", () => {
  const outcome = fc.oneof(
    fc.constantFrom({ status: 0 as const }, { status: 1 as const }),
    hex(32).map((stateRoot) => ({ stateRoot })),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(0, 1, 2, 3, 4),
      outcome,
      uint(63),
      fc.array(log, { maxLength: 4 }),
      (type, result, gas, logs) => {
        const logsBloom = toBloom(logs);
        const receipt = { type: type as 0, ...result, cumulativeGasUsed: gas, logs, logsBloom };
        const encoded = encodeReceipt(receipt);
        expect(decodeReceipt(encoded)).toEqual(receipt);
        expect(encoded[0]! >= 0xc0).toBe(type === 0);
      },
    ),
  );
});

test("builds blooms that contain every address and topic of their logs", () => {
  fc.assert(
    fc.property(fc.array(log, { minLength: 1, maxLength: 5 }), (logs) => {
      const bloom = BigInt(toBloom(logs));
      for (const { address, topics } of logs) {
        for (const value of [address, ...topics]) {
          const bits = BigInt(toBloom([{ address: value, topics: [], data: "0x" }]));
          expect(bits).not.toBe(0n);
          expect(bloom & bits).toBe(bits);
        }
      }
    }),
  );
});
