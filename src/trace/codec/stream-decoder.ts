import { TraceFormatError } from '../errors/trace-format-error.ts'
import { applyFill, parseEvent, printEvent, type EventTemplate, type Fill } from './event-template.ts'
import type { ReferenceReader } from './reference-reader.ts'
import type { StreamPiece, StreamText } from './stream-encoder.ts'

/** Reads the text of streams. */
export interface StreamDecoder {
  /** Throws a `TraceFormatError` for a text that refers to no stored event, and for a fill that does not fit. */
  decode(step: number, text: StreamText): string
  end(step: number): void
}

/** The inverse of `createStreamEncoder`. */
export function createStreamDecoder(references: ReferenceReader): StreamDecoder {
  const templates = new Map<string, EventTemplate>()
  const firsts = new Map<number, Map<string, readonly string[]>>()

  const templateOf = (reference: string): EventTemplate => {
    const known = templates.get(reference)
    if (known !== undefined) return known
    const text = references.textOf(reference, 'text')
    if (typeof text !== 'string') return fail(`"text" refers to ${reference}, which is not a stream text`)
    const template = parseEvent(text)
    templates.set(reference, template)
    return template
  }

  const decodeEvent = (step: number, { like, fill = {} }: { like: string; fill?: Fill }): string => {
    const { gaps, literals: stored } = templateOf(like)
    const ofStep = firsts.get(step) ?? new Map<string, readonly string[]>()
    const literals = applyFill(ofStep.get(like) ?? stored, fill)
    if (literals === undefined) return fail(`"text" fills more than the ${stored.length} literals of ${like}`)
    if (!ofStep.has(like)) firsts.set(step, ofStep.set(like, literals))
    return printEvent(gaps, literals)
  }

  const decodePiece = (step: number, piece: StreamPiece): string => (typeof piece === 'string' ? piece : decodeEvent(step, piece))

  return {
    decode(step, text) {
      return isPieces(text) ? text.map((piece) => decodePiece(step, piece)).join('') : decodePiece(step, text)
    },
    end(step) {
      firsts.delete(step)
    },
  }
}

function fail(problem: string): never {
  throw new TraceFormatError({ problem, field: 'text' })
}

function isPieces(text: StreamText): text is readonly StreamPiece[] {
  return Array.isArray(text)
}
