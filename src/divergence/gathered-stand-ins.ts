import { isStreamedOutput } from '../redaction/spelled-texts.ts'
import type { StandIns } from '../redaction/stand-in.ts'

/**
 * Returns an outcome's output with each stand-in whole in the piece in which it begins: redaction divides a stand-in among the pieces that spelled
 * the secret, and only a whole one can be compared as a variable.
 */
export function gatherStandIns(output: unknown, standIns: Pick<StandIns, 'find'>): unknown {
  if (typeof output !== 'object' || output === null || !isStreamedOutput(output)) return output
  const { parts } = output as { readonly parts?: unknown }
  const gathered = mapTexts(output.yielded, (pieces) => gather(pieces, standIns))
  const members = Array.isArray(parts) ? { parts: parts.map((part) => gatherStandIns(part, standIns)) } : {}
  return { ...output, yielded: gathered, ...members }
}

/** Replaces the texts of a list. The other items stay. */
export function mapTexts(list: readonly unknown[], map: (texts: readonly string[]) => readonly string[]): readonly unknown[] {
  const texts = map(list.filter((item) => typeof item === 'string'))
  let next = 0
  return list.map((item) => (typeof item === 'string' ? texts[next++] : item))
}

function gather(pieces: readonly string[], standIns: Pick<StandIns, 'find'>): readonly string[] {
  const whole = pieces.join('')
  const found = standIns.find(whole)
  if (found.length === 0) return pieces
  let next = 0
  return pieces.map(({ length }) => {
    const [start, end] = [next, next + length]
    next = end
    const from = found.find((each) => each.start < start && each.end > start)?.end ?? start
    const to = found.find((each) => each.start >= start && each.start < end && each.end > end)?.end ?? end
    return whole.slice(from, Math.max(from, to))
  })
}
