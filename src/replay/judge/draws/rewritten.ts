import { isUint8Array } from 'node:util/types'
import { applyEdits } from '../../../redaction/edits.ts'
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
    const edits = piecesOf(text).map((piece) => ({ ...piece, text: write(piece) ?? piece.text }))
    return applyEdits(text, edits)
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

/** A piece rewritten with a different draw; undefined if its date form cannot be rewritten. */
export function rewritten({ text, date }: DrawnPiece, draw: MadeDraw, form: string): string | undefined {
  if (date === undefined) return formsOf(draw).find(([name]) => name === form)?.[1]
  if (/^\d+$/.test(text)) return String(Math.floor(Number(draw.value) / dateUnit({ text })))
  const iso = new Date(Number(draw.value)).toISOString()
  return text.length === iso.length && text.endsWith('Z') ? iso : undefined
}
