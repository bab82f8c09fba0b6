/** Decodes the calldata of calls to tokens. The calldata shows the caller's intent even if the transaction failed. */
import { findFunctionName } from "@/lib/decode/selectors";
import { findAddress, findUint, findWord, toPayload } from "@/lib/decode/words";

export type TokenCall =
  | { kind: "transfer"; to: `0x${string}`; amount: bigint }
  | { kind: "transferFrom"; from: `0x${string}`; to: `0x${string}`; amount: bigint }
  | { kind: "approve"; spender: `0x${string}`; amount: bigint }
  | { kind: "mint"; to: `0x${string}`; amount: bigint }
  /**
   * EIP-3009 transferWithAuthorization or receiveWithAuthorization: the payer signed the transfer, and someone else may
   * send it.
   */
  | {
      kind: "authorization";
      from: `0x${string}`;
      to: `0x${string}`;
      amount: bigint;
      /** Seconds since the epoch. */
      validAfter: bigint;
      validBefore: bigint;
      nonce: string;
    };

/** Decodes calldata as a token call. Returns undefined if it is another call or is truncated. */
export function findTokenCall(input: string): TokenCall | undefined {
  const name = findFunctionName(input);
  if (name === undefined) return undefined;
  const payload = toPayload(input.toLowerCase());
  const words = [0, 1, 2, 3, 4, 5].map((index) => findWord(payload, index));
  const address = [findAddress(words[0]), findAddress(words[1])];
  if (address[0] === undefined) return undefined;

  if (name === "transfer" || name === "approve" || name === "mint") {
    const amount = findUint(words[1]);
    if (amount === undefined) return undefined;
    return name === "approve"
      ? { kind: "approve", spender: address[0], amount }
      : { kind: name, to: address[0], amount };
  }
  const amount = findUint(words[2]);
  if (address[1] === undefined || amount === undefined) return undefined;
  if (name === "transferFrom") return { kind: "transferFrom", from: address[0], to: address[1], amount };
  if (name === "transferWithAuthorization" || name === "receiveWithAuthorization") {
    const validAfter = findUint(words[3]);
    const validBefore = findUint(words[4]);
    const nonce = words[5];
    if (validAfter === undefined || validBefore === undefined || nonce === undefined) return undefined;
    return {
      kind: "authorization",
      from: address[0],
      to: address[1],
      amount,
      validAfter,
      validBefore,
      nonce: `0x${nonce}`,
    };
  }
  return undefined;
}
