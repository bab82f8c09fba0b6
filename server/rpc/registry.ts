/**
 * Which handler answers which method. A method that is declared and missing here, or here and not declared, is a type
 * error.
 */
import type { Handlers } from "@/server/rpc/context";
import * as address from "@/server/rpc/handlers/address";
import * as block from "@/server/rpc/handlers/block";
import * as charts from "@/server/rpc/handlers/charts";
import * as decode from "@/server/rpc/handlers/decode";
import * as dev from "@/server/rpc/handlers/dev";
import * as execute from "@/server/rpc/handlers/execute";
import * as explorer from "@/server/rpc/handlers/explorer";
import * as explorerTransaction from "@/server/rpc/handlers/explorerTransaction";
import * as fees from "@/server/rpc/handlers/fees";
import * as fill from "@/server/rpc/handlers/fill";
import * as filters from "@/server/rpc/handlers/filters";
import * as logs from "@/server/rpc/handlers/logs";
import * as meta from "@/server/rpc/handlers/meta";
import * as node from "@/server/rpc/handlers/node";
import * as payments from "@/server/rpc/handlers/payments";
import * as proof from "@/server/rpc/handlers/proof";
import * as raw from "@/server/rpc/handlers/raw";
import * as search from "@/server/rpc/handlers/search";
import * as simulate from "@/server/rpc/handlers/simulate";
import * as state from "@/server/rpc/handlers/state";
import * as submit from "@/server/rpc/handlers/submit";
import * as subscribe from "@/server/rpc/handlers/subscribe";
import * as token from "@/server/rpc/handlers/token";
import * as trace from "@/server/rpc/handlers/trace";
import * as transaction from "@/server/rpc/handlers/transaction";
import * as txpool from "@/server/rpc/handlers/txpool";

