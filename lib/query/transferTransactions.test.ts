/** Tests which transactions are read for a page of a token's transfers. */
import { expect, it } from "vitest";
import type { Source } from "@/lib/query/source";
import { transferTransactionsQuery } from "@/lib/query/transferTransactions";

const source: Source = { network: "testnet", request: () => Promise.reject(new Error("No request is expected.")) };
const token = `0x${"11".repeat(20)}` as const;
const toParams = (cursor?: string) => transferTransactionsQuery(source, token, cursor).queryKey[2];

it("reads the newest transactions for the first page", () => {
  expect(toParams()).toEqual([{ limit: 25, token }]);
});

it("includes the cursor's block, because it may have more transfers", () => {
  expect(toParams("0x4f0-0x3")).toEqual([{ before: "0x4f1-0x0", limit: 50, token }]);
});

it("leaves it to the list of transfers to reject a cursor that isn't one", () => {
  expect(toParams("newest")).toEqual([{ before: "0x1-0x0", limit: 50, token }]);
});
