import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Price } from '../../models/cost.ts'
import { describeEntry } from '../model/describe-entry.ts'
import type { Line } from '../model/lines.ts'
import { fieldChanges } from '../model/moment.ts'
import type { PageDivergence } from '../page-data.ts'
import type { Entry, ViewedRun } from '../model/viewed-run.ts'
import { CopyButton } from './copy-button.tsx'
import { Changes, type SideNames } from './difference.tsx'
import { EntryDetail } from './entry-detail.tsx'
import { formatDuration } from './format.ts'
import { departureWords, kindOf } from './step-list.tsx'
import { visible } from '../model/visible.ts'
import { Text } from './text.tsx'
import { DivergenceView } from './verdict-banner.tsx'

interface DetailPaneProps {
  readonly line: Line
  readonly lines: readonly Line[]
  readonly run: ViewedRun
  readonly other: ViewedRun | undefined
  readonly names: SideNames
  readonly prices: Readonly<Record<string, Price>>
  /** The fragment of a link to the line. */
  readonly hash: string
  go(key: string): void
}

/** The selected line. Both sides are shown if they differ. */
export function DetailPane({ line, lines, run, other, names, prices, hash, go }: DetailPaneProps): JSX.Element {
  const [showsBoth, showBoth] = useState(false)
  const { left, right, mark, divergences, key, isDeparture } = line
  const onStep = (side: 'left' | 'right') => (step: number) => {
    const at = lines.find((each) => {
      const entry = each[side]
      return entry?.kind === 'step' && entry.step.step.step === step
    })
    if (at !== undefined) go(at.key)
  }
  const sides = sidesOf(line, run, other)
  const isFolded = mark === 'same' && !showsBoth
  const shown = isFolded ? sides.slice(0, 1) : sides
  return (
    // The key renders the pane anew for each line, so that nothing stays unfolded from the last line.
    <article class="pane" key={key} tabIndex={0} aria-label="The selected step">
      {divergences.map((divergence) => (
        <section class="differs">
          <h3>{headingOf(divergence, line, names)}</h3>
          <DivergenceView divergence={divergence} names={names} />
        </section>
      ))}
      {mark === 'differs' && left?.kind === 'input' && right && other && (
        <section class="differs">
          <h3>A different input</h3>
          <Changes changes={fieldChanges(run.trace.header.input, other.trace.header.input, 'input')} names={names} />
        </section>
      )}
      {isDeparture && <p class="alert">{departureWords}</p>}
      {mark === 'same' && right !== undefined && left !== undefined && (
        <button type="button" class="fold" aria-expanded={showsBoth} onClick={() => showBoth(!showsBoth)}>
          {names.left} and {names.right} are the same here
        </button>
      )}
      {mark === 'not run' && <p class="alert">Made by a tool that did not run again: it was answered as recorded.</p>}
      {mark === 'not reached' && <p class="alert">The replay was stopped before this.</p>}
      <div class={`columns ${shown.length > 1 ? 'two' : ''}`}>
        {shown.map(({ entry, of, side }) => (
          <div class="column" key={`${key} ${side}`}>
            {other !== undefined && !isFolded && <p class="side-name">{names[side]}</p>}
            <Heading entry={entry} run={of} hash={hash} />
            <EntryDetail run={of} entry={entry} prices={prices} isFirst={side === 'left'} onStep={onStep(side)} />
          </div>
        ))}
      </div>
    </article>
  )
}

function headingOf({ parts, cause }: PageDivergence, { mark, left }: Line, { left: a, right: b }: SideNames): string {
  if (mark === 'again') return 'The call that must not happen again'
  if (parts.length > 0) return `Differs in ${parts.join(', ')}`
  if (left === undefined && cause === 'unexpected-call')
    return a === 'recorded' ? 'A call that was not recorded' : `A call that only ${b} made`
  if (cause === 'missing-call') return a === 'recorded' ? 'A recorded call that was not made' : `A call that only ${a} made`
  return causeWords[cause] ?? 'Differs'
}

const causeWords: Readonly<Record<string, string>> = {
  'unexpected-call': 'A call that was not recorded',
  order: 'Made in a different order',
  outcome: 'A different outcome',
  checkpoint: 'A different checkpoint',
  'time-limit': 'A time limit would have fired',
  'model-drift': 'A different model',
  'unrecorded-contact': 'A contact that was not recorded',
  nondeterminism: 'Differs from replay to replay',
}

function sidesOf(
  { left, right }: Line,
  run: ViewedRun,
  other: ViewedRun | undefined,
): { entry: Entry; of: ViewedRun; side: 'left' | 'right' }[] {
  return [
    ...(left === undefined ? [] : [{ entry: left, of: run, side: 'left' as const }]),
    ...(right === undefined || other === undefined ? [] : [{ entry: right, of: other, side: 'right' as const }]),
  ]
}

function Heading({ entry, run, hash }: { readonly entry: Entry; readonly run: ViewedRun; readonly hash: string }): JSX.Element {
  const { title } = describeEntry(entry, run)
  const step = entry.kind === 'step' ? entry.step.step : undefined
  return (
    <div class="heading">
      <h2>
        {entry.kind === 'step' && <span class="number">{entry.step.label}</span>}
        <span class={`kind ${kindOf(entry)}`} /> <Text value={title} limit={300} />
      </h2>
      <p class="facts">
        <span>{kindOf(entry)}</span>
        {step !== undefined && step.boundary !== 'tool' && step.name !== title && <span>{visible(step.name.slice(0, 100))}</span>}
        <span>at {formatDuration(entry.at)}</span>
        {step?.settledAt !== undefined && <span>took {formatDuration(step.settledAt - step.at)}</span>}
        {step?.effect !== undefined && <span>declared {step.effect}</span>}
        <CopyButton text={`${location.href.split('#', 1)[0]}${hash}`} label="Copy a link to this step">
          link
        </CopyButton>
      </p>
    </div>
  )
}
