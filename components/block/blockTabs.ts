/** The views of a block and their tab labels. */
export const blockTabs = { transactions: "Transactions", receipts: "Receipts", raw: "Raw" };

export type BlockView = keyof typeof blockTabs;
