// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AllowanceTransfer} from "./permit2/AllowanceTransfer.sol";
import {SignatureTransfer} from "./permit2/SignatureTransfer.sol";

/// @title One approval for every application: who has approved this contract once pays by signature from then on.
/// @notice Behaves as the contract at 0x000000000022D473030F116dDEE9F6B43aC78BA3 on public networks, in its interface,
/// its checks and their order, its errors, events and storage slots. The code is not the same.
contract Permit2 is SignatureTransfer, AllowanceTransfer {}
