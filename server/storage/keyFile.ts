/**
 * Stores the node's secret keys in a file that only its owner can read. They are written to a temporary file, which is
 * then hard-linked as the key file. Linking fails if another process has already created the key file.
 */
import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { hasErrorCode } from "@/lib/hasErrorCode";
import { StoreUnavailableError } from "@/server/storage/errors";
import { makeFolder } from "@/server/storage/makeFolder";

/** Stores the text of a node's secret keys. `name` identifies the storage location in messages. */
export type KeyStore = {
  name: string;
  find(): Promise<string | undefined>;
  /** Stores the keys, unless there are keys already. */
  insert(text: string): Promise<void>;
};

/** Throws StoreUnavailableError if the file can't be read or created. */
export function createKeyFile(file: string): KeyStore {
  return {
    name: file,
    find: async () => allowing("ENOENT", file, () => readFileSync(file, "utf8")),
    async insert(text) {
      const draft = `${file}.${randomUUID()}`;
      try {
        allowing("EEXIST", file, () => {
          makeFolder(dirname(file));
          writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
          linkSync(draft, file);
        });
      } finally {
        rmSync(draft, { force: true });
      }
    },
  };
}

/** Runs the work. Returns undefined if it fails with this error code. */
function allowing<T>(code: string, file: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (cause) {
    if (hasErrorCode(cause, code)) return undefined;
    const why = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new StoreUnavailableError(`The key file ${file} cannot be read or created${why}.`, { cause });
  }
}
