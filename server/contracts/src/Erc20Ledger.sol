// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Balances, allowances and metadata of an ERC-20 token with one minting account.
/// @notice Everything that differs between two tokens is in storage, so one runtime code serves all tokens and a
/// genesis allocation can place a token without a constructor. Invariant: totalSupply is the sum of all balances.
/// @dev Revert strings are those of USDC's FiatToken contract, because facilitators match on them.
abstract contract Erc20Ledger {
    /// @notice The only account that may mint: the faucet of an embedded chain.
    address public owner;
    uint8 public decimals;
    string public name;
    string public symbol;
    uint256 public totalSupply;
    mapping(address account => uint256 units) public balanceOf;
    mapping(address holder => mapping(address spender => uint256 units)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Mint(address indexed minter, address indexed to, uint256 amount);

    function transfer(address to, uint256 value) external returns (bool) {
        _transfer(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    /// @dev Spending reduces even an allowance of the maximum value, as in USDC.
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(value <= allowed, "ERC20: transfer amount exceeds allowance");
        _transfer(from, to, value);
        unchecked {
            allowance[from][msg.sender] = allowed - value;
        }
        return true;
    }

    function increaseAllowance(address spender, uint256 increment) external returns (bool) {
        _approve(msg.sender, spender, allowance[msg.sender][spender] + increment);
        return true;
    }

    function decreaseAllowance(address spender, uint256 decrement) external returns (bool) {
        uint256 allowed = allowance[msg.sender][spender];
        require(decrement <= allowed, "ERC20: decreased allowance below zero");
        unchecked {
            _approve(msg.sender, spender, allowed - decrement);
        }
        return true;
    }

    function mint(address to, uint256 amount) external returns (bool) {
        require(msg.sender == owner, "FiatToken: caller is not a minter");
        require(to != address(0), "FiatToken: mint to the zero address");
        require(amount > 0, "FiatToken: mint amount not greater than 0");
        totalSupply += amount;
        unchecked {
            balanceOf[to] += amount;
        }
        emit Mint(msg.sender, to, amount);
        emit Transfer(address(0), to, amount);
        return true;
    }

    function _transfer(address from, address to, uint256 value) internal {
        require(from != address(0), "ERC20: transfer from the zero address");
        require(to != address(0), "ERC20: transfer to the zero address");
        uint256 balance = balanceOf[from];
        require(value <= balance, "ERC20: transfer amount exceeds balance");
        unchecked {
            balanceOf[from] = balance - value;
            // Read again: from and to may be the same account.
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }

    function _approve(address holder, address spender, uint256 value) internal {
        require(holder != address(0), "ERC20: approve from the zero address");
        require(spender != address(0), "ERC20: approve to the zero address");
        allowance[holder][spender] = value;
        emit Approval(holder, spender, value);
    }
}
