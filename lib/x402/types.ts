/**
 * The x402 version 2 wire format as types only, so that a page can use them without loading a validator. wire.ts has
 * the matching schemas. Amounts are decimal strings in the asset's smallest unit, times are decimal strings in seconds
 * since the epoch.
 */

export type Hex = `0x${string}`;

export type PaymentRequirements = {
  /** "exact" or "upto". */
  scheme: string;
  /** CAIP-2: "eip155:10143". */
  network: string;
  amount: string;
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

export type Extensions = Record<string, unknown>;

/** The content of a 402 answer. */
export type PaymentRequired = {
  x402Version: 2;
  error?: string | undefined;
  resource: ResourceInfo;
  accepts: PaymentRequirements[];
  extensions?: Extensions | undefined;
};

/** The content of a client's second request. */
export type PaymentPayload = {
  x402Version: 2;
  resource?: ResourceInfo | undefined;
  accepted: PaymentRequirements;
  /** The scheme's own part: Eip3009Payload, Permit2Payload or UptoPayload. */
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

/** Permit2 PermitWitnessTransferFrom; the witness of upto also includes the facilitator. */
export type Permit2Authorization = {
  permitted: { token: Hex; amount: string };
  from: Hex;
  spender: Hex;
  /** Decimal: a word and a bit of Permit2's unordered nonces. */
  nonce: string;
  deadline: string;
  witness: { to: Hex; validAfter: string; facilitator?: Hex | undefined };
};
export type Permit2Payload = { signature: Hex; permit2Authorization: Permit2Authorization };

/** extensions.eip2612GasSponsoring.info: an EIP-2612 permit for Permit2, which the settlement includes. */
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

/** extensions.erc20ApprovalGasSponsoring.info: the payer's own approval of Permit2, sent before the settlement. */
export type SponsoredApproval = {
  from: Hex;
  asset: Hex;
  /** Permit2. */
  spender: Hex;
  amount: string;
  /** Signed bytes of approve(spender, amount) on the asset. */
  signedTransaction: Hex;
  version: string;
};

export type VerifyResponse = {
  isValid: boolean;
  invalidReason?: string | undefined;
  invalidMessage?: string | undefined;
  payer?: string | undefined;
  extra?: Record<string, unknown> | undefined;
};

export type SettleResponse = {
  success: boolean;
  errorReason?: string | undefined;
  errorMessage?: string | undefined;
  payer?: string | undefined;
  /** Hash of the settlement; empty if there is none. */
  transaction: string;
  network: string;
  /** Units that were moved. */
  amount?: string | undefined;
  /** Extension data about the settlement. */
  extensions?: Extensions | undefined;
  extra?: Record<string, unknown> | undefined;
};

type SupportedKind = {
  x402Version: 2;
  scheme: string;
  network: string;
  /** "v2-eip155-exact": version, namespace and scheme in one word. */
  schemeId: string;
  extra?: Record<string, unknown> | undefined;
};

export type SupportedResponse = {
  kinds: SupportedKind[];
  /** The distinct scheme ids of kinds. */
  schemes: string[];
  extensions: string[];
  /** Settlement accounts by CAIP-2 pattern. */
  signers: Record<string, string[]>;
};
