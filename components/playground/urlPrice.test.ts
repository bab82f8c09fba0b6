/** Tests how a URL's price is read without paying, and how a URL that can't be paid is explained. */
import { expect, it } from "vitest";
import { encodeHeader, paymentRequiredHeader } from "@/lib/x402/header";
import { chooseRequirement } from "@/lib/x402/payFetchChoice";
import type { PaymentRequired, PaymentRequirements } from "@/lib/x402/types";
import { ForeignFetchError } from "./foreignFetch";
import { listPayable, type Place, readUrlPrice, toUrlPrice, toVisitorError, type UrlPrice } from "./urlPrice";

const asset = "0x534b2f3a21130d7a60830c2df862319e593943a3";
const network: Place["network"] = {
  label: "Testnet",
  chainId: 10143,
  tokens: [{ address: asset, symbol: "USDC", decimals: 6, eip3009: true }],
};
const other: Place["network"] = {
  label: "Base Sepolia",
  chainId: 84532,
  tokens: [{ address: "0x036CbD53842c5426634e7929541eC2318f3dCF7e", symbol: "USDC", decimals: 6, eip3009: true }],
};
const place: Place = { network, networks: [network, other] };
const requirement: PaymentRequirements = {
  scheme: "exact",
  network: "eip155:10143",
  amount: "10000",
  asset,
  payTo: "0x3333333333333333333333333333333333333333",
  maxTimeoutSeconds: 60,
  extra: { name: "USDC", version: "2" },
};

function toOffer(changes: Partial<PaymentRequirements> = {}, version = 2): Response {
  const accepts = [{ ...requirement, ...changes }];
  const header = encodeHeader({ x402Version: version, resource: { url: "https://seller.example/" }, accepts } as never);
  return new Response("{}", { status: 402, headers: { [paymentRequiredHeader]: header } });
}

const readPrice = (answer: Response | Error): Promise<UrlPrice> =>
  readUrlPrice({ url: "https://seller.example/", method: "GET" }, place, async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  });

it("returns a price that this page can pay", async () => {
  expect(await readPrice(toOffer())).toMatchObject({ requirement, offer: { accepts: [requirement] } });
});

const blocked = new ForeignFetchError({ error: "10.0.0.1 is a private address.", reason: "refused_address" });
const late = new ForeignFetchError({ error: "The URL did not respond within 10000 ms.", reason: "timeout" });
const version1 = JSON.stringify({ x402Version: 1, accepts: [] });

it.each<[string, Response | Error, string, RegExp, RegExp]>([
  ["a free URL", new Response("{}"), "No payment required", /HTTP 200/, /without a payment/],
  ["an error", new Response("", { status: 404 }), "The URL returned HTTP 404", /instead of a price/, /path/],
  ["version 1", new Response(version1, { status: 402 }), "The seller uses x402 version 1", /no PAYMENT/, /version 2/],
  ["a bare 402", new Response("{}", { status: 402 }), "The price can’t be read", /no PAYMENT/, /PAYMENT-REQUIRED/],
  ["a header of another version", toOffer({}, 1), "The price can’t be read", /not x402 version 2/, /PAYMENT-REQUIRED/],
  [
    "another network",
    toOffer({ network: "eip155:8453" }),
    "This page can’t pay on eip155:8453",
    /accepts payments on eip155:8453, but this page pays on Testnet/,
    /accept USDC on Testnet/,
  ],
  [
    "another scheme",
    toOffer({ scheme: "stream" }),
    "None of the payment options work here",
    /accepts stream in USDC\. This page pays with exact or upto in USDC/,
    /accept USDC on Testnet/,
  ],
  ["a high price", toOffer({ amount: "10000001" }), "The price exceeds the limit", /10000001/, /at most 10 tokens/],
  ["a private address", blocked, "This URL is blocked", /private address/, /public http or https/],
  ["a timeout", late, "The server took too long", /10000 ms/, /Try again/],
])("explains %s and says what to do", async (_, answer, title, cause, fix) => {
  const price = await readPrice(answer);
  expect(price).toMatchObject({
    failure: { title, cause: expect.stringMatching(cause), fix: expect.stringMatching(fix) },
  });
});

it("rethrows a failure that is not about the URL", async () => {
  await expect(readPrice(new TypeError("Failed to fetch"))).rejects.toThrow("Failed to fetch");
});

it("names the network of this node that can pay, and still returns the offer", async () => {
  const accepts = [{ ...requirement, network: "eip155:84532" as const, asset: other.tokens[0]!.address }];
  const offer = { x402Version: 2, resource: { url: "https://seller.example/" }, accepts } as PaymentRequired;
  const price = await toUrlPrice(offer, place);
  expect(price).toEqual({
    offer,
    isFree: false,
    failure: {
      title: "This page can’t pay on Base Sepolia",
      cause: "The seller accepts payments on Base Sepolia, but this page pays on Testnet.",
    },
  });
  expect(listPayable(offer, place.networks)).toEqual([other]);
  expect(listPayable({ accepts: [requirement] }, place.networks)).toEqual([network]);
});

it("tells visitors about their page, not about spending limits", async () => {
  const accepts = [{ ...requirement, network: "eip155:84532" as const }];
  const error = await chooseRequirement(accepts, { spendLimits: [] }).catch((cause: unknown) => cause);
  expect(toVisitorError(error, place)).toMatchObject({
    message: "This page can’t pay on Base Sepolia.",
    considered: [{ verdict: "otherAsset" }],
  });
  expect(toVisitorError(blocked, place)).toBe(blocked);
});
