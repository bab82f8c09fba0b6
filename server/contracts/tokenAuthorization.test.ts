/**
 * Tests token transfers by signature on a real EVM: EIP-3009, EIP-2612 and ERC-1271. Revert reasons must equal those of
 * USDC's FiatToken word for word, because facilitators match on them.
 */
import { concat, type Hex, maxUint256, pad, zeroAddress, zeroHash } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestAccount } from "@/server/contracts/testing/anvilChain";
import {
  type Authorization,
  signCancel,
  signPermit,
  signReceive,
  signTransfer,
  toHighS,
  toVrs,
} from "@/server/contracts/testing/authorization";
import {
  domain,
  payee,
  payer,
  plainToken,
  relayer,
  startTokenChain,
  stranger,
  type TokenChain,
  tokenCall,
  toNonce,
} from "@/server/contracts/testing/tokenChain";

let chain: TokenChain;
beforeAll(async () => {
  chain = await startTokenChain();
});
afterAll(() => chain.close());

const used = "FiatTokenV2: authorization is used or canceled";
const invalid = "FiatTokenV2: invalid signature";

const isSpent = (authorizer: Hex, nonce: Hex) => chain.simulate(tokenCall("authorizationState", [authorizer, nonce]));
const nextPermitNonce = async (account: Hex) => (await chain.simulate(tokenCall("nonces", [account]))) as bigint;
const toArgs = (a: Authorization) => [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce];
const inForm = (form: string, signature: Hex) => (form === "vrs" ? toVrs(signature) : [signature]);
const transfer = (authorization: Authorization, signature: Hex) =>
  tokenCall("transferWithAuthorization", [...toArgs(authorization), signature]);

describe("EIP-3009", () => {
  it.each(["vrs", "bytes"])("transfers once per nonce (%s)", async (form) => {
    const authorization = await chain.toAuthorization();
    const { nonce } = authorization;
    const signature = await signTransfer(payer, domain, authorization);
    const before = await chain.balanceOf(payee.address);
    const call = tokenCall("transferWithAuthorization", [...toArgs(authorization), ...inForm(form, signature)]);
    expect(await chain.send(call)).toEqual([
      `AuthorizationUsed(${payer.address},${nonce})`,
      `Transfer(${payer.address},${payee.address},100)`,
    ]);
    expect(await chain.balanceOf(payee.address)).toBe(before + 100n);
    expect(await isSpent(payer.address, nonce)).toBe(true);
    expect(await isSpent(payee.address, nonce)).toBe(false);
    expect(await chain.findRevert(call)).toBe(used);
  });

  it.each(["vrs", "bytes"])("lets only the payee call receiveWithAuthorization (%s)", async (form) => {
    const authorization = await chain.toAuthorization();
    const signature = await signReceive(payer, domain, authorization);
    const args = [...toArgs(authorization), ...inForm(form, signature)];
    expect(await chain.findRevert(tokenCall("receiveWithAuthorization", args, relayer))).toBe(
      "FiatTokenV2: caller must be the payee",
    );
    const receive = tokenCall("receiveWithAuthorization", args, payee);
    expect(await chain.send(receive)).toEqual([
      `AuthorizationUsed(${payer.address},${authorization.nonce})`,
      `Transfer(${payer.address},${payee.address},100)`,
    ]);
    expect(await chain.findRevert(receive)).toBe(used);
  });

  it.each(["vrs", "bytes"])("rejects a canceled nonce (%s)", async (form) => {
    const authorization = await chain.toAuthorization();
    const { nonce } = authorization;
    const cancel = async (signer: TestAccount) => {
      const signature = await signCancel(signer, domain, { authorizer: payer.address, nonce });
      return tokenCall("cancelAuthorization", [payer.address, nonce, ...inForm(form, signature)]);
    };
    expect(await chain.findRevert(await cancel(stranger))).toBe(invalid);
    expect(await chain.send(await cancel(payer))).toEqual([`AuthorizationCanceled(${payer.address},${nonce})`]);
    expect(await isSpent(payer.address, nonce)).toBe(true);
    const signature = await signTransfer(payer, domain, authorization);
    expect(await chain.findRevert(transfer(authorization, signature))).toBe(used);
    expect(await chain.findRevert(await cancel(payer))).toBe(used);
  });

  it("excludes both ends of the validity period", async () => {
    const now = await chain.now();
    const authorization = await chain.toAuthorization({ validAfter: now + 50n, validBefore: now + 60n });
    const call = transfer(authorization, await signTransfer(payer, domain, authorization));
    const early = "FiatTokenV2: authorization is not yet valid";
    const late = "FiatTokenV2: authorization is expired";
    expect(await chain.findRevert(call, now + 50n)).toBe(early);
    await chain.simulate(call, now + 51n);
    await chain.simulate(call, now + 59n);
    expect(await chain.findRevert(call, now + 60n)).toBe(late);
    expect(await chain.findRevert(call, now + 61n)).toBe(late);
  });

  it("rejects a signature over different values", async () => {
    const authorization = await chain.toAuthorization();
    const signature = await signTransfer(payer, domain, authorization);
    const changes: Partial<Authorization>[] = [
      { to: stranger.address },
      { from: stranger.address },
      { value: 101n },
      { validAfter: authorization.validAfter - 1n },
      { validBefore: authorization.validBefore + 1n },
      { nonce: toNonce() },
    ];
    for (const change of changes) {
      const call = transfer({ ...authorization, ...change }, signature);
      expect(await chain.findRevert(call), Object.keys(change).join()).toBe(invalid);
    }
    const foreign = {
      "another signer": await signTransfer(stranger, domain, authorization),
      "another message": await signReceive(payer, domain, authorization),
      "another version": await signTransfer(payer, { ...domain, version: "1" }, authorization),
      "another name": await signTransfer(payer, { ...domain, name: "USD Coin" }, authorization),
      "another chain": await signTransfer(payer, { ...domain, chainId: 143 }, authorization),
      "another token": await signTransfer(payer, { ...domain, verifyingContract: plainToken }, authorization),
    };
    for (const [what, wrong] of Object.entries(foreign)) {
      expect(await chain.findRevert(transfer(authorization, wrong)), what).toBe(invalid);
    }
    await chain.simulate(transfer(authorization, signature));
  });

  it("rejects malleable and malformed signatures, each for its own reason", async () => {
    const authorization = await chain.toAuthorization();
    const signature = await signTransfer(payer, domain, authorization);
    const refuse = (wrong: Hex, from = payer.address) => chain.findRevert(transfer({ ...authorization, from }, wrong));
    expect(await refuse(toHighS(signature))).toBe("ECRecover: invalid signature 's' value");
    expect(await refuse(`${signature.slice(0, -2)}00` as Hex)).toBe("ECRecover: invalid signature 'v' value");
    expect(await refuse(signature.slice(0, -2) as Hex)).toBe("ECRecover: invalid signature length");
    expect(await refuse("0x")).toBe("ECRecover: invalid signature length");
    // With r = 0, no signer can be recovered. The contract must not take the zero address as the signer.
    const nobody = concat([zeroHash, pad("0x01"), "0x1b"]);
    expect(await refuse(nobody)).toBe("ECRecover: invalid signature");
    expect(await refuse(nobody, zeroAddress)).toBe("ECRecover: invalid signature");
  });

  it("does not use the nonce if the balance is too low", async () => {
    const authorization = await chain.toAuthorization({ value: 10_000_000n });
    const signature = await signTransfer(payer, domain, authorization);
    expect(await chain.findRevert(transfer(authorization, signature))).toBe("ERC20: transfer amount exceeds balance");
    expect(await isSpent(payer.address, authorization.nonce)).toBe(false);
  });
});

