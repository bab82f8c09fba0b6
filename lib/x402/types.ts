/**
 * The types of the x402 version 2 wire format, which wire.ts validates. Amounts are decimal strings in the asset's
 * smallest unit; times are decimal strings in seconds since the epoch. The npm package exports these types, so this
 * file imports nothing.
 */

export type Hex = `0x${string}`;
export type Extensions = Record<string, unknown>;

/** One way to pay for a resource. */
export type PaymentRequirements = {
  /** "exact" or "upto". */
  scheme: string;
  /** A CAIP-2 ID such as eip155:84532. */
  network: string;
  /** The amount to pay, or the maximum if the scheme is `upto`. */
  amount: string;
  /** The token's address. */
  asset: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra?: Record<string, unknown> | undefined;
};

export type ResourceInfo = {
  url: string;
  description?: string | undefined;
  mimeType?: string | undefined;
  serviceName?: string | undefined;
  tags?: string[] | undefined;
  iconUrl?: string | undefined;
};

/** The content of a 402 response. */
export type PaymentRequired = {
  x402Version: 2;
  error?: string | undefined;
  resource: ResourceInfo;
  accepts: PaymentRequirements[];
  extensions?: Extensions | undefined;
};

/** The content of the PAYMENT-SIGNATURE header in a client's second request. */
export type PaymentPayload = {
  x402Version: 2;
  resource?: ResourceInfo | undefined;
  accepted: PaymentRequirements;
  /** The part that depends on the scheme: Eip3009Payload or Permit2Payload. */
  payload: Record<string, unknown>;
  extensions?: Extensions | undefined;
};

/** EIP-3009 TransferWithAuthorization. */
export type Eip3009Authorization = {
  from: Hex;
  to: Hex;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: Hex;
};
export type Eip3009Payload = { signature: Hex; authorization: Eip3009Authorization };

/** Permit2's PermitWitnessTransferFrom. The `upto` witness also includes the facilitator. */
export type Permit2Authorization = {
  permitted: { token: Hex; amount: string };
  from: Hex;
  spender: Hex;
  /**
   * An unordered Permit2 nonce: its last byte is the bit's index in the bitmap word, and the rest is the word's index.
   */
  nonce: string;
  deadline: string;
  witness: { to: Hex; validAfter: string; facilitator?: Hex | undefined };
};
export type Permit2Payload = { signature: Hex; permit2Authorization: Permit2Authorization };

export type VerifyResponse = {
  isValid: boolean;
  invalidReason?: string | undefined;
  invalidMessage?: string | undefined;
  payer?: string | undefined;
  extra?: Record<string, unknown> | undefined;
};

/** The content of the PAYMENT-RESPONSE header. */
export type SettleResponse = {
  success: boolean;
  errorReason?: string | undefined;
  errorMessage?: string | undefined;
  payer?: string | undefined;
  /** The settlement's transaction hash; empty if there is no transaction. */
  transaction: string;
  network: string;
  /** Transferred units. */
  amount?: string | undefined;
  /** Extension data about the settlement. */
  extensions?: Extensions | undefined;
  extra?: Record<string, unknown> | undefined;
};

export type SupportedResponse = {
  kinds: {
    x402Version: 2;
    scheme: string;
    network: string;
    /** The version, namespace and scheme in one word, such as "v2-eip155-exact". */
    schemeId: string;
    extra?: Record<string, unknown> | undefined;
  }[];
  /** The scheme IDs of all the kinds, without duplicates. */
  schemes: string[];
  extensions: string[];
  /** The accounts that send settlements, by CAIP-2 pattern. */
  signers: Record<string, string[]>;
};

/**
 * extensions.eip2612GasSponsoring.info: an EIP-2612 permit that lets Permit2 spend the payer's tokens. It is submitted
 * as part of the settlement.
 */
export type SponsoredPermit = {
  from: Hex;
  asset: Hex;
  /** Permit2. */
  spender: Hex;
  amount: string;
  nonce: string;
  deadline: string;
  signature: Hex;
  version: string;
};

/**
 * extensions.erc20ApprovalGasSponsoring.info: an approval of Permit2 signed by the payer, which the facilitator sends
 * before the settlement.
 */
export type SponsoredApproval = {
  from: Hex;
  asset: Hex;
  /** Permit2. */
  spender: Hex;
  amount: string;
  signedTransaction: Hex;
  version: string;
};
