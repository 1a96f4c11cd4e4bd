import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { printValue } from '../../divergence/print-value.ts'
import type { FieldDifference } from '../../divergence/divergence.ts'
import { type TextChange, textChanges } from '../../divergence/text-difference.ts'
import type { FieldChange } from '../model/moment.ts'
import { counted } from './format.ts'
import { Parts } from './text.tsx'

/** What the two sides are called. */
export interface SideNames {
  readonly left: string
  readonly right: string
}

/** So many differences are shown at first. */
const SHOWN = 8

interface DifferencesProps {
  readonly differences: readonly FieldDifference[]
  readonly names: SideNames
  /** How much of a text is shown around each place where it differs, in characters. Default: 160. */
  readonly around?: number | undefined
}

/** The fields that differ, each with both values; of texts the words that differ. */
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
      {typeof expected === 'string' && typeof received === 'string' ? (
        <TextDifference left={expected} right={received} names={names} around={around} />
      ) : (
        <>
          <Side sign="−" name={names.left}>
            {expected === undefined ? <i>absent</i> : <Parts value={printValue(expected, 2000)} />}
          </Side>
          <Side sign="+" name={names.right}>
            {received === undefined ? <i>absent</i> : <Parts value={printValue(received, 2000)} />}
          </Side>
        </>
      )}
    </div>
  )
}

interface DifferenceProps {
  readonly difference: FieldDifference
  readonly names: SideNames
  readonly around: number
}

interface TextDifferenceProps {
  readonly left: string
  readonly right: string
  readonly names: SideNames
  readonly around: number
}

/** Two texts with the words that differ marked, and around each place some of what is the same. */
function TextDifference({ left, right, names, around }: TextDifferenceProps): JSX.Element {
  const changes = textChanges(left, right)
  return (
    <>
      <Side sign="−" name={names.left}>
        <Marked text={left} changes={changes} side="expected" around={around} />
      </Side>
      <Side sign="+" name={names.right}>
        <Marked text={right} changes={changes} side="received" around={around} />
      </Side>
    </>
  )
}

/** A longer part that differs is cut. */
const LONGEST = 4000

/** More places than this are not marked. */
const MARKED = 60

interface MarkedProps {
  readonly text: string
  readonly changes: readonly TextChange[]
  readonly side: 'expected' | 'received'
  readonly around: number
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

/** What is the same, cut to what stands near a difference: its start after one, its end before one. */
function cutMiddle(text: string, start: number, end: number): string {
  if (text.length <= start + end + 20) return text
  const [first, last] = [text.slice(0, start).replace(/\s\S*$/, ''), end === 0 ? '' : text.slice(-end).replace(/^\S*\s/, '')]
  return `${first} … ${last}`
}

function Side({ sign, name, children }: { readonly sign: string; readonly name: string; readonly children: unknown }): JSX.Element {
  return (
    <div class={`side ${sign === '+' ? 'received' : 'expected'}`}>
      <span class="sign">
        {sign} {name}
      </span>
      <span class="words">{children as JSX.Element}</span>
    </div>
  )
}
