import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Price } from '../../models/cost.ts'
import { describeEntry } from '../model/describe-entry.ts'
import type { Line } from '../model/lines.ts'
import type { Entry, ViewedRun } from '../model/viewed-run.ts'
import { CopyButton } from './copy-button.tsx'
import type { SideNames } from './difference.tsx'
import { EntryDetail } from './entry-detail.tsx'
import { formatDuration } from './format.ts'
import { kindOf } from './step-list.tsx'
import { Text } from './text.tsx'
import { DivergenceView } from './verdict-banner.tsx'

interface DetailPaneProps {
  readonly line: Line
  readonly lines: readonly Line[]
  readonly run: ViewedRun
  readonly other: ViewedRun | undefined
  readonly names: SideNames
  readonly prices: Readonly<Record<string, Price>>
  go(key: string): void
}

/** The selected line: of two runs both sides, unless they are the same. */
export function DetailPane({ line, lines, run, other, names, prices, go }: DetailPaneProps): JSX.Element {
  const [showsBoth, showBoth] = useState(false)
  const { left, right, mark, divergences, key } = line
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
    // A key in the pane makes it new for each line: what was unfolded there is not unfolded here.
    <article class="pane" key={key} tabIndex={0} aria-label="The selected step">
      {divergences.map((divergence) => (
        <section class="differs">
          <h3>{divergence.parts.length > 0 ? `Differs in ${divergence.parts.join(', ')}` : (causeWords[divergence.cause] ?? 'Differs')}</h3>
          <DivergenceView divergence={divergence} names={names} />
        </section>
      ))}
      {mark === 'same' && right !== undefined && left !== undefined && (
        <button type="button" class="fold" aria-expanded={showsBoth} onClick={() => showBoth(!showsBoth)}>
          {names.left} and {names.right} are the same here
        </button>
      )}
      {mark === 'not run' && <p class="alert">Made by a tool that did not run in the replay: it was answered as recorded.</p>}
      {mark === 'not reached' && <p class="alert">The replay was stopped before this.</p>}
      <div class={`columns ${shown.length > 1 ? 'two' : ''}`}>
        {shown.map(({ entry, of, side }) => (
          <div class="column" key={`${key} ${side}`}>
            {other !== undefined && !isFolded && <p class="side-name">{names[side]}</p>}
            <Heading entry={entry} run={of} />
            <EntryDetail run={of} entry={entry} prices={prices} isFirst={side === 'left'} onStep={onStep(side)} />
          </div>
        ))}
      </div>
    </article>
  )
}

const causeWords: Readonly<Record<string, string>> = {
  'unexpected-call': 'A call that was not recorded',
  'missing-call': 'A recorded call that was not made',
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

function Heading({ entry, run }: { readonly entry: Entry; readonly run: ViewedRun }): JSX.Element {
  const { title } = describeEntry(entry, run)
  const step = entry.kind === 'step' ? entry.step.step : undefined
  return (
    <div class="heading">
      <h2>
        {step !== undefined && <span class="number">{step.step}</span>}
        <span class={`kind ${kindOf(entry)}`} /> <Text value={title} limit={300} />
      </h2>
      <p class="facts">
        <span>{kindOf(entry)}</span>
        {step !== undefined && step.boundary !== 'tool' && step.name !== title && <span>{step.name.slice(0, 100)}</span>}
        <span>at {formatDuration(entry.at)}</span>
        {step?.settledAt !== undefined && <span>took {formatDuration(step.settledAt - step.at)}</span>}
        {step?.effect !== undefined && <span>declared {step.effect}</span>}
        <CopyButton text={`${location.href.split('#', 1)[0]}#${entry.key}`} label="Copy a link to this step">
          link
        </CopyButton>
      </p>
    </div>
  )
}
