/** A value without what JSON, URLs and line breaks put into it: the same for every way in which it is written. */
export function plain(written: string): string {
  return written
    .replaceAll(/\\[nr]|\s/g, '')
    .replaceAll(/%([\dA-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)).trim())
    .replaceAll('\\', '')
}
