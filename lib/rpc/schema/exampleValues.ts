/** Values used in the declared examples. All of them exist on a fresh chain, except for the unknown hash. */
export const developer = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
export const recipient = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
export const token = "0x534b2f3a21130d7a60830c2df862319e593943a3";
/** keccak256("Transfer(address,address,uint256)") */
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
export const unknownHash = "0x00000000000000000000000000000000000000000000000000000000deadbeef";
