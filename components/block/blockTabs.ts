/** The views of a block and what their tabs are called. */
export const blockTabs = { transactions: "Transactions", receipts: "Receipts", raw: "Raw" };

export type BlockView = keyof typeof blockTabs;
