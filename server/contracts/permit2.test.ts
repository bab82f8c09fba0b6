/** Tests Permit2 on a real EVM: transfers by signature with unordered nonces, and allowances that expire. */
import {
  encodeAbiParameters,
  type Hex,
  keccak256,
  parseAbi,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
} from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { permit2Abi } from "@/lib/abi/permit2";
import { tokenAbi } from "@/lib/abi/token";
import { canonicalContracts } from "@/lib/contracts";
import { startAnvilChain, type TestAccount } from "@/server/contracts/testing/anvilChain";
import { toHighS } from "@/server/contracts/testing/authorization";
import {
  type Details,
  type Permitted,
  permit2Domain,
  signAllowance,
  signPermitTransfer,
  signWitnessTransfer,
  type Terms,
} from "@/server/contracts/testing/permit2";
import { placePredeploys } from "@/server/contracts/testing/placePredeploys";
import {
  payee,
  payer,
  plainToken,
  relayer,
  startTokenChain,
  stranger,
  type TokenChain,
  token,
  tokenCall,
} from "@/server/contracts/testing/tokenChain";

let chain: TokenChain;
let now: bigint;
let nonces = 1000n;

const call = (functionName: string, args: readonly unknown[], account: TestAccount = relayer) =>
  ({ address: canonicalContracts.permit2, abi: permit2Abi, functionName, args, account }) as const;
const nextNonce = () => {
  nonces += 1n;
  return nonces;
};
const one = (changes: Partial<Terms<Permitted>> = {}): Terms<Permitted> => ({
  permitted: { token, amount: 100n },
  nonce: nextNonce(),
  deadline: now + 1000n,
  ...changes,
});
const toPayee = (requestedAmount: bigint) => ({ to: payee.address, requestedAmount });
const transferOf = (from: Hex, to: Hex, units: bigint) => `Transfer(${from},${to},${units})`;

beforeAll(async () => {
  chain = await startTokenChain();
  await placePredeploys(chain, 10143);
  for (const address of [token, plainToken]) {
    await chain.send({ ...tokenCall("approve", [canonicalContracts.permit2, 500_000n], payer), address });
  }
  now = await chain.now();
});
afterAll(() => chain.close());

it("has Permit2's domain separator on both public networks", async () => {
  expect(await chain.simulate(call("DOMAIN_SEPARATOR", []))).toBe(
    "0xa0647e1feb1b2082348038c21a15be6aea95d32da1dea93a14a78edf69f9ea03",
  );
  const mainnet = await startAnvilChain(143);
  try {
    await placePredeploys(mainnet, 143);
    expect(await mainnet.simulate(call("DOMAIN_SEPARATOR", []))).toBe(
      "0x400b2a627bd11055ecf97292e90bbe7028d6624bc17c675cb317ccf231138b5f",
    );
  } finally {
    await mainnet.close();
  }
});