describe("EIP-2612", () => {
  const toPermit = async (signer: TestAccount, deadline = maxUint256) => {
    const nonce = await nextPermitNonce(payer.address);
    const terms = { owner: payer.address, spender: stranger.address, value: 77n, deadline };
    const signature = await signPermit(signer, domain, { ...terms, nonce });
    return { nonce, signature, terms: [payer.address, stranger.address, 77n, deadline] };
  };

  it.each(["vrs", "bytes"])("approves once per nonce, with or without a deadline (%s)", async (form) => {
    const { nonce, signature, terms } = await toPermit(payer);
    const call = tokenCall("permit", [...terms, ...inForm(form, signature)]);
    expect(await chain.send(call)).toEqual([`Approval(${payer.address},${stranger.address},77)`]);
    expect(await nextPermitNonce(payer.address)).toBe(nonce + 1n);
    expect(await chain.findRevert(call)).toBe("EIP2612: invalid signature");
  });

  it("includes the deadline in the validity period", async () => {
    const deadline = (await chain.now()) + 100n;
    const { signature, terms } = await toPermit(payer, deadline);
    const call = tokenCall("permit", [...terms, signature]);
    await chain.simulate(call, deadline);
    expect(await chain.findRevert(call, deadline + 1n)).toBe("FiatTokenV2: permit is expired");
  });

  it("rejects a high s and another account's signature", async () => {
    const own = await toPermit(payer);
    expect(await chain.findRevert(tokenCall("permit", [...own.terms, toHighS(own.signature)]))).toBe(
      "ECRecover: invalid signature 's' value",
    );
    const other = await toPermit(stranger);
    expect(await chain.findRevert(tokenCall("permit", [...other.terms, other.signature]))).toBe(
      "EIP2612: invalid signature",
    );
  });
});

describe("ERC-1271", () => {
  it("verifies a contract signer's signature in every function", async () => {
    const wallet = await chain.deploy("TestWallet", stranger);
    await chain.send(tokenCall("mint", [wallet, 1000n]));

    const refused = await chain.toAuthorization({ from: wallet });
    expect(await chain.findRevert(transfer(refused, await signTransfer(payer, domain, refused)))).toBe(invalid);
    for (const form of ["vrs", "bytes"]) {
      const authorization = await chain.toAuthorization({ from: wallet });
      const signature = await signTransfer(stranger, domain, authorization);
      await chain.send(tokenCall("transferWithAuthorization", [...toArgs(authorization), ...inForm(form, signature)]));
    }
    expect(await chain.balanceOf(wallet)).toBe(800n);

    const terms = { owner: wallet, spender: payee.address, value: 9n, nonce: 0n, deadline: maxUint256 };
    const permit = await signPermit(stranger, domain, terms);
    expect(await chain.send(tokenCall("permit", [wallet, payee.address, 9n, maxUint256, permit]))).toEqual([
      `Approval(${wallet},${payee.address},9)`,
    ]);
    const nonce = toNonce();
    const cancel = await signCancel(stranger, domain, { authorizer: wallet, nonce });
    expect(await chain.send(tokenCall("cancelAuthorization", [wallet, nonce, cancel]))).toEqual([
      `AuthorizationCanceled(${wallet},${nonce})`,
    ]);
  });

  it("rejects a contract signer that is not a wallet", async () => {
    const authorization = await chain.toAuthorization({ from: plainToken });
    const signature = await signTransfer(payer, domain, authorization);
    expect(await chain.findRevert(transfer(authorization, signature))).toBe(invalid);
  });
});
