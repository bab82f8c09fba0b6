// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISignatureTransfer} from "./permit2/ISignatureTransfer.sol";
import {Permit2Proxy} from "./x402/Permit2Proxy.sol";

/// @title Settles an x402 payment of the exact scheme through Permit2: the whole permitted amount, to the signed payee.
contract X402ExactPermit2Proxy is Permit2Proxy {
    struct Witness {
        address to;
        uint256 validAfter;
    }

    bytes32 public constant WITNESS_TYPEHASH = keccak256("Witness(address to,uint256 validAfter)");
    string public constant WITNESS_TYPE_STRING =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)";

    function settle(
        ISignatureTransfer.PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external nonReentrant {
        _settleWitnessed(permit, owner, witness, signature);
        emit Settled();
    }

    /// @notice Like settle, for a payer who hasn't approved Permit2 yet: submits an EIP-2612 approval of the amount.
    function settleWithPermit(
        EIP2612Permit calldata permit2612,
        ISignatureTransfer.PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external nonReentrant {
        _approvePermit2(permit.permitted, owner, permit2612);
        _settleWitnessed(permit, owner, witness, signature);
        emit SettledWithPermit();
    }

    function _settleWitnessed(
        ISignatureTransfer.PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) private {
        bytes32 witnessHash = keccak256(abi.encode(WITNESS_TYPEHASH, witness.to, witness.validAfter));
        _settle(
            permit,
            permit.permitted.amount,
            owner,
            witness.to,
            witness.validAfter,
            witnessHash,
            WITNESS_TYPE_STRING,
            signature
        );
    }
}