describe("a signed Permit2 transfer", () => {
  it("moves at most the permitted amount to the spender's recipient, once, and sets the nonce's bit", async () => {
    const nonce = (7n << 8n) | 255n;
    const terms = one({ nonce });
    const signature = await signPermitTransfer(payer, relayer.address, terms);
    const transfer = call("permitTransferFrom", [terms, toPayee(40n), payer.address, signature]);
    expect(await chain.send(transfer, tokenAbi)).toEqual([transferOf(payer.address, payee.address, 40n)]);
    expect(await chain.simulate(call("nonceBitmap", [payer.address, 7n]))).toBe(1n << 255n);
    expect(await chain.findRevert(transfer)).toBe("InvalidNonce()");
    const neighbour = one({ nonce: nonce - 1n });
    const second = await signPermitTransfer(payer, relayer.address, neighbour);
    await chain.simulate(call("permitTransferFrom", [neighbour, toPayee(40n), payer.address, second]));
  });

  it("checks deadline, amount, nonce and signature, in that order", async () => {
    const terms = one({ deadline: now + 50n });
    const transfer = (amount: bigint, changes: Partial<Terms<Permitted>> = {}) =>
      call("permitTransferFrom", [{ ...terms, ...changes }, toPayee(amount), payer.address, "0x"]);
    const spent = (7n << 8n) | 255n;
    expect(await chain.findRevert(transfer(101n, { nonce: spent }), now + 51n)).toBe(`SignatureExpired(${now + 50n})`);
    expect(await chain.findRevert(transfer(101n, { nonce: spent }), now + 50n)).toBe("InvalidAmount(100)");
    expect(await chain.findRevert(transfer(100n, { nonce: spent }), now + 50n)).toBe("InvalidNonce()");
    expect(await chain.findRevert(transfer(100n), now + 50n)).toBe("InvalidSignatureLength()");
  });

  it("accepts 65-byte and 64-byte (EIP-2098) signatures, with low or high s", async () => {
    const terms = one();
    const signature = await signPermitTransfer(payer, relayer.address, terms);
    const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)));
    for (const form of [signature, compact, toHighS(signature)]) {
      await chain.simulate(call("permitTransferFrom", [terms, toPayee(1n), payer.address, form]));
    }
    const refuse = (form: Hex) =>
      chain.findRevert(call("permitTransferFrom", [terms, toPayee(1n), payer.address, form]));
    expect(await refuse(`${signature.slice(0, -2)}1d` as Hex)).toBe("InvalidSignature()");
    expect(await refuse(`${signature}00`)).toBe("InvalidSignatureLength()");
    expect(await refuse(await signPermitTransfer(stranger, relayer.address, terms))).toBe("InvalidSigner()");
  });

  it("is bound to spender, chain and contract", async () => {
    const terms = one();
    const refuse = (signature: Hex) =>
      chain.findRevert(call("permitTransferFrom", [terms, toPayee(1n), payer.address, signature]));
    expect(await refuse(await signPermitTransfer(payer, stranger.address, terms))).toBe("InvalidSigner()");
    for (const domain of [
      { ...permit2Domain, chainId: 143 },
      { ...permit2Domain, verifyingContract: token },
      { ...permit2Domain, version: "1" },
    ]) {
      expect(await refuse(await signPermitTransfer(payer, relayer.address, terms, domain))).toBe("InvalidSigner()");
    }
  });

  it("verifies a contract owner's signature through ERC-1271", async () => {
    const wallet = await chain.deploy("TestWallet", stranger);
    const abi = parseAbi(["function execute(address target, bytes data)"]);
    await chain.send(tokenCall("mint", [wallet, 100n]));
    // approve(Permit2, 100)
    const approve: Hex = `0x095ea7b3${canonicalContracts.permit2.slice(2).toLowerCase().padStart(64, "0")}${"64".padStart(64, "0")}`;
    await chain.send({ address: wallet, abi, functionName: "execute", args: [token, approve], account: stranger });
    const terms = one();
    const transfer = async (signer: TestAccount) =>
      call("permitTransferFrom", [
        terms,
        toPayee(100n),
        wallet,
        await signPermitTransfer(signer, relayer.address, terms),
      ]);
    expect(await chain.findRevert(await transfer(payer))).toBe("InvalidContractSignature()");
    expect(await chain.send(await transfer(stranger), tokenAbi)).toEqual([transferOf(wallet, payee.address, 100n)]);
  });

  it("accepts a token that returns true or nothing", async () => {
    const odd = await chain.deploy("OddToken", stranger);
    const abi = parseAbi(["function setAnswer(bytes answer)"]);
    const terms = one({ permitted: { token: odd, amount: 1n } });
    const signature = await signPermitTransfer(payer, relayer.address, terms);
    const transfer = call("permitTransferFrom", [terms, toPayee(1n), payer.address, signature]);
    const word = (value: number): Hex => `0x${value.toString(16).padStart(64, "0")}`;
    const answers: [Hex, boolean][] = [
      ["0x", true],
      [word(1), true],
      [word(0), false],
      [word(2), false],
      ["0x01", false],
    ];
    for (const [answer, good] of answers) {
      await chain.send({ address: odd, abi, functionName: "setAnswer", args: [answer] });
      if (good) await chain.simulate(transfer);
      else expect(await chain.findRevert(transfer), answer).toBe("TRANSFER_FROM_FAILED");
    }
  });

  it("can be canceled by its owner, one word of nonces at a time", async () => {
    const terms = one({ nonce: (9n << 8n) | 3n });
    const signature = await signPermitTransfer(payer, relayer.address, terms);
    expect(await chain.send(call("invalidateUnorderedNonces", [9n, 0b1100n], payer))).toEqual([
      `UnorderedNonceInvalidation(${payer.address},9,12)`,
    ]);
    const transfer = call("permitTransferFrom", [terms, toPayee(1n), payer.address, signature]);
    expect(await chain.findRevert(transfer)).toBe("InvalidNonce()");
    await chain.send(call("invalidateUnorderedNonces", [9n, 0b0001n], payer));
    expect(await chain.simulate(call("nonceBitmap", [payer.address, 9n]))).toBe(0b1101n);
  });
});

