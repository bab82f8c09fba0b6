/**
 * Tests the x402 proxies on a real EVM, where they settle through the genesis Permit2: the order of checks, successful
 * settlements, and the errors that a facilitator sees.
 */
import { encodeFunctionData, type Hex, maxUint256, toFunctionSelector, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { permit2Abi } from "@/lib/abi/permit2";
import { tokenAbi } from "@/lib/abi/token";
import { exactProxyAbi, uptoProxyAbi } from "@/lib/abi/x402Proxies";
import { canonicalContracts } from "@/lib/contracts";
import type { TestAccount } from "@/server/contracts/testing/anvilChain";
import { signPermit, toVrs } from "@/server/contracts/testing/authorization";
import { type Permitted, signWitnessTransfer, type Terms } from "@/server/contracts/testing/permit2";
import { placePredeploys } from "@/server/contracts/testing/placePredeploys";
import {
  domain,
  payee,
  payer,
  relayer,
  startTokenChain,
  stranger,
  type TokenChain,
  token,
  tokenCall,
} from "@/server/contracts/testing/tokenChain";

let chain: TokenChain;
let now: bigint;
let nonces = 0n;

beforeAll(async () => {
  chain = await startTokenChain();
  await placePredeploys(chain, 10143);
  await chain.send(tokenCall("approve", [canonicalContracts.permit2, 100_000n], payer));
  now = await chain.now();
});
afterAll(() => chain.close());

type Terms1 = Terms<Permitted>;
const toTerms = (changes: Partial<Terms1> = {}): Terms1 => {
  nonces += 1n;
  return { permitted: { token, amount: 1000n }, nonce: nonces, deadline: now + 10_000n, ...changes };
};
const exactWitness = () => ({ to: payee.address as Hex, validAfter: now - 10n });
const uptoWitness = () => ({ to: payee.address as Hex, facilitator: relayer.address as Hex, validAfter: now - 10n });
type Witness = { to: Hex; facilitator?: Hex; validAfter: bigint };

const exact = (functionName: string, args: readonly unknown[], account = relayer) =>
  ({ address: canonicalContracts.exactPermit2Proxy, abi: exactProxyAbi, functionName, args, account }) as const;
const upto = (functionName: string, args: readonly unknown[], account = relayer) =>
  ({ address: canonicalContracts.uptoPermit2Proxy, abi: uptoProxyAbi, functionName, args, account }) as const;

const signExact = (terms: Terms1, witness: Witness, signer: TestAccount = payer) =>
  signWitnessTransfer(signer, canonicalContracts.exactPermit2Proxy, terms, witness);
const signUpto = (terms: Terms1, witness: Witness, signer: TestAccount = payer) =>
  signWitnessTransfer(signer, canonicalContracts.uptoPermit2Proxy, terms, witness);

/** An EIP-2612 approval for Permit2, in the proxies' format. */
async function toPermit2612(signer: TestAccount, value: bigint, signedValue = value) {
  const nonce = (await chain.simulate(tokenCall("nonces", [signer.address]))) as bigint;
  const terms = {
    owner: signer.address,
    spender: canonicalContracts.permit2,
    value: signedValue,
    nonce,
    deadline: maxUint256,
  };
  const [v, r, s] = toVrs(await signPermit(signer, domain, terms as Parameters<typeof signPermit>[2]));
  return { value, deadline: maxUint256, r, s, v };
}

describe.each([
  [
    "exact",
    exact,
    "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)",
  ],
  [
    "upto",
    upto,
    "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,address facilitator,uint256 validAfter)",
  ],
])("the constants of the %s proxy", (name, call, typeString) => {
  it("match the published ones", async () => {
    expect(await chain.simulate(call("PERMIT2", []))).toBe(canonicalContracts.permit2);
    expect(await chain.simulate(call("WITNESS_TYPE_STRING", []))).toBe(typeString);
    expect(await chain.simulate(call("WITNESS_TYPEHASH", []))).toBe(
      name === "exact"
        ? "0xd97b3239a7f32295517bd14cb074edfdd188dfe5eb42f802bb26d4fd1eb12c37"
        : "0xd4171c445a74218b01d4fd8af34ff1106580ea1e36ff837e64484bfaa2253b75",
    );
  });
});

describe("exact settle", () => {
  it("moves the full permitted amount to the signed payee, once", async () => {
    const [terms, witness] = [toTerms(), exactWitness()];
    const call = exact("settle", [terms, payer.address, witness, await signExact(terms, witness)], stranger);
    const before = await chain.balanceOf(payee.address);
    expect(await chain.send(call, [...exactProxyAbi, ...tokenAbi])).toEqual([
      `Transfer(${payer.address},${payee.address},1000)`,
      "Settled()",
    ]);
    expect(await chain.balanceOf(payee.address)).toBe(before + 1000n);
    expect(await chain.findRevert(call)).toBe("InvalidNonce()");
  });

  it("checks amount, payer, payee and time, in that order, before it calls Permit2", async () => {
    const permitted = { token, amount: 0n };
    const bad = { to: zeroAddress, validAfter: now + 10_000n };
    const settle = (terms: Terms1, owner: Hex, witness: Witness) =>
      chain.findRevert(exact("settle", [terms, owner, witness, "0x"]), now);
    expect(await settle(toTerms({ permitted }), zeroAddress, bad)).toBe("InvalidAmount()");
    expect(await settle(toTerms(), zeroAddress, bad)).toBe("InvalidOwner()");
    expect(await settle(toTerms(), payer.address, bad)).toBe("InvalidDestination()");
    expect(await settle(toTerms(), payer.address, { ...bad, to: payee.address })).toBe("PaymentTooEarly()");
    const expired = toTerms({ deadline: now - 1n });
    expect(await settle(expired, payer.address, exactWitness())).toBe(`SignatureExpired(${now - 1n})`);
    expect(await settle(toTerms(), payer.address, exactWitness())).toBe("InvalidSignatureLength()");
  });

  it("includes validAfter and the deadline in the validity period", async () => {
    const terms = toTerms({ deadline: now + 60n });
    const witness = { ...exactWitness(), validAfter: now + 50n };
    const call = exact("settle", [terms, payer.address, witness, await signExact(terms, witness)]);
    expect(await chain.findRevert(call, now + 49n)).toBe("PaymentTooEarly()");
    await chain.simulate(call, now + 50n);
    await chain.simulate(call, now + 60n);
    expect(await chain.findRevert(call, now + 61n)).toBe(`SignatureExpired(${now + 60n})`);
  });

  it("rejects a changed payee, time, amount, signer or spender", async () => {
    const [terms, witness] = [toTerms(), exactWitness()];
    const signature = await signExact(terms, witness);
    const settle = (changed: Terms1, to: Witness, sig: Hex) =>
      chain.findRevert(exact("settle", [changed, payer.address, to, sig]));
    expect(await settle(terms, { ...witness, to: stranger.address }, signature)).toBe("InvalidSigner()");
    expect(await settle(terms, { ...witness, validAfter: 0n }, signature)).toBe("InvalidSigner()");
    expect(await settle({ ...terms, permitted: { token, amount: 999n } }, witness, signature)).toBe("InvalidSigner()");
    expect(await settle(terms, witness, await signExact(terms, witness, stranger))).toBe("InvalidSigner()");
    expect(await settle(terms, witness, await signUpto(terms, witness))).toBe("InvalidSigner()");
  });

  it("fails if the allowance is missing or the balance is too low", async () => {
    const [terms, witness] = [toTerms({ permitted: { token, amount: 200_000n } }), exactWitness()];
    const call = exact("settle", [terms, payer.address, witness, await signExact(terms, witness)]);
    expect(await chain.findRevert(call)).toBe("TRANSFER_FROM_FAILED");
  });

  it("rejects reentrant calls from the token", async () => {
    const trap = await chain.deploy("ReentrantToken", stranger);
    const abi = [
      {
        type: "function",
        name: "prepare",
        stateMutability: "nonpayable",
        outputs: [],
        inputs: [
          { type: "address", name: "target" },
          { type: "bytes", name: "payload" },
        ],
      },
      { type: "function", name: "answer", stateMutability: "view", inputs: [], outputs: [{ type: "bytes", name: "" }] },
    ] as const;
    const witness = exactWitness();
    const [outer, inner] = [toTerms({ permitted: { token: trap, amount: 1n } }), toTerms()];
    const payload = encodeFunctionData({
      abi: exactProxyAbi,
      functionName: "settle",
      args: [inner, payer.address, witness, await signExact(inner, witness)],
    });
    await chain.send({
      address: trap,
      abi,
      functionName: "prepare",
      args: [canonicalContracts.exactPermit2Proxy, payload],
    });
    await chain.send(exact("settle", [outer, payer.address, witness, await signExact(outer, witness)]));
    expect(await chain.simulate({ address: trap, abi, functionName: "answer" })).toBe(
      toFunctionSelector("ReentrancyGuardReentrantCall()"),
    );
  });
});

describe("exact settleWithPermit", () => {
  it("approves Permit2 and settles in one transaction", async () => {
    await chain.send(tokenCall("mint", [stranger.address, 5000n]));
    const [terms, witness] = [toTerms(), exactWitness()];
    const permit = await toPermit2612(stranger, 1000n);
    const signature = await signExact(terms, witness, stranger);
    const settle = exact("settle", [terms, stranger.address, witness, signature]);
    expect(await chain.findRevert(settle)).toBe("TRANSFER_FROM_FAILED");
    const call = exact("settleWithPermit", [permit, terms, stranger.address, witness, signature]);
    expect(await chain.send(call, [...exactProxyAbi, ...tokenAbi])).toEqual([
      `Approval(${stranger.address},${canonicalContracts.permit2},1000)`,
      `Transfer(${stranger.address},${payee.address},1000)`,
      "SettledWithPermit()",
    ]);
  });

  it("requires the approved amount to equal the permitted amount", async () => {
    const [terms, witness] = [toTerms(), exactWitness()];
    const permit = await toPermit2612(stranger, 1001n);
    const args = [permit, terms, stranger.address, witness, await signExact(terms, witness, stranger)];
    expect(await chain.findRevert(exact("settleWithPermit", args))).toBe("Permit2612AmountMismatch()");
  });

  it("settles despite a failed approval if an allowance exists, and logs the reason", async () => {
    const [terms, witness] = [toTerms(), exactWitness()];
    const permit = await toPermit2612(payer, 1000n, 999n);
    const args = [permit, terms, payer.address, witness, await signExact(terms, witness)];
    expect(await chain.send(exact("settleWithPermit", args))).toEqual([
      `EIP2612PermitFailedWithReason(${token},${payer.address},EIP2612: invalid signature)`,
      "SettledWithPermit()",
    ]);
  });

  it("fails after a failed approval if no allowance exists", async () => {
    const [terms, witness] = [toTerms(), exactWitness()];
    const permit = await toPermit2612(stranger, 1000n, 999n);
    const args = [permit, terms, stranger.address, witness, await signExact(terms, witness, stranger)];
    expect(await chain.findRevert(exact("settleWithPermit", args))).toBe("TRANSFER_FROM_FAILED");
  });

  it("logs the approval's panic or custom error", async () => {
    const odd = await chain.deploy("OddToken", stranger);
    const abi = [
      {
        type: "function",
        name: "setFailure",
        stateMutability: "nonpayable",
        outputs: [],
        inputs: [{ type: "uint8", name: "failure" }],
      },
    ] as const;
    const settle = async () => {
      const [terms, witness] = [toTerms({ permitted: { token: odd, amount: 1n } }), exactWitness()];
      const permit = { ...(await toPermit2612(payer, 1n)) };
      return exact("settleWithPermit", [permit, terms, payer.address, witness, await signExact(terms, witness)]);
    };
    expect(await chain.send(await settle())).toEqual([
      `EIP2612PermitFailedWithPanic(${odd},${payer.address},1)`,
      "SettledWithPermit()",
    ]);
    await chain.send({ address: odd, abi, functionName: "setFailure", args: [1] });
    expect(await chain.send(await settle())).toEqual([
      `EIP2612PermitFailedWithData(${odd},${payer.address},${toFunctionSelector("NoPermits()")})`,
      "SettledWithPermit()",
    ]);
  });
});

describe("upto settle", () => {
  it("moves the used amount, up to the permitted amount, once", async () => {
    for (const amount of [370n, 1000n]) {
      const [terms, witness] = [toTerms(), uptoWitness()];
      const call = upto("settle", [terms, amount, payer.address, witness, await signUpto(terms, witness)]);
      expect(await chain.send(call, [...uptoProxyAbi, ...tokenAbi])).toEqual([
        `Transfer(${payer.address},${payee.address},${amount})`,
        "Settled()",
      ]);
      expect(await chain.findRevert(call)).toBe("InvalidNonce()");
    }
  });

  it("checks the amount and the facilitator before anything else", async () => {
    const [terms, witness] = [toTerms(), uptoWitness()];
    const signature = await signUpto(terms, witness);
    const settle = (amount: bigint, account: TestAccount, to: Witness = witness, owner: Hex = payer.address) =>
      chain.findRevert(upto("settle", [terms, amount, owner, to, signature], account), now);
    expect(await settle(1001n, stranger)).toBe("AmountExceedsPermitted()");
    expect(await settle(1000n, stranger)).toBe("UnauthorizedFacilitator()");
    expect(await settle(0n, stranger)).toBe("UnauthorizedFacilitator()");
    const bad = { ...witness, to: zeroAddress, validAfter: now + 10_000n };
    expect(await settle(0n, relayer, bad, zeroAddress)).toBe("InvalidAmount()");
    expect(await settle(1n, relayer, bad, zeroAddress)).toBe("InvalidOwner()");
    expect(await settle(1n, relayer, bad)).toBe("InvalidDestination()");
    expect(await settle(1n, relayer, { ...bad, to: payee.address })).toBe("PaymentTooEarly()");
  });

  it("rejects any facilitator other than the signed one", async () => {
    const [terms, witness] = [toTerms(), uptoWitness()];
    const signature = await signUpto(terms, witness);
    const claimed = { ...witness, facilitator: stranger.address };
    const call = upto("settle", [terms, 1n, payer.address, claimed, signature], stranger);
    expect(await chain.findRevert(call)).toBe("InvalidSigner()");
  });

  it("approves Permit2 for the permitted amount and settles less, in one transaction", async () => {
    const [terms, witness] = [toTerms(), uptoWitness()];
    const signature = await signUpto(terms, witness, stranger);
    const withPermit = async (value: bigint, account = relayer) =>
      upto(
        "settleWithPermit",
        [await toPermit2612(stranger, value), terms, 250n, stranger.address, witness, signature],
        account,
      );
    expect(await chain.findRevert(await withPermit(250n))).toBe("Permit2612AmountMismatch()");
    expect(await chain.findRevert(await withPermit(250n, payer))).toBe("UnauthorizedFacilitator()");
    expect(await chain.send(await withPermit(1000n), [...uptoProxyAbi, ...tokenAbi])).toEqual([
      `Approval(${stranger.address},${canonicalContracts.permit2},1000)`,
      `Transfer(${stranger.address},${payee.address},250)`,
      "SettledWithPermit()",
    ]);
  });
});

it("lets a payer cancel a nonce before it is settled", async () => {
  const [terms, witness] = [toTerms(), exactWitness()];
  const call = exact("settle", [terms, payer.address, witness, await signExact(terms, witness)]);
  await chain.simulate(call);
  await chain.send({
    address: canonicalContracts.permit2,
    abi: permit2Abi,
    functionName: "invalidateUnorderedNonces",
    args: [terms.nonce >> 8n, 1n << (terms.nonce & 255n)],
    account: payer,
  });
  expect(await chain.findRevert(call)).toBe("InvalidNonce()");
});
