import type { FindStandIns } from '../../redaction/find-stand-ins.ts'
import type { StandInKind } from '../../redaction/stand-in.ts'

/** A part of a text: plain text, or a stand-in of redaction. */
export interface TextPart {
  readonly text: string
  readonly standIn?: StandInKind
}

/** Control characters except tab and line break, characters that change the direction of writing, and invisible characters. */
const unseen = /(?![\t\n])[\p{Cc}\p{Bidi_C}\u2028\u2029\u200B\u2060-\u2064\uFEFF\u{E0000}-\u{E007F}]/gu

/** Makes a text readable: characters that drive a terminal or are invisible are shown as escapes. */
export function visible(text: string): string {
  return text.replaceAll(unseen, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code > 0xff_ff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** Splits a text into plain text and stand-ins. */
export function textParts(text: string, findStandIns: FindStandIns): TextPart[] {
  const parts: TextPart[] = []
  let reached = 0
  for (const found of findStandIns(text)) {
    if (found.start < reached) continue
    const standIn = text.slice(found.start, found.end)
    if (found.start > reached) parts.push({ text: visible(text.slice(reached, found.start)) })
    parts.push({ text: visible(standIn), standIn: found.kind })
    reached = found.start + standIn.length
  }
  if (reached < text.length) parts.push({ text: visible(text.slice(reached)) })
  return parts
}
