/** Returns whether SQLite failed because another process uses the file. Source: SQLite, "Result and Error Codes", SQLITE_BUSY; the upper bits are details. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}
