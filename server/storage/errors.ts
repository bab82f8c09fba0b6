/**
 * The errors that a database can cause; their messages are for the node's operator. No error leaves a partial write.
 * After a StoreUncertainError, the change may have been written.
 */

/** The parent of the committed block is not the stored head. */
export class StaleHeadError extends Error {
  override name = "StaleHeadError";
  readonly code = "STALE_HEAD";
}

/** The instance that tried to commit the block is no longer allowed to build blocks. */
export class LostLeaseError extends Error {
  override name = "LostLeaseError";
  readonly code = "LOST_LEASE";
}

/** The nonce was given to another instance before this one signed its transaction. */
export class LostAllotmentError extends Error {
  override name = "LostAllotmentError";
  readonly code = "LOST_ALLOTMENT";
}

/** The file is not a Tollscan database, is damaged, or was written by a newer version. */
export class StoreFormatError extends Error {
  override name = "StoreFormatError";
  readonly code = "STORE_FORMAT";
}

/** The database belongs to another chain. */
export class StoreIdentityError extends Error {
  override name = "StoreIdentityError";
  readonly code = "STORE_IDENTITY";
}

/** Another process or thread is already writing this database. */
export class StoreLockedError extends Error {
  override name = "StoreLockedError";
  readonly code = "STORE_LOCKED";
  readonly file: string;

  constructor(file: string) {
    super(`${file} is in use by another running node; stop it first or choose another data folder.`);
    this.file = file;
  }
}

/** The database cannot be reached: it is missing, or its permissions do not allow reading or writing. */
export class StoreUnavailableError extends Error {
  override name = "StoreUnavailableError";
  readonly code = "STORE_UNAVAILABLE";
}

/** The disk is full, so nothing was written. */
export class StoreFullError extends Error {
  override name = "StoreFullError";
  readonly code = "STORE_FULL";
}

/**
 * The connection broke during a commit. Either the whole change was written or none of it. Read it back to find out.
 */
export class StoreUncertainError extends Error {
  override name = "StoreUncertainError";
  readonly code = "STORE_UNCERTAIN";
}
