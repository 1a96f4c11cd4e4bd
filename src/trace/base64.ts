/** Encodes bytes as base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  const native: Uint8Array & { toBase64?(): string } = bytes
  if (native.toBase64 !== undefined) return native.toBase64()
  let binary = ''
  for (let start = 0; start < bytes.length; start += STRIDE) binary += String.fromCharCode(...bytes.subarray(start, start + STRIDE))
  return btoa(binary)
}

/** Decodes base64 text. Throws a `SyntaxError` or `DOMException` for text that is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const native: Uint8ArrayConstructor & { fromBase64?(text: string): Uint8Array<ArrayBuffer> } = Uint8Array
  if (native.fromBase64 !== undefined) return native.fromBase64(text)
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** How many bytes are passed to one `String.fromCharCode`: arguments live on the stack. */
const STRIDE = 8192
