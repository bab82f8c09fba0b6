// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";

/// @title What both parts of Permit2 rest on: its EIP-712 domain, its signature rules, and the pull of a token.
abstract contract SignedAction {
    error SignatureExpired(uint256 signatureDeadline);
    error InvalidNonce();
    error InvalidSignatureLength();
    error InvalidSignature();
    error InvalidSigner();
    error InvalidContractSignature();

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
    bytes32 private constant NAME_HASH = keccak256("Permit2");

    /// @notice The domain has no version. It is computed on every use, so that the code serves every chain.
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, NAME_HASH, block.chainid, address(this)));
    }

    /// @dev A signer without code signs by 65 bytes or by the 64 of EIP-2098, one with code answers by ERC-1271. The
    /// high half of s is allowed, because a nonce and not the signature is what is spent.
    function _requireSignature(bytes calldata signature, bytes32 structHash, address claimed) internal view {
        bytes32 digest = MessageHashUtils.toTypedDataHash(DOMAIN_SEPARATOR(), structHash);
        if (claimed.code.length != 0) {
            bytes4 answer = IERC1271(claimed).isValidSignature(digest, signature);
            if (answer != IERC1271.isValidSignature.selector) revert InvalidContractSignature();
            return;
        }
        bytes32 r;
        bytes32 s;
        uint8 v;
        if (signature.length == 65) {
            (r, s) = abi.decode(signature, (bytes32, bytes32));
            v = uint8(signature[64]);
        } else if (signature.length == 64) {
            bytes32 vs;
            (r, vs) = abi.decode(signature, (bytes32, bytes32));
            s = bytes32(uint256(vs) & type(uint256).max >> 1);
            v = uint8(uint256(vs) >> 255) + 27;
        } else {
            revert InvalidSignatureLength();
        }
        address recovered = ecrecover(digest, v, r, s);
        if (recovered == address(0)) revert InvalidSignature();
        if (recovered != claimed) revert InvalidSigner();
    }

    /// @dev A token may answer true or nothing at all. An address without code passes, as it does on the public
    /// networks: who pays in an asset has to know that it exists.
    function _pull(address token, address from, address to, uint256 amount) internal {
        (bool done, bytes memory answer) = token.call(abi.encodeCall(IERC20.transferFrom, (from, to, amount)));
        bool agreed = answer.length == 0 || (answer.length > 31 && abi.decode(answer, (uint256)) == 1);
        require(done && agreed, "TRANSFER_FROM_FAILED");
    }
}