describe("a signed Permit2 batch", () => {
  const many = (): Terms<Permitted[]> => ({
    permitted: [
      { token, amount: 10n },
      { token: plainToken, amount: 20n },
    ],
    nonce: nextNonce(),
    deadline: now + 1000n,
  });

  it("moves several tokens and skips amounts of zero", async () => {
    const terms = many();
    const signature = await signPermitTransfer(payer, relayer.address, terms);
    const transfer = (first: bigint, second: bigint) =>
      call("permitTransferFrom", [terms, [toPayee(first), toPayee(second)], payer.address, signature]);
    expect(await chain.findRevert(transfer(10n, 21n))).toBe("InvalidAmount(20)");
    expect(await chain.findRevert(call("permitTransferFrom", [terms, [toPayee(1n)], payer.address, signature]))).toBe(
      "LengthMismatch()",
    );
    expect(await chain.findRevert(transfer(1n, 1n), terms.deadline + 1n)).toBe(`SignatureExpired(${terms.deadline})`);
    expect(await chain.send(transfer(0n, 20n), tokenAbi)).toEqual([transferOf(payer.address, payee.address, 20n)]);
    expect(await chain.findRevert(transfer(0n, 20n))).toBe("InvalidNonce()");
  });

  it("can include a witness", async () => {
    const terms = many();
    const witness = { to: payee.address, validAfter: 5n };
    const signature = await signWitnessTransfer(payer, relayer.address, terms, witness);
    const typeString =
      "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)";
    const transfer = (hash: Hex) =>
      call("permitWitnessTransferFrom", [
        terms,
        [toPayee(10n), toPayee(20n)],
        payer.address,
        hash,
        typeString,
        signature,
      ]);
    const toHash = (validAfter: bigint) =>
      keccak256(
        encodeAbiParameters(
          [{ type: "bytes32" }, { type: "address" }, { type: "uint256" }],
          ["0xd97b3239a7f32295517bd14cb074edfdd188dfe5eb42f802bb26d4fd1eb12c37", payee.address, validAfter],
        ),
      );
    expect(await chain.findRevert(transfer(toHash(6n)))).toBe("InvalidSigner()");
    expect(await chain.send(transfer(toHash(5n)), tokenAbi)).toEqual([
      transferOf(payer.address, payee.address, 10n),
      transferOf(payer.address, payee.address, 20n),
    ]);
  });
});

