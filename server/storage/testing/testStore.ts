/** The store that a part of the suite tests, new for each test. */
import type { Store } from "@/server/ports/store";

export type TestStore = {
  store: Store;
  /** Closes the store and opens its database again; `store` is the new one from then on. */
  reopen(): Promise<Store>;
  /** One more store on a database of its own. */
  fresh(): Promise<{ store: Store; dispose(): Promise<void> }>;
};
export type UseStore = () => TestStore;
