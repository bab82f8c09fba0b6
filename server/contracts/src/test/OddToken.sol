// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A test token whose transferFrom returns a configured value and whose permit fails in a configured way.
contract OddToken {
    enum Failure {
        panic,
        custom
    }

    error NoPermits();

    bytes public answer;
    Failure public failure;

    function setAnswer(bytes calldata answer_) external {
        answer = answer_;
    }

    function setFailure(Failure failure_) external {
        failure = failure_;
    }

    function transferFrom(address, address, uint256) external view {
        bytes memory raw = answer;
        assembly ("memory-safe") {
            return(add(raw, 0x20), mload(raw))
        }
    }

    function permit(address, address, uint256, uint256, uint8, bytes32, bytes32) external view {
        assert(failure != Failure.panic);
        revert NoPermits();
    }
}
