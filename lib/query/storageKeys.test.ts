import { pad } from "viem";
import { expect, it } from "vitest";
import { eventTopics } from "@/lib/decode/selectors";
import { toKeyQueries } from "@/lib/query/storageKeys";

const source = { network: "testnet", request: () => Promise.reject(new Error("not called")) };
const token = "0x534b2f3a21130d7a60830c2df862319e593943a3";
const owner = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const { Approval, AuthorizationUsed, AuthorizationCanceled } = eventTopics;

const listTopics = ({ events }: ReturnType<typeof toKeyQueries>) =>
  events.map(({ queryKey }) => (queryKey[2][1] as { topics: (string | null)[] }).topics);

it("asks for a token's events, and with a key for those with this key in either place", () => {
  const all = toKeyQueries(source, token, "Token");
  expect(listTopics(all)).toEqual([[Approval], [AuthorizationUsed], [AuthorizationCanceled]]);
  expect([all.holders.enabled, all.payments.enabled]).toEqual([true, false]);
  const keyed = toKeyQueries(source, token, "PlainToken", owner);
  expect(listTopics(keyed)).toEqual([
    [Approval, pad(owner)],
    [Approval, null, pad(owner)],
  ]);
  expect(keyed.holders.enabled).toBe(false);
});

it("asks for events of a contract whose layout isn't known only with a key", () => {
  expect(listTopics(toKeyQueries(source, token, undefined))).toEqual([]);
  expect(listTopics(toKeyQueries(source, token, undefined, owner))).toEqual([
    [null, pad(owner)],
    [null, null, pad(owner)],
  ]);
});

it("asks for Permit2's payments, and with a key for those of this payer", () => {
  const toFilter = (key?: string) => toKeyQueries(source, token, "Permit2", key).payments;
  expect(toFilter().queryKey[2]).toEqual([{ limit: 100 }]);
  expect(toFilter(owner).queryKey[2]).toEqual([{ limit: 100, payer: owner }]);
  expect(toFilter(`0x${"77".repeat(32)}`).enabled).toBe(false);
});
