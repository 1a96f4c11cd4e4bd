/**
 * Whether a body in `deflate` has a zlib header, as RFC 9110 has it, or none, as some servers send it. Node's fetch goes by the first byte too.
 * Source: RFC 1950, section 2.2, the low four bits of the first byte are the compression method, 8.
 */
export function hasZlibHeader(first: number): boolean {
  return (first & 0x0f) === 8
}
