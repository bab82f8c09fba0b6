// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title A test wallet: ERC-1271 with one key, and calls from the wallet's address.
contract TestWallet {
    address private signer = msg.sender;

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address recovered,,) = ECDSA.tryRecoverCalldata(hash, signature);
        return recovered == signer ? this.isValidSignature.selector : bytes4(0xffffffff);
    }

    function execute(address target, bytes calldata data) external {
        require(msg.sender == signer, "TestWallet: not the signer");
        (bool done, bytes memory answer) = target.call(data);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }
}
