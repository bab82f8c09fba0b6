/**
 * Remembers the numbers and hashes of the newest blocks that the page has seen. With them, it detects whether the chain
 * was rewound.
 */

type KnownBlock = { number: number; hash: string };

export type ChainMemory = {
  learn(block: KnownBlock): void;
  /**
   * Compares a new head with the known blocks.
   * - `next`: the head extends the known blocks, or no blocks are known.
   * - `known`: the head is one of the known blocks.
   * - `rewound`: the head contradicts the known blocks, so the chain was rewound.
   */
  judge(head: KnownBlock & { parentHash?: string | undefined }): "next" | "known" | "rewound";
  /** The highest known block, or undefined if none is known. */
  findNewest(): KnownBlock | undefined;
  forget(): void;
};

const kept = 512;

export function createChainMemory(): ChainMemory {
  const hashes = new Map<number, string>();
  const newest = () => (hashes.size === 0 ? undefined : Math.max(...hashes.keys()));

  return {
    learn({ number, hash }) {
      hashes.set(number, hash);
      if (hashes.size > kept) hashes.delete(Math.min(...hashes.keys()));
    },
    judge({ number, hash, parentHash }) {
      const top = newest();
      if (top === undefined) return "next";
      const known = hashes.get(number);
      if (known !== undefined) return known === hash ? "known" : "rewound";
      if (number < top) return "rewound";
      const parent = hashes.get(number - 1);
      return parent !== undefined && parentHash !== undefined && parent !== parentHash ? "rewound" : "next";
    },
    findNewest() {
      const number = newest();
      return number === undefined ? undefined : { number, hash: hashes.get(number)! };
    },
    forget: () => hashes.clear(),
  };
}
