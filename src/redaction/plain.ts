/** Returns a value without the characters that JSON, URLs and line breaks add: the same result for every written form. */
export function plain(written: string): string {
  return written
    .replaceAll(/\\[nr]|\s/g, '')
    .replaceAll(/%([\dA-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)).trim())
    .replaceAll('\\', '')
}
