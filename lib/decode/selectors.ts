/**
 * Names of the functions and events that this app's tokens and payments use, so that pages can name a call offline. A
 * test recomputes every selector from its signature.
 */

export const functionSignatures: Record<string, string> = {
  "0xa9059cbb": "transfer(address,uint256)",
  "0x23b872dd": "transferFrom(address,address,uint256)",
  "0x095ea7b3": "approve(address,uint256)",
  "0x40c10f19": "mint(address,uint256)",
  "0xd505accf": "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
  "0x9fd5a6cf": "permit(address,address,uint256,uint256,bytes)",
  "0xe3ee160e": "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
  "0xcf092995": "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)",
  "0xef55bec6": "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
  "0x88b7ab63": "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)",
  "0x5a049a70": "cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)",
  "0xb7b72899": "cancelAuthorization(address,bytes32,bytes)",
  "0x82ad56cb": "aggregate3((address,bool,bytes)[])",
  "0xd0e30db0": "deposit()",
  "0x2e1a7d4d": "withdraw(uint256)",
  "0x42842e0e": "safeTransferFrom(address,address,uint256)",
  "0xa22cb465": "setApprovalForAll(address,bool)",
};

export const eventSignatures: Record<string, string> = {
  "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef": "Transfer(address,address,uint256)",
  "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925": "Approval(address,address,uint256)",
  "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5": "AuthorizationUsed(address,bytes32)",
  "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81": "AuthorizationCanceled(address,bytes32)",
  "0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0": "OwnershipTransferred(address,address)",
};

export const eventTopics = {
  Approval: "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925",
  AuthorizationUsed: "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5",
  AuthorizationCanceled: "0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81",
  // Of the proxies that settle payments through Permit2.
  Settled: "0x97088ec3606cfe8cc112180570d03fcde05f9b8e1bfef8e27784eaf5dd5691b6",
  SettledWithPermit: "0xde5b89d10fc800c459329c382fabfcad0be0ed7e5328e01fae04e507b09ef5d8",
} as const;

/** Returns the name in a signature, such as "transfer" for "transfer(address,uint256)". */
export function toName(signature: string): string {
  return signature.slice(0, signature.indexOf("("));
}

/** The names of the functions, without repeated ones. */
export const listFunctionNames = (): string[] => [...new Set(Object.values(functionSignatures).map(toName))];

/** The name of the function that the calldata calls. Undefined if the selector is unknown. */
export function findFunctionName(selector: string | null | undefined): string | undefined {
  const signature = selector ? functionSignatures[selector.slice(0, 10).toLowerCase()] : undefined;
  return signature && toName(signature);
}