describe("a Permit2 allowance", () => {
  const allowance = (spender: Hex, of: Hex = token) => chain.simulate(call("allowance", [payer.address, of, spender]));
  const pull = (units: bigint, spender: TestAccount) =>
    call("transferFrom", [payer.address, payee.address, units, token], spender);
  const unlimited = 2n ** 160n - 1n;

  it("decreases with each transfer until it expires", async () => {
    const expiration = Number(now) + 500;
    expect(await chain.send(call("approve", [token, relayer.address, 100n, expiration], payer))).toEqual([
      `Approval(${payer.address},${token},${relayer.address},100,${expiration})`,
    ]);
    await chain.send(pull(30n, relayer));
    expect(await allowance(relayer.address)).toEqual([70n, expiration, 0]);
    expect(await chain.findRevert(pull(71n, relayer))).toBe("InsufficientAllowance(70)");
    await chain.simulate(pull(70n, relayer), BigInt(expiration));
    expect(await chain.findRevert(pull(70n, relayer), BigInt(expiration) + 1n)).toBe(`AllowanceExpired(${expiration})`);
    expect(await chain.findRevert(pull(1n, stranger))).toBe("AllowanceExpired(0)");
  });

  it("is valid for its block only if the expiration is zero, and never decreases if it is unlimited", async () => {
    await chain.send(call("approve", [token, stranger.address, unlimited, 0], payer));
    const at = await chain.now();
    expect(await allowance(stranger.address)).toEqual([unlimited, Number(at), 0]);
    await chain.simulate(pull(5n, stranger), at);
    expect(await chain.findRevert(pull(5n, stranger), at + 1n)).toBe(`AllowanceExpired(${at})`);
    const expiration = 2 ** 48 - 1;
    await chain.send(call("approve", [token, stranger.address, unlimited, expiration], payer));
    const batch = [5n, 6n].map((amount) => ({ from: payer.address, to: payee.address, amount, token }));
    expect(await chain.send(call("transferFrom", [batch], stranger), tokenAbi)).toEqual([
      transferOf(payer.address, payee.address, 5n),
      transferOf(payer.address, payee.address, 6n),
    ]);
    expect(await allowance(stranger.address)).toEqual([unlimited, expiration, 0]);
    expect(await chain.send(call("lockdown", [[{ token, spender: stranger.address }]], payer))).toEqual([
      `Lockdown(${payer.address},${token},${stranger.address})`,
    ]);
    expect(await chain.findRevert(pull(1n, stranger))).toBe("InsufficientAllowance(0)");
  });

  it("can be granted by signature, once per nonce, alone or in a batch", async () => {
    const spender = payee.address;
    const expiration = Number(now) + 500;
    const toDetails = (of: Hex, nonce: number): Details => ({ token: of, amount: 8n, expiration, nonce });
    const single = { details: toDetails(token, 0), spender, sigDeadline: now + 100n };
    const signature = await signAllowance(payer, single);
    const permit = call("permit", [payer.address, single, signature]);
    expect(await chain.findRevert(permit, now + 101n)).toBe(`SignatureExpired(${now + 100n})`);
    expect(await chain.findRevert(call("permit", [stranger.address, single, signature]))).toBe("InvalidSigner()");
    expect(await chain.send(permit)).toEqual([`Permit(${payer.address},${token},${spender},8,${expiration},0)`]);
    expect(await allowance(spender)).toEqual([8n, expiration, 1]);
    expect(await chain.findRevert(permit)).toBe("InvalidNonce()");

    const batch = { details: [toDetails(token, 1), toDetails(plainToken, 0)], spender, sigDeadline: now + 100n };
    expect(await chain.send(call("permit", [payer.address, batch, await signAllowance(payer, batch)]))).toEqual([
      `Permit(${payer.address},${token},${spender},8,${expiration},1)`,
      `Permit(${payer.address},${plainToken},${spender},8,${expiration},0)`,
    ]);
    expect(await allowance(spender, plainToken)).toEqual([8n, expiration, 1]);
  });

  it("lets its owner skip nonces, but only forward and within a limit", async () => {
    const spender = "0x0000000000000000000000000000000000009999";
    const skip = (nonce: number) => call("invalidateNonces", [token, spender, nonce], payer);
    expect(await chain.findRevert(skip(0))).toBe("InvalidNonce()");
    expect(await chain.findRevert(skip(65_536))).toBe("ExcessiveInvalidation()");
    expect(await chain.send(skip(65_535))).toEqual([`NonceInvalidation(${payer.address},${token},${spender},65535,0)`]);
    expect(await chain.findRevert(skip(65_535))).toBe("InvalidNonce()");
  });
});
