/** The most bytes that `crypto.getRandomValues` returns at once. Source: Web Cryptography API, section 10.1.1. */
const maximumDraw = 65_536

/** Draws random bytes of the run for a single use. */
export function draw(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size)
  for (let start = 0; start < size; start += maximumDraw) crypto.getRandomValues(bytes.subarray(start, start + maximumDraw))
  return bytes
}
