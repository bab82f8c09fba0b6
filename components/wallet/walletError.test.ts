/**
 * Tests that every failure is turned into a short message that says what happened and what to do, without a stack
 * trace.
 */
import { SwitchChainError, UserRejectedRequestError } from "viem";
import { expect, it } from "vitest";
import { RpcError, TransportError } from "@/lib/rpc/client";
import { PayFetchError } from "@/lib/x402/payFetchChoice";
import { BurnerStorageError } from "./burnerKey";
import { FundingError } from "./fundAndWait";
import { findErrorCode, toFailureMessage, toWalletMessage } from "./walletError";

it.each([
  [4001, /declined/],
  [4100, /not given this page access/],
  [4200, /does not support/],
  [4900, /every network/],
  [4901, /this network/],
  [4902, /doesn’t have this network/],
  [-32002, /pending request/],
])("explains wallet error code %i and what to do about it", (code, words) => {
  const message = toFailureMessage(Object.assign(new Error("MetaMask: rpc failed\n  at stack"), { code }));
  expect(message).toMatch(words);
  expect(message).toMatch(/^[A-Z][^\n]*\. [^\n]*\.$|^[A-Z][^\n]*; [^\n]*\.$/);
});

it("finds the code inside the libraries' wrapper errors", () => {
  const declined = new UserRejectedRequestError(new Error("no"));
  expect(findErrorCode(new Error("outer", { cause: declined }))).toBe(4001);
  expect(toFailureMessage(new Error("outer", { cause: declined }))).toMatch(/You declined/);
  expect(findErrorCode(new SwitchChainError(new Error("no")))).toBe(4902);
  expect(findErrorCode(undefined)).toBeUndefined();
  const loop = new Error("loop");
  loop.cause = loop;
  expect(findErrorCode(loop)).toBeUndefined();
});

it("tells errors of the node apart from errors of the wallet", () => {
  expect(toFailureMessage(new RpcError(-32005, "too many blocks"))).toBe(
    "The node rejected the request: Too many blocks.",
  );
  const again = "the faucet has just funded this recipient: try again in 3 s";
  expect(toFailureMessage(new RpcError(-32005, again, { limit: "faucet" }))).toBe(
    "The faucet has just funded this recipient: try again in 3 s.",
  );
  expect(toFailureMessage(new TransportError("The endpoint returned HTTP 502 without a JSON-RPC response."))).toMatch(
    /HTTP 502/,
  );
  for (const text of ["Failed to fetch", "NetworkError when attempting to fetch resource.", "Load failed"]) {
    expect(toFailureMessage(new TypeError(text))).toMatch(/could not be reached/);
  }
  expect(toFailureMessage(new TypeError("x is not a function"))).toBe("Wallet error: X is not a function.");
});

it("keeps messages that are already written for users", () => {
  expect(toFailureMessage(new PayFetchError("spend_limit", "Too much."))).toBe("Too much.");
  expect(toFailureMessage(new FundingError("Not mined yet."))).toBe("Not mined yet.");
  expect(toFailureMessage(new BurnerStorageError("x"))).toMatch(/couldn’t be saved/);
});

it("shows the first line of an unknown error, and a general message if it has none", () => {
  expect(toWalletMessage(new Error("Something odd\nRequest body: {}"))).toBe("Wallet error: Something odd.");
  for (const nothing of [undefined, null, {}, "", new Error("")]) {
    expect(toWalletMessage(nothing)).toMatch(/without an error message/);
  }
});
