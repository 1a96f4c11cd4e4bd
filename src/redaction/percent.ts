import { decodeEscapes, type DecodedText } from './decoded-text.ts'

const escape = /%[\dA-Fa-f]{2}/g

/** Decodes what URLs and forms escape, byte by byte; undefined where nothing is. */
export function decodePercent(written: string): DecodedText | undefined {
  if (written.search(escape) === -1) return undefined
  // Without a space in it, the text is a URL or a form itself.
  const isWhole = !/\s/.test(written)
  const decode = (found: string): string => String.fromCharCode(Number.parseInt(found.slice(1), 16))
  return decodeEscapes(written, escape, decode, (between) => (isWhole ? between.replaceAll('+', ' ') : between))
}
