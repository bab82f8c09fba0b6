// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A token for the tests that calls somebody in the middle of its own transferFrom, and remembers the answer.
contract ReentrantToken {
    address private target;
    bytes private payload;
    bool public called;
    bytes public answer;

    function prepare(address target_, bytes calldata payload_) external {
        (target, payload) = (target_, payload_);
    }

    function transferFrom(address, address, uint256) external returns (bool) {
        bool done;
        (done, answer) = target.call(payload);
        called = true;
        return !done;
    }
}