export const handlers = {
  eth_accounts: meta.eth_accounts,
  eth_blobBaseFee: fees.eth_blobBaseFee,
  eth_blockNumber: block.eth_blockNumber,
  eth_call: execute.eth_call,
  eth_chainId: meta.eth_chainId,
  eth_config: meta.eth_config,
  eth_createAccessList: execute.eth_createAccessList,
  eth_estimateGas: execute.eth_estimateGas,
  eth_feeHistory: fees.eth_feeHistory,
  eth_fillTransaction: fill.eth_fillTransaction,
  eth_gasPrice: fees.eth_gasPrice,
  eth_getBalance: state.eth_getBalance,
  eth_getBlockByHash: block.eth_getBlockByHash,
  eth_getBlockByNumber: block.eth_getBlockByNumber,
  eth_getBlockReceipts: block.eth_getBlockReceipts,
  eth_getBlockTransactionCountByHash: block.eth_getBlockTransactionCountByHash,
  eth_getBlockTransactionCountByNumber: block.eth_getBlockTransactionCountByNumber,
  eth_getCode: state.eth_getCode,
  eth_getFilterChanges: filters.eth_getFilterChanges,
  eth_getFilterLogs: filters.eth_getFilterLogs,
  eth_getLogs: logs.eth_getLogs,
  eth_getProof: proof.eth_getProof,
  eth_getStorageAt: state.eth_getStorageAt,
  eth_getTransactionByBlockHashAndIndex: block.eth_getTransactionByBlockHashAndIndex,
  eth_getTransactionByBlockNumberAndIndex: block.eth_getTransactionByBlockNumberAndIndex,
  eth_getTransactionByHash: transaction.eth_getTransactionByHash,
  eth_getTransactionCount: state.eth_getTransactionCount,
  eth_getTransactionReceipt: transaction.eth_getTransactionReceipt,
  eth_maxPriorityFeePerGas: fees.eth_maxPriorityFeePerGas,
  eth_newBlockFilter: filters.eth_newBlockFilter,
  eth_newFilter: filters.eth_newFilter,
  eth_newPendingTransactionFilter: filters.eth_newPendingTransactionFilter,
  eth_sendRawTransaction: submit.eth_sendRawTransaction,
  eth_sendRawTransactionSync: submit.eth_sendRawTransactionSync,
  eth_simulateV1: simulate.eth_simulateV1,
  eth_subscribe: subscribe.eth_subscribe,
  eth_syncing: meta.eth_syncing,
  eth_uninstallFilter: filters.eth_uninstallFilter,
  eth_unsubscribe: subscribe.eth_unsubscribe,
  debug_getRawBlock: raw.debug_getRawBlock,
  debug_getRawHeader: raw.debug_getRawHeader,
  debug_getRawReceipts: raw.debug_getRawReceipts,
  debug_getRawTransaction: raw.debug_getRawTransaction,
  debug_traceBlockByHash: trace.debug_traceBlockByHash,
  debug_traceBlockByNumber: trace.debug_traceBlockByNumber,
  debug_traceCall: trace.debug_traceCall,
  debug_traceTransaction: trace.debug_traceTransaction,
  net_listening: meta.net_listening,
  net_version: meta.net_version,
  web3_clientVersion: meta.web3_clientVersion,
  web3_sha3: meta.web3_sha3,
  txpool_content: txpool.txpool_content,
  txpool_inspect: txpool.txpool_inspect,
  txpool_status: txpool.txpool_status,
  txpool_statusByAddress: transaction.txpool_statusByAddress,
  txpool_statusByHash: transaction.txpool_statusByHash,
  admin_ethCallStatistics: meta.admin_ethCallStatistics,
  anvil_mine: dev.mine,
  hardhat_mine: dev.mine,
  evm_mine: dev.mineOne,
  evm_setAutomine: dev.setAutomine,
  anvil_setAutomine: dev.setAutomine,
  anvil_getAutomine: dev.getAutomine,
  hardhat_getAutomine: dev.getAutomine,
  evm_setIntervalMining: dev.setIntervalMining,
  anvil_setIntervalMining: dev.setIntervalMining,
  evm_increaseTime: dev.increaseTime,
  anvil_increaseTime: dev.increaseTime,
  evm_setTime: dev.setTime,
  anvil_setTime: dev.setTime,
  evm_setNextBlockTimestamp: dev.setNextTimestamp,
  anvil_setNextBlockTimestamp: dev.setNextTimestamp,
  anvil_setBlockTimestampInterval: dev.setTimestampInterval,
  anvil_removeBlockTimestampInterval: dev.removeTimestampInterval,
  anvil_setNextBlockBaseFeePerGas: dev.setNextBaseFee,
  hardhat_setNextBlockBaseFeePerGas: dev.setNextBaseFee,
  evm_setBlockGasLimit: dev.setGasLimit,
  anvil_setBlockGasLimit: dev.setGasLimit,
  anvil_setCoinbase: dev.setCoinbase,
  hardhat_setCoinbase: dev.setCoinbase,
  anvil_setBalance: dev.setBalance,
  hardhat_setBalance: dev.setBalance,
  anvil_setCode: dev.setCode,
  hardhat_setCode: dev.setCode,
  anvil_setNonce: dev.setNonce,
  hardhat_setNonce: dev.setNonce,
  anvil_setStorageAt: dev.setStorageAt,
  hardhat_setStorageAt: dev.setStorageAt,
  anvil_impersonateAccount: dev.impersonate,
  hardhat_impersonateAccount: dev.impersonate,
  anvil_stopImpersonatingAccount: dev.stopImpersonating,
  hardhat_stopImpersonatingAccount: dev.stopImpersonating,
  anvil_autoImpersonateAccount: dev.autoImpersonate,
  anvil_dropTransaction: dev.drop,
  hardhat_dropTransaction: dev.drop,
  anvil_dropAllTransactions: dev.dropAll,
  evm_snapshot: dev.snapshot,
  anvil_snapshot: dev.snapshot,
  evm_revert: dev.revert,
  anvil_revert: dev.revert,
  anvil_reset: dev.reset,
  hardhat_reset: dev.reset,
  eth_sendTransaction: dev.eth_sendTransaction,
  eth_sendUnsignedTransaction: dev.eth_sendUnsignedTransaction,
  "rpc.discover": meta.rpc_discover,
  explorer_decode: decode.explorer_decode,
  explorer_getDeveloperState: dev.explorer_getDeveloperState,
  explorer_fund: explorer.explorer_fund,
  explorer_getAddress: address.explorer_getAddress,
  explorer_getAddressTransactions: address.explorer_getAddressTransactions,
  explorer_getBlocks: explorer.explorer_getBlocks,
  explorer_getBlockTransactions: explorer.explorer_getBlockTransactions,
  explorer_getHolders: token.explorer_getHolders,
  explorer_getHoldings: token.explorer_getHoldings,
  explorer_getInternalTransfers: address.explorer_getInternalTransfers,
  explorer_getLogs: address.explorer_getLogs,
  explorer_getNetwork: explorer.explorer_getNetwork,
  explorer_getNodeHistory: node.explorer_getNodeHistory,
  explorer_getNodeStatus: node.explorer_getNodeStatus,
  explorer_getPayment: payments.explorer_getPayment,
  explorer_getPayments: payments.explorer_getPayments,
  explorer_getPaymentSeries: payments.explorer_getPaymentSeries,
  explorer_getPaymentTotals: payments.explorer_getPaymentTotals,
  explorer_getPendingTransactions: explorer.explorer_getPendingTransactions,
  explorer_getPool: node.explorer_getPool,
  explorer_getSelectors: address.explorer_getSelectors,
  explorer_getSeries: charts.explorer_getSeries,
  explorer_getStorage: address.explorer_getStorage,
  explorer_getToken: token.explorer_getToken,
  explorer_getTokenTransfers: address.explorer_getTokenTransfers,
  explorer_getTransactionByNonce: explorerTransaction.explorer_getTransactionByNonce,
  explorer_getTransactionEffects: explorerTransaction.explorer_getTransactionEffects,
  explorer_getTransactions: explorer.explorer_getTransactions,
  explorer_search: search.explorer_search,
} satisfies Handlers;
