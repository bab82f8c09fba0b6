// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Erc20Ledger} from "./Erc20Ledger.sol";

/// @title An ERC-20 token and nothing more: no EIP-2612, no EIP-3009.
/// @notice It can be paid only through an allowance, which is what the Permit2 path of x402 is for.
contract PlainToken is Erc20Ledger {}
