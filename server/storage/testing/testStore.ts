/** The store under test. Each test gets a new one. */
import type { Store } from "@/server/ports/store";

export type TestStore = {
  store: Store;
  /** Closes the store and reopens its database; from then on, `store` is the new one. */
  reopen(): Promise<Store>;
  /** Opens another store on a new database. */
  fresh(): Promise<{ store: Store; dispose(): Promise<void> }>;
};
export type UseStore = () => TestStore;
