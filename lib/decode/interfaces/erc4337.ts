/** The ERC-4337 entry points. Unlike version 0.6, versions 0.7 and later pack an operation's gas fields into words. */
import { parseAbi } from "viem";
import type { Interface } from "@/lib/decode/decoder";

export const entryPoint: Interface = {
  name: "ERC-4337 entry point",
  abi: parseAbi([
    "struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }",
    "struct UserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }",
    "function handleOps(PackedUserOperation[] ops, address beneficiary)",
    "function handleOps(UserOperation[] ops, address beneficiary)",
    "function validateUserOp(PackedUserOperation userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256 validationData)",
    "function validateUserOp(UserOperation userOp, bytes32 userOpHash, uint256 missingAccountFunds) returns (uint256 validationData)",
    "function getUserOpHash(PackedUserOperation userOp) view returns (bytes32)",
    "function getNonce(address sender, uint192 key) view returns (uint256 nonce)",
    "function depositTo(address account) payable",
    "function addStake(uint32 unstakeDelaySec) payable",
    "function unlockStake()",
    "function withdrawStake(address withdrawAddress)",
    "function withdrawTo(address withdrawAddress, uint256 withdrawAmount)",
    "event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)",
    "event UserOperationRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)",
    "event PostOpRevertReason(bytes32 indexed userOpHash, address indexed sender, uint256 nonce, bytes revertReason)",
    "event UserOperationPrefundTooLow(bytes32 indexed userOpHash, address indexed sender, uint256 nonce)",
    "event AccountDeployed(bytes32 indexed userOpHash, address indexed sender, address factory, address paymaster)",
    "event BeforeExecution()",
    "event Deposited(address indexed account, uint256 totalDeposit)",
    "event Withdrawn(address indexed account, address withdrawAddress, uint256 amount)",
    "event StakeLocked(address indexed account, uint256 totalStaked, uint256 unstakeDelaySec)",
    "error FailedOp(uint256 opIndex, string reason)",
    "error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)",
    "error SignatureValidationFailed(address aggregator)",
    "error PostOpReverted(bytes returnData)",
    "error SenderAddressResult(address sender)",
  ]),
};
