import { parseEvent, splitEvents, toFill, type EventTemplate, type Fill } from './event-template.ts'
import type { TextStore } from './texts.ts'

/** A piece of a chunk: its text, or a reference to a stored event of the same shape with the literals that differ. */
export type StreamPiece = string | LikeEvent

/** An event of a known shape: the reference to a stored event, and the literals that differ. */
export interface LikeEvent {
  readonly like: string
  readonly fill?: Fill
}

/** A chunk's text in a file. */
export type StreamText = StreamPiece | readonly StreamPiece[]

/** Writes the text of streams: an event of a known shape as its differences. */
export interface StreamEncoder {
  encode(step: number, text: string): StreamText
  /** Forgets a step's stream, which has ended. */
  end(step: number): void
  /** Makes everything that follows independent of what was written so far. */
  forget(): void
}

/**
 * Creates an encoder that stores the first event of each shape in `texts`. An event's fill is relative to the first event of its shape in the same
 * stream, which carries the stream's ids and timestamps. The fill of that first event is relative to the stored text.
 */
export function createStreamEncoder(texts: TextStore): StreamEncoder {
  const shapes = new Map<string, { reference: string; literals: readonly string[] }>()
  const firsts = new Map<number, Map<string, readonly string[]>>()
  let spent = 0

  const encodeEvent = (step: number, text: string): StreamPiece => {
    if (!isEvent(text)) return text
    const template = parseEvent(text)
    const shape = template.gaps.join(SEPARATOR)
    const known = shapes.get(shape)
    if (known === undefined && spent + shape.length > MAX_SHAPES_LENGTH) return text
    const reference = known?.reference ?? texts.refer(JSON.stringify(text))
    const piece = toPiece(reference, firsts.get(step)?.get(reference) ?? known?.literals ?? template.literals, template)
    if (known !== undefined && JSON.stringify(piece).length >= text.length) return text
    if (known === undefined) {
      shapes.set(shape, { reference, literals: template.literals })
      spent += shape.length
    }
    const ofStep = firsts.get(step) ?? new Map<string, readonly string[]>()
    if (!ofStep.has(reference)) firsts.set(step, ofStep.set(reference, template.literals))
    return piece
  }

  return {
    encode(step, text) {
      const pieces: StreamPiece[] = []
      for (const event of splitEvents(text)) {
        const piece = encodeEvent(step, event)
        const last = pieces.at(-1)
        if (typeof piece === 'string' && typeof last === 'string') pieces[pieces.length - 1] = last + piece
        else pieces.push(piece)
      }
      return pieces.length === 1 ? (pieces[0] ?? '') : pieces
    },
    end(step) {
      firsts.delete(step)
    },
    forget() {
      shapes.clear()
      firsts.clear()
      spent = 0
    },
  }
}

/** Separates the gaps in the name of a shape; text that contains it is not treated as an event. */
const SEPARATOR = '\u0000'
/** How many characters of shapes are kept in memory: events of later shapes are written in full. */
const MAX_SHAPES_LENGTH = 4_000_000
const MIN_EVENT = 48
const MAX_EVENT = 65_536

/** Returns whether a piece is worth a template: whole lines of an event stream or of newline-delimited JSON. */
function isEvent(text: string): boolean {
  if (text.length < MIN_EVENT || text.length > MAX_EVENT || !/[\r\n]$/.test(text) || text.includes(SEPARATOR)) return false
  return /^[\r\n]*(?:\{|data|event|id|retry|:)/.test(text)
}

function toPiece(reference: string, base: readonly string[], { literals }: EventTemplate): StreamPiece {
  const fill = toFill(base, literals)
  return Object.keys(fill).length === 0 ? { like: reference } : { like: reference, fill }
}
