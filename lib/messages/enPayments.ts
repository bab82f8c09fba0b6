/**
 * English texts of the list of paid resources and of the contracts of payments, a part of the one catalogue.
 */
export const paymentsMessages = {
  "nav.resources": "Resources",

  // On the pages of what genesis placed for payments.
  "address.ownCode":
    "The code of {name} on this chain is Tollscan’s own, written to the same interface and behaviour as the one on public chains: its bytes and code hash are not theirs.",

  "resources.title": "Paid resources",
  "resources.intro":
    "Data of {network} that any x402 client can buy, a request at a time. The list for programs stands at {path}.",
  "resources.list": "For sale",
  "resources.none": "Nothing is for sale on {network}",
  "resources.noneHint": "A paid resource needs a token to be paid in, and this network’s configuration names none.",
  "resources.upTo": "up to {amount}",
  "resources.per": "{amount} per {unit}",
  "resources.each": "per request",
  "resources.exactSigned": "exact · signed transfer",
  "resources.exactPermit2": "exact · Permit2",
  "resources.upto": "upto · Permit2",
  "resources.in": "in {symbol}",
  "resources.try": "Try it",
  "resources.tryWhat": "Try it: {title} in the playground",
  "resources.json": "JSON",
  "resources.fromProgram": "From a program",
  "resources.fromProgramHint":
    "Any x402 version 2 client pays these. The first answer is 402 with the price in the PAYMENT-REQUIRED header.",
} as const;
