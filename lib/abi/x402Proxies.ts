/**
 * ABIs of the two x402 proxies that settle through Permit2. They include Permit2's errors, because the proxies pass
 * these on.
 */
import { parseAbi } from "viem";
import { permit2Errors } from "@/lib/abi/permit2";

const shared = [
  "struct TokenPermissions { address token; uint256 amount; }",
  "struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }",
  "struct EIP2612Permit { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }",
  "function PERMIT2() view returns (address)",
  "function WITNESS_TYPEHASH() view returns (bytes32)",
  "function WITNESS_TYPE_STRING() view returns (string)",
  "event Settled()",
  "event SettledWithPermit()",
  "event EIP2612PermitFailedWithReason(address indexed token, address indexed owner, string reason)",
  "event EIP2612PermitFailedWithPanic(address indexed token, address indexed owner, uint256 errorCode)",
  "event EIP2612PermitFailedWithData(address indexed token, address indexed owner, bytes data)",
  "error InvalidAmount()",
  "error InvalidOwner()",
  "error InvalidDestination()",
  "error PaymentTooEarly()",
  "error Permit2612AmountMismatch()",
  "error ReentrancyGuardReentrantCall()",
  ...permit2Errors,
] as const;

export const exactProxyAbi = parseAbi([
  "struct Witness { address to; uint256 validAfter; }",
  "function settle(PermitTransferFrom permit, address owner, Witness witness, bytes signature)",
  "function settleWithPermit(EIP2612Permit permit2612, PermitTransferFrom permit, address owner, Witness witness, bytes signature)",
  ...shared,
]);

export const uptoProxyAbi = parseAbi([
  "struct Witness { address to; address facilitator; uint256 validAfter; }",
  "function settle(PermitTransferFrom permit, uint256 amount, address owner, Witness witness, bytes signature)",
  "function settleWithPermit(EIP2612Permit permit2612, PermitTransferFrom permit, uint256 amount, address owner, Witness witness, bytes signature)",
  "error AmountExceedsPermitted()",
  "error UnauthorizedFacilitator()",
  ...shared,
]);
