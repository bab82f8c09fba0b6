/**
 * What can go wrong with a database. Each class is one cause, its message one sentence for the person who runs the
 * node; nothing was written when one of these is thrown, but for the last.
 */

/** A block was committed whose parent is not the stored head. */
export class StaleHeadError extends Error {
  override name = "StaleHeadError";
  readonly code = "STALE_HEAD";
}

/** A block was committed by an instance that no longer has the right to build. */
export class LostLeaseError extends Error {
  override name = "LostLeaseError";
  readonly code = "LOST_LEASE";
}

/** A transaction was signed with a nonce that was given to another instance since. */
export class LostAllotmentError extends Error {
  override name = "LostAllotmentError";
  readonly code = "LOST_ALLOTMENT";
}

/** The file is not one of our databases, is damaged, or was written by a newer version. */
export class StoreFormatError extends Error {
  override name = "StoreFormatError";
  readonly code = "STORE_FORMAT";
}

/** The database belongs to another chain. */
export class StoreIdentityError extends Error {
  override name = "StoreIdentityError";
  readonly code = "STORE_IDENTITY";
}

/** Another process or thread writes this database already. */
export class StoreLockedError extends Error {
  override name = "StoreLockedError";
  readonly code = "STORE_LOCKED";
  readonly file: string;

  constructor(file: string) {
    super(`${file} is in use by another running node; stop it first or choose another data folder.`);
    this.file = file;
  }
}

/** The database cannot be reached: it is missing, or may not be read or written. */
export class StoreUnavailableError extends Error {
  override name = "StoreUnavailableError";
  readonly code = "STORE_UNAVAILABLE";
}

/** The connection broke while a change was landing: it is there as a whole or not at all, and only reading tells. */
export class StoreUncertainError extends Error {
  override name = "StoreUncertainError";
  readonly code = "STORE_UNCERTAIN";
}
