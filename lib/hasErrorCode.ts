/** Whether the error has the code. Rooms tell errors apart by their codes, not by class or message. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
