// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SignedAction} from "./SignedAction.sol";

/// @title Allowances that expire, set by a call or by a signature.
/// @notice Invariant: the nonce of one (owner, token, spender) only grows, and a signed permit is good for one value.
abstract contract AllowanceTransfer is SignedAction {
    struct PermitDetails {
        address token;
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    struct PermitSingle {
        PermitDetails details;
        address spender;
        uint256 sigDeadline;
    }

    struct PermitBatch {
        PermitDetails[] details;
        address spender;
        uint256 sigDeadline;
    }

    struct PackedAllowance {
        uint160 amount;
        uint48 expiration;
        uint48 nonce;
    }

    struct TokenSpenderPair {
        address token;
        address spender;
    }

    struct AllowanceTransferDetails {
        address from;
        address to;
        uint160 amount;
        address token;
    }

    error AllowanceExpired(uint256 deadline);
    error InsufficientAllowance(uint256 amount);
    error ExcessiveInvalidation();

    event Approval(
        address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration
    );
    event Permit(
        address indexed owner,
        address indexed token,
        address indexed spender,
        uint160 amount,
        uint48 expiration,
        uint48 nonce
    );
    event Lockdown(address indexed owner, address token, address spender);
    event NonceInvalidation(
        address indexed owner, address indexed token, address indexed spender, uint48 newNonce, uint48 oldNonce
    );

    bytes32 private constant DETAILS_TYPEHASH =
        keccak256("PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)");
    bytes32 private constant SINGLE_TYPEHASH = keccak256(
        "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
    );
    bytes32 private constant BATCH_TYPEHASH = keccak256(
        "PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
    );

    mapping(address owner => mapping(address token => mapping(address spender => PackedAllowance))) public allowance;

    /// @notice An expiration of zero means the timestamp of this block.
    function approve(address token, address spender, uint160 amount, uint48 expiration) external {
        PackedAllowance storage allowed = allowance[msg.sender][token][spender];
        allowed.amount = amount;
        allowed.expiration = expiration == 0 ? uint48(block.timestamp) : expiration;
        emit Approval(msg.sender, token, spender, amount, expiration);
    }

    function permit(address owner, PermitSingle calldata permitSingle, bytes calldata signature) external {
        if (block.timestamp > permitSingle.sigDeadline) revert SignatureExpired(permitSingle.sigDeadline);
        bytes32 structHash = keccak256(
            abi.encode(SINGLE_TYPEHASH, _hash(permitSingle.details), permitSingle.spender, permitSingle.sigDeadline)
        );
        _requireSignature(signature, structHash, owner);
        _setAllowance(permitSingle.details, owner, permitSingle.spender);
    }

    function permit(address owner, PermitBatch calldata permitBatch, bytes calldata signature) external {
        if (block.timestamp > permitBatch.sigDeadline) revert SignatureExpired(permitBatch.sigDeadline);
        uint256 count = permitBatch.details.length;
        bytes32[] memory hashes = new bytes32[](count);
        for (uint256 i = 0; i < count; ++i) {
            hashes[i] = _hash(permitBatch.details[i]);
        }
        bytes32 structHash = keccak256(
            abi.encode(
                BATCH_TYPEHASH, keccak256(abi.encodePacked(hashes)), permitBatch.spender, permitBatch.sigDeadline
            )
        );
        _requireSignature(signature, structHash, owner);
        for (uint256 i = 0; i < count; ++i) {
            _setAllowance(permitBatch.details[i], owner, permitBatch.spender);
        }
    }

    function transferFrom(address from, address to, uint160 amount, address token) external {
        _transfer(from, to, amount, token);
    }

    function transferFrom(AllowanceTransferDetails[] calldata transferDetails) external {
        for (uint256 i = 0; i < transferDetails.length; ++i) {
            AllowanceTransferDetails calldata one = transferDetails[i];
            _transfer(one.from, one.to, one.amount, one.token);
        }
    }

    function lockdown(TokenSpenderPair[] calldata approvals) external {
        for (uint256 i = 0; i < approvals.length; ++i) {
            (address token, address spender) = (approvals[i].token, approvals[i].spender);
            allowance[msg.sender][token][spender].amount = 0;
            emit Lockdown(msg.sender, token, spender);
        }
    }

    /// @notice At most 2^16 - 1 nonces at once, so that a nonce can never be brought near its end.
    function invalidateNonces(address token, address spender, uint48 newNonce) external {
        PackedAllowance storage allowed = allowance[msg.sender][token][spender];
        uint48 oldNonce = allowed.nonce;
        if (newNonce <= oldNonce) revert InvalidNonce();
        if (newNonce - oldNonce > type(uint16).max) revert ExcessiveInvalidation();
        allowed.nonce = newNonce;
        emit NonceInvalidation(msg.sender, token, spender, newNonce, oldNonce);
    }

    /// @dev The maximum of 160 bits is an allowance without a limit and is not counted down.
    function _transfer(address from, address to, uint160 amount, address token) private {
        PackedAllowance storage allowed = allowance[from][token][msg.sender];
        if (block.timestamp > allowed.expiration) revert AllowanceExpired(allowed.expiration);
        uint160 left = allowed.amount;
        if (left != type(uint160).max) {
            if (amount > left) revert InsufficientAllowance(left);
            allowed.amount = left - amount;
        }
        _pull(token, from, to, amount);
    }

    /// @dev The nonce wraps at 2^48, which no sequence of permits reaches.
    function _setAllowance(PermitDetails calldata details, address owner, address spender) private {
        PackedAllowance storage allowed = allowance[owner][details.token][spender];
        if (allowed.nonce != details.nonce) revert InvalidNonce();
        unchecked {
            allowed.nonce = details.nonce + 1;
        }
        allowed.amount = details.amount;
        allowed.expiration = details.expiration == 0 ? uint48(block.timestamp) : details.expiration;
        emit Permit(owner, details.token, spender, details.amount, details.expiration, details.nonce);
    }

    function _hash(PermitDetails calldata details) private pure returns (bytes32) {
        return keccak256(
            abi.encode(DETAILS_TYPEHASH, details.token, details.amount, details.expiration, details.nonce)
        );
    }
}
