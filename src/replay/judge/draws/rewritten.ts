import { isUint8Array } from 'node:util/types'
import type { MadeDraw } from './correspondence.ts'
import { dateUnit, type DrawnPiece } from './drawn-text.ts'
import { formsOf } from './renderings.ts'

/** A value with the pieces of its texts and numbers rewritten. */
export function rewriteIn(
  value: unknown,
  piecesOf: (text: string) => readonly DrawnPiece[],
  write: (piece: DrawnPiece) => string | undefined,
): unknown {
  const rewrite = (text: string): string => {
    let output = ''
    let at = 0
    for (const piece of piecesOf(text)) {
      output += text.slice(at, piece.start) + (write(piece) ?? piece.text)
      at = piece.end
    }
    return output + text.slice(at)
  }
  const visit = (item: unknown): unknown => {
    if (typeof item === 'string') return rewrite(item)
    if (typeof item === 'number') {
      const written = rewrite(String(item))
      return written === String(item) ? item : Number.isNaN(Number(written)) ? written : Number(written)
    }
    if (Array.isArray(item)) return item.map(visit)
    if (typeof item !== 'object' || item === null || isUint8Array(item)) return item
    return Object.fromEntries(Object.entries(item).map(([key, field]) => [key, visit(field)]))
  }
  return visit(value)
}

/** A piece rewritten with a different draw; undefined for a date form that cannot be rewritten. */
export function rewritten({ text, date }: DrawnPiece, draw: MadeDraw, form: string): string | undefined {
  if (date === undefined) return formsOf(draw).find(([name]) => name === form)?.[1]
  if (/^\d+$/.test(text)) return String(Math.floor(Number(draw.value) / dateUnit({ text })))
  const iso = new Date(Number(draw.value)).toISOString()
  return text.length === iso.length && text.endsWith('Z') ? iso : undefined
}
