// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Erc20Ledger} from "./Erc20Ledger.sol";

/// @title An ERC-20 token and nothing more: no EIP-2612, no EIP-3009.
/// @notice Payments need an allowance, so x402 uses its Permit2 path.
contract PlainToken is Erc20Ledger {}
