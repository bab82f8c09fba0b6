// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISignatureTransfer} from "./permit2/ISignatureTransfer.sol";
import {Permit2Proxy} from "./x402/Permit2Proxy.sol";

/// @title Settles an x402 payment of the upto scheme through Permit2: the amount used, up to the permitted amount.
/// @notice The caller chooses the amount, so the caller must be the facilitator that the payer signed for.
contract X402UptoPermit2Proxy is Permit2Proxy {
    struct Witness {
        address to;
        address facilitator;
        uint256 validAfter;
    }

    error AmountExceedsPermitted();
    error UnauthorizedFacilitator();

    bytes32 public constant WITNESS_TYPEHASH = keccak256("Witness(address to,address facilitator,uint256 validAfter)");
    string public constant WITNESS_TYPE_STRING =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,address facilitator,uint256 validAfter)";

    function settle(
        ISignatureTransfer.PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external nonReentrant {
        _requireTerms(permit, amount, witness);
        _settleWitnessed(permit, amount, owner, witness, signature);
        emit Settled();
    }

    /// @notice Like settle, for a payer who hasn't approved Permit2 yet: submits an EIP-2612 approval of the permitted
    /// amount.
    function settleWithPermit(
        EIP2612Permit calldata permit2612,
        ISignatureTransfer.PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external nonReentrant {
        _requireTerms(permit, amount, witness);
        _approvePermit2(permit.permitted, owner, permit2612);
        _settleWitnessed(permit, amount, owner, witness, signature);
        emit SettledWithPermit();
    }

    function _requireTerms(
        ISignatureTransfer.PermitTransferFrom calldata permit,
        uint256 amount,
        Witness calldata witness
    ) private view {
        if (amount > permit.permitted.amount) revert AmountExceedsPermitted();
        if (msg.sender != witness.facilitator) revert UnauthorizedFacilitator();
    }

    function _settleWitnessed(
        ISignatureTransfer.PermitTransferFrom calldata permit,
        uint256 amount,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) private {
        bytes32 witnessHash =
            keccak256(abi.encode(WITNESS_TYPEHASH, witness.to, witness.facilitator, witness.validAfter));
        _settle(
            permit, amount, owner, witness.to, witness.validAfter, witnessHash, WITNESS_TYPE_STRING, signature
        );
    }
}
