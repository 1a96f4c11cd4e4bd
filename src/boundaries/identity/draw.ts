/** The most that `crypto.getRandomValues` returns at once, in bytes. Source: Web Cryptography API, section 10.1.1. */
const maximumDraw = 65_536

/** Random bytes of the run, drawn for this one use. */
export function draw(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  for (let start = 0; start < size; start += maximumDraw) crypto.getRandomValues(bytes.subarray(start, start + maximumDraw))
  return bytes
}
