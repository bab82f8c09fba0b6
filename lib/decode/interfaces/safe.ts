/** Safe accounts, their proxy factory and the MultiSend contract. */
import { parseAbi } from "viem";
import type { Interface } from "@/lib/decode/decoder";

export const safe: Interface = {
  name: "Safe",
  abi: parseAbi([
    "function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)",
    "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool success)",
    "function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation) returns (bool success)",
    "function approveHash(bytes32 hashToApprove)",
    "function addOwnerWithThreshold(address owner, uint256 threshold)",
    "function removeOwner(address prevOwner, address owner, uint256 threshold)",
    "function swapOwner(address prevOwner, address oldOwner, address newOwner)",
    "function changeThreshold(uint256 threshold)",
    "function enableModule(address module)",
    "function disableModule(address prevModule, address module)",
    "function setGuard(address guard)",
    "function setFallbackHandler(address handler)",
    "function getOwners() view returns (address[])",
    "function getThreshold() view returns (uint256)",
    "function nonce() view returns (uint256)",
    "function multiSend(bytes transactions) payable",
    "function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address proxy)",
    "event ExecutionSuccess(bytes32 indexed txHash, uint256 payment)",
    "event ExecutionFailure(bytes32 indexed txHash, uint256 payment)",
    "event ExecutionSuccess(bytes32 txHash, uint256 payment)",
    "event ExecutionFailure(bytes32 txHash, uint256 payment)",
    "event SafeReceived(address indexed sender, uint256 value)",
    "event SafeSetup(address indexed initiator, address[] owners, uint256 threshold, address initializer, address fallbackHandler)",
    "event ApproveHash(bytes32 indexed approvedHash, address indexed owner)",
    "event AddedOwner(address indexed owner)",
    "event RemovedOwner(address indexed owner)",
    "event ChangedThreshold(uint256 threshold)",
    "event EnabledModule(address indexed module)",
    "event DisabledModule(address indexed module)",
    "event ProxyCreation(address indexed proxy, address singleton)",
  ]),
};
