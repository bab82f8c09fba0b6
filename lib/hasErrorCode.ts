/** Whether the error has the given code. Always identify errors by code, never by class or message. */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
