import { TraceFormatError } from '../errors/trace-format-error.ts'
import { applyFill, parseEvent, printEvent, spell, type EventTemplate, type Fill } from './event-template.ts'
import type { ReferenceReader } from './reference-reader.ts'
import type { LikeEvent, StreamPiece, StreamText } from './stream-encoder.ts'

/** Reads the text of streams. */
export interface StreamDecoder {
  /** Throws a `TraceFormatError` for a text that refers to no stored event, and for a fill that does not fit. */
  decode(step: number, text: StreamText): string
  end(step: number): void
}

/** The inverse of `createStreamEncoder`. */
export function createStreamDecoder(references: ReferenceReader): StreamDecoder {
  const templates = new Map<string, EventTemplate>()
  const firsts = new Map<number, Map<string, KnownLiterals>>()

  const templateOf = (reference: string): EventTemplate => {
    const known = templates.get(reference)
    if (known !== undefined) return known
    const text = references.textOf(reference, 'text')
    if (typeof text !== 'string') return fail(`"text" refers to ${reference}, which is not a stream text`)
    const template = parseEvent(text)
    templates.set(reference, template)
    return template
  }

  const fillOf = (like: string, literals: readonly string[], fill: Fill): string[] =>
    applyFill(literals, fill) ?? fail(`"text" fills more than the ${literals.length} literals of ${like}`)

  /** Returns the literals of the first event of a shape in a stream, which later ones differ from; the first one itself sets them. */
  const firstOf = (step: number, { like, fill = {} }: LikeEvent): KnownLiterals => {
    const ofStep = firsts.get(step) ?? new Map<string, KnownLiterals>()
    const known = ofStep.get(like)
    if (known !== undefined) return known
    const template = templateOf(like)
    const first = { literals: fillOf(like, template.literals, fill), length: filledLength(template, fill) }
    references.budget.take(8 * first.literals.length)
    firsts.set(step, ofStep.set(like, first))
    return first
  }

  // What a fill or a plain piece adds stands in the row itself.
  const lengthOf = (step: number, piece: StreamPiece): number => (typeof piece === 'string' ? 0 : firstOf(step, piece).length)

  const decodePiece = (step: number, piece: StreamPiece): string => {
    if (typeof piece === 'string') return piece
    const { like, fill = {} } = piece
    return printEvent(templateOf(like).gaps, fillOf(like, firstOf(step, piece).literals, fill))
  }

  return {
    decode(step, text) {
      if (typeof text === 'string') return text
      if (!isPieces(text)) {
        references.budget.takeText(firstOf(step, text).length)
        return decodePiece(step, text)
      }
      references.budget.takeText(text.reduce((length, piece) => length + lengthOf(step, piece), 0))
      return text.map((piece) => decodePiece(step, piece)).join('')
    },
    end(step) {
      firsts.delete(step)
    },
  }
}

/** Literals of an event, and the length of its text. */
type KnownLiterals = Pick<EventTemplate, 'literals' | 'length'>

/** Returns the length of a text with other literals, without building it. */
function filledLength({ literals, length }: KnownLiterals, fill: Fill): number {
  let filled = length
  for (const [index, literal] of Object.entries(fill)) filled += spell(literal).length - (literals[Number(index)]?.length ?? 0)
  return filled
}

function fail(problem: string): never {
  throw new TraceFormatError({ problem, field: 'text' })
}

function isPieces(text: StreamText): text is readonly StreamPiece[] {
  return Array.isArray(text)
}
