import type { DecodedText } from './decoded-text.ts'

const escape = /%[\dA-Fa-f]{2}/

/** Decodes what URLs and forms escape, byte by byte; undefined where nothing is. */
export function decodePercent(written: string): DecodedText | undefined {
  if (!written.includes('%') || !escape.test(written)) return undefined
  // Without a space in it, the text is a URL or a form itself.
  const isWhole = !/\s/.test(written)
  const places: number[] = []
  let text = ''
  for (let at = 0; at < written.length;) {
    places.push(at)
    const code = written[at] === '%' ? written.slice(at + 1, at + 3) : ''
    if (/^[\dA-Fa-f]{2}$/.test(code)) {
      text += String.fromCharCode(Number.parseInt(code, 16))
      at += 3
    } else {
      text += isWhole && written[at] === '+' ? ' ' : written[at]
      at += 1
    }
  }
  places.push(written.length)
  return { text, places }
}
