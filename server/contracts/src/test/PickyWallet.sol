// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A wallet that accepts every signature while its rule holds, and otherwise burns gas before it rejects one.
contract PickyWallet {
    enum Rule {
        Always,
        Never,
        FreeGas,
        LittleGas,
        LatestBlock
    }

    Rule public rule;
    uint256 private setAt;

    function setRule(Rule changed) external {
        rule = changed;
        setAt = block.timestamp;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (holds()) return this.isValidSignature.selector;
        uint256 least = gasleft() / 2;
        while (gasleft() > least) {}
        return bytes4(0xffffffff);
    }

    function holds() private view returns (bool) {
        if (rule == Rule.FreeGas) return tx.gasprice == 0;
        if (rule == Rule.LittleGas) return gasleft() < 30_000;
        if (rule == Rule.LatestBlock) return block.timestamp <= setAt;
        return rule == Rule.Always;
    }
}
