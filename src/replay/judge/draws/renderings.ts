import { isUint8Array } from 'node:util/types'
import { knownOrMade } from '../../../trace/remember.ts'
import type { MadeDraw } from './correspondence.ts'

/** A draw, and its form in a text. */
export interface Rendered {
  readonly draw: MadeDraw
  readonly form: string
}

/** A shorter piece of an id counts as a word. */
const shortestPiece = 6

/** The draws of one run, indexed by the texts that code writes them as; times written as dates are separate. */
export class Renderings {
  readonly #byText = new Map<string, Rendered[]>()
  readonly #times: MadeDraw[] = []
  readonly #all: readonly MadeDraw[]
  readonly #byTime = new Map<number, { seen: number; readonly draws: Map<number, MadeDraw[]> }>()
  #seen = 0

  /** @param draws May grow. */
  constructor(draws: readonly MadeDraw[]) {
    this.#all = draws
  }

  /** The draws that a word or number may be; empty if it is not a draw. */
  of(text: string): readonly Rendered[] {
    this.#read()
    return this.#byText.get(text) ?? none
  }

  /** The clock reads that fall within one unit of time, given in milliseconds. */
  at(time: number, unit: number): readonly MadeDraw[] {
    this.#read()
    const byTime = knownOrMade(this.#byTime, unit, () => ({ seen: 0, draws: new Map() }))
    for (; byTime.seen < this.#times.length; byTime.seen += 1) {
      const draw = this.#times[byTime.seen]
      if (draw === undefined) continue
      const start = Math.floor(Number(draw.value) / unit) * unit
      knownOrMade(byTime.draws, start, () => []).push(draw)
    }
    return byTime.draws.get(time) ?? none
  }

  /** The clock reads. */
  get times(): readonly MadeDraw[] {
    this.#read()
    return this.#times
  }

  #read(): void {
    for (; this.#seen < this.#all.length; this.#seen += 1) {
      const draw = this.#all[this.#seen]
      if (draw === undefined) continue
      if (draw.kind === 'clock') this.#times.push(draw)
      for (const [form, text] of formsOf(draw)) knownOrMade(this.#byText, text, () => []).push({ draw, form })
    }
  }
}

const none: readonly never[] = []

/** The texts that a draw may be written as, each with the name of its form. */
export function formsOf({ kind, value }: MadeDraw): [form: string, text: string][] {
  if (isUint8Array(value)) return bytesForms(value)
  if (kind === 'uuid') return idForms(String(value))
  if (kind === 'random') return [['number', String(value)], ...pieces('base 36', Number(value).toString(36).slice(2))]
  return [
    ['ms', String(value)],
    ['ms in base 36', Number(value).toString(36)],
  ]
}

function idForms(id: string): [form: string, text: string][] {
  const bare = id.replaceAll('-', '')
  return [['id', id], ...(bare === id ? [] : pieces('bare id', bare)), ...(id.toUpperCase() === id ? [] : [upper(id)])]
}

function upper(id: string): [form: string, text: string] {
  return ['upper-case id', id.toUpperCase()]
}

/** The length is part of the form: a shorter key is a different key. */
function bytesForms(drawn: Uint8Array): [form: string, text: string][] {
  const bytes = Buffer.from(drawn)
  const encodings = ['hex', 'base64', 'base64url'] as const
  return encodings.map((encoding) => [`${bytes.length} bytes in ${encoding}`, bytes.toString(encoding)])
}

/** A text, and its slices. */
function pieces(form: string, text: string): [form: string, text: string][] {
  const found: [form: string, text: string][] = [[form, text]]
  for (let length = shortestPiece; length < Math.min(text.length, 17); length += 1)
    found.push([`${form}, ${length}`, text.slice(0, length)])
  return found
}
