import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { printValue } from '../../divergence/print-value.ts'
import type { FieldDifference } from '../../divergence/divergence.ts'
import { type TextChange, textChanges } from '../../divergence/text-difference.ts'
import type { FieldChange } from '../model/moment.ts'
import { counted } from './format.ts'
import { Parts } from './text.tsx'

/** The names of the two sides. */
export interface SideNames {
  readonly left: string
  readonly right: string
}

/** The number of differences that are shown at first. */
const SHOWN = 8

interface DifferencesProps {
  readonly differences: readonly FieldDifference[]
  readonly names: SideNames
  /** How many characters of a text are shown around each difference. Default: 160. */
  readonly around?: number | undefined
}

/** The fields that differ, with both values. In texts, the words that differ are marked. */
export function Differences({ differences, names, around = 160 }: DifferencesProps): JSX.Element {
  const [shown, show] = useState(SHOWN)
  return (
    <div class="differences">
      {differences.slice(0, shown).map((difference) => (
        <Difference difference={difference} names={names} around={around} />
      ))}
      {differences.length > shown && (
        <button type="button" class="more" onClick={() => show(differences.length)}>
          … {counted(differences.length - shown, 'more difference')}
        </button>
      )}
    </div>
  )
}

/** The fields in which two values differ. */
export function Changes({ changes, names }: { readonly changes: readonly FieldChange[]; readonly names: SideNames }): JSX.Element {
  return <Differences differences={changes.map(({ path, before, after }) => ({ path, expected: before, received: after }))} names={names} />
}

function Difference({ difference: { path, part, expected, received, drawn }, names, around }: DifferenceProps): JSX.Element {
  const changes = typeof expected === 'string' && typeof received === 'string' ? textChanges(expected, received) : undefined
  return (
    <div class="difference">
      <div class="where">
        {part !== undefined && <span class="chip">{part}</span>}
        {path !== '' && (
          <code>
            <Parts value={path.slice(0, 300)} />
          </code>
        )}
        {drawn && <span class="muted">from the clock or a random source</span>}
      </div>
      <Side side="expected" name={names.left} value={expected} changes={changes} around={around} />
      <Side side="received" name={names.right} value={received} changes={changes} around={around} />
    </div>
  )
}

interface DifferenceProps {
  readonly difference: FieldDifference
  readonly names: SideNames
  readonly around: number
}

interface SideProps {
  readonly side: 'expected' | 'received'
  readonly name: string
  readonly value: unknown
  /** Where two texts differ; undefined if one of the values is not a text. */
  readonly changes: readonly TextChange[] | undefined
  readonly around: number
}

/** The value of one side. Of two texts, the words that differ are marked, with some of the equal text around each. */
function Side({ side, name, value, changes, around }: SideProps): JSX.Element {
  return (
    <div class={`side ${side}`}>
      <span class="sign">
        {side === 'expected' ? '−' : '+'} {name}
      </span>
      <span class="words">
        {changes !== undefined && typeof value === 'string' ? (
          <Marked text={value} changes={changes} side={side} around={around} />
        ) : value === undefined ? (
          <i>absent</i>
        ) : (
          <Parts value={printValue(value, 2000)} />
        )}
      </span>
    </div>
  )
}

/** Longer differing parts are cut. */
const LONGEST = 4000

/** At most this many differences are marked. */
const MARKED = 60

interface MarkedProps extends Pick<SideProps, 'side' | 'around'> {
  readonly text: string
  readonly changes: readonly TextChange[]
}

function Marked({ text, changes, side, around }: MarkedProps): JSX.Element {
  const parts: JSX.Element[] = []
  let reached = 0
  const add = (Tag: 'del' | 'ins' | 'span', value: string): void =>
    void parts.push(
      <Tag>
        <Parts value={value} />
      </Tag>,
    )
  for (const change of changes.slice(0, MARKED)) {
    const { start, end } = change[side]
    add('span', cutMiddle(text.slice(reached, start), reached > 0 ? around : 0, around))
    const changed = text.slice(start, end)
    if (changed !== '') add(side === 'expected' ? 'del' : 'ins', changed.length > LONGEST ? `${changed.slice(0, LONGEST)}…` : changed)
    reached = end
  }
  add('span', cutMiddle(text.slice(reached), reached > 0 ? around : 0, 0))
  return <>{parts}</>
}

/** Cuts equal text, and keeps what is near a difference: its start after a difference, its end before one. */
function cutMiddle(text: string, start: number, end: number): string {
  if (text.length <= start + end + 20) return text
  const [first, last] = [text.slice(0, start).replace(/\s\S*$/, ''), end === 0 ? '' : text.slice(-end).replace(/^\S*\s/, '')]
  return `${first} … ${last}`
}
