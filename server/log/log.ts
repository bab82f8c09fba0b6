/**
 * The process's log: one line per event on standard error. If a request caused the event, the line contains the
 * request's ID. Nothing else writes to the console while serving, and callers must never pass keys, payloads or request
 * bodies.
 */

import { currentRequestId } from "@/server/log/requestContext";

type Fields = Record<string, string | number | bigint | boolean | undefined>;

/** Values with special characters are quoted, so that a hostile value cannot forge a line. */
function toLine(level: string, message: string, fields: Fields): string {
  const parts = Object.entries({ ...fields, request: fields.request ?? currentRequestId() })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const text = String(value);
      return `${name}=${/^[\w.:/-]+$/.test(text) ? text : JSON.stringify(text)}`;
    });
  return [new Date().toISOString(), level, message, ...parts].join(" ");
}

export const log = {
  info(message: string, fields: Fields = {}): void {
    console.error(toLine("info", message, fields));
  },
  warn(message: string, fields: Fields = {}): void {
    console.error(toLine("warn", message, fields));
  },
  /** Logs an internal error. The stack only goes to the log, never to a caller. */
  error(message: string, error: unknown, fields: Fields = {}): void {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.error(`${toLine("error", message, fields)}\n${detail}`);
  },
};
