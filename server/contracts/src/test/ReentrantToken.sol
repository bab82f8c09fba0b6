// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A test token that calls another contract during transferFrom and records the result.
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
