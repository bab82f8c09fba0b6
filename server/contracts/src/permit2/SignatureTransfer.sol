// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISignatureTransfer} from "./ISignatureTransfer.sol";
import {SignedAction} from "./SignedAction.sol";

/// @title Transfers by a signature that is good for one use.
/// @notice Invariant: each of an owner's 2^256 nonces is one bit of a bitmap and is spent at most once, in any order.
abstract contract SignatureTransfer is ISignatureTransfer, SignedAction {
    bytes32 private constant TOKEN_PERMISSIONS_TYPEHASH = keccak256("TokenPermissions(address token,uint256 amount)");
    bytes32 private constant PERMIT_TYPEHASH = keccak256(
        "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)"
    );
    bytes32 private constant BATCH_PERMIT_TYPEHASH = keccak256(
        "PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)"
    );
    /// @dev The caller names its witness and closes the bracket: "Witness witness)TokenPermissions(…)Witness(…)".
    string private constant WITNESS_TYPE_STUB =
        "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,";
    string private constant BATCH_WITNESS_TYPE_STUB =
        "PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,";

    /// @inheritdoc ISignatureTransfer
    mapping(address owner => mapping(uint256 word => uint256 bitmap)) public nonceBitmap;

    function permitTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes calldata signature
    ) external {
        bytes32 structHash = keccak256(
            abi.encode(PERMIT_TYPEHASH, _hash(permit.permitted), msg.sender, permit.nonce, permit.deadline)
        );
        _transferOne(permit, transferDetails, owner, structHash, signature);
    }

    function permitTransferFrom(
        PermitBatchTransferFrom calldata permit,
        SignatureTransferDetails[] calldata transferDetails,
        address owner,
        bytes calldata signature
    ) external {
        bytes32 structHash = keccak256(
            abi.encode(BATCH_PERMIT_TYPEHASH, _hash(permit.permitted), msg.sender, permit.nonce, permit.deadline)
        );
        _transferMany(permit, transferDetails, owner, structHash, signature);
    }

    function permitWitnessTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        bytes32 typeHash = keccak256(abi.encodePacked(WITNESS_TYPE_STUB, witnessTypeString));
        bytes32 structHash = keccak256(
            abi.encode(typeHash, _hash(permit.permitted), msg.sender, permit.nonce, permit.deadline, witness)
        );
        _transferOne(permit, transferDetails, owner, structHash, signature);
    }

    function permitWitnessTransferFrom(
        PermitBatchTransferFrom calldata permit,
        SignatureTransferDetails[] calldata transferDetails,
        address owner,
        bytes32 witness,
        string calldata witnessTypeString,
        bytes calldata signature
    ) external {
        bytes32 typeHash = keccak256(abi.encodePacked(BATCH_WITNESS_TYPE_STUB, witnessTypeString));
        bytes32 structHash = keccak256(
            abi.encode(typeHash, _hash(permit.permitted), msg.sender, permit.nonce, permit.deadline, witness)
        );
        _transferMany(permit, transferDetails, owner, structHash, signature);
    }

    function invalidateUnorderedNonces(uint256 wordPos, uint256 mask) external {
        nonceBitmap[msg.sender][wordPos] |= mask;
        emit UnorderedNonceInvalidation(msg.sender, wordPos, mask);
    }

    /// @dev The order of the checks decides which error a caller sees: deadline, amount, nonce, signature.
    function _transferOne(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata transferDetails,
        address owner,
        bytes32 structHash,
        bytes calldata signature
    ) private {
        if (block.timestamp > permit.deadline) revert SignatureExpired(permit.deadline);
        if (transferDetails.requestedAmount > permit.permitted.amount) revert InvalidAmount(permit.permitted.amount);
        _spendNonce(owner, permit.nonce);
        _requireSignature(signature, structHash, owner);
        _pull(permit.permitted.token, owner, transferDetails.to, transferDetails.requestedAmount);
    }

    /// @dev Here the amounts are checked last, one by one; an amount of zero makes no call.
    function _transferMany(
        PermitBatchTransferFrom calldata permit,
        SignatureTransferDetails[] calldata transferDetails,
        address owner,
        bytes32 structHash,
        bytes calldata signature
    ) private {
        if (block.timestamp > permit.deadline) revert SignatureExpired(permit.deadline);
        if (permit.permitted.length != transferDetails.length) revert LengthMismatch();
        _spendNonce(owner, permit.nonce);
        _requireSignature(signature, structHash, owner);
        for (uint256 i = 0; i < transferDetails.length; ++i) {
            TokenPermissions calldata permitted = permit.permitted[i];
            uint256 amount = transferDetails[i].requestedAmount;
            if (amount > permitted.amount) revert InvalidAmount(permitted.amount);
            if (amount != 0) _pull(permitted.token, owner, transferDetails[i].to, amount);
        }
    }

    /// @dev The upper 248 bits of a nonce choose the word, the lower 8 the bit.
    function _spendNonce(address owner, uint256 nonce) private {
        uint256 bit = 1 << (nonce & 0xff);
        uint256 bitmap = nonceBitmap[owner][nonce >> 8];
        if (bitmap & bit != 0) revert InvalidNonce();
        nonceBitmap[owner][nonce >> 8] = bitmap | bit;
    }

    function _hash(TokenPermissions calldata permitted) private pure returns (bytes32) {
        return keccak256(abi.encode(TOKEN_PERMISSIONS_TYPEHASH, permitted.token, permitted.amount));
    }

    function _hash(TokenPermissions[] calldata permitted) private pure returns (bytes32) {
        bytes32[] memory hashes = new bytes32[](permitted.length);
        for (uint256 i = 0; i < permitted.length; ++i) {
            hashes[i] = _hash(permitted[i]);
        }
        return keccak256(abi.encodePacked(hashes));
    }
}
