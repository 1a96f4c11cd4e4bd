import type { JSX } from 'preact'
import { describeEntry } from '../model/describe-entry.ts'
import { wholeConversation } from '../model/model-call.ts'
import { fieldChanges, momentAt } from '../model/moment.ts'
import { AFTER_STEPS, readsOf } from '../model/reads.ts'
import type { Entry, ViewedCheckpoint, ViewedRun } from '../model/viewed-run.ts'
import { visible } from '../model/visible.ts'
import { SaidMessage } from './chat.tsx'
import { ContinueFrom } from './continue-from.tsx'
import { Changes } from './difference.tsx'
import { counted, formatDuration } from './format.ts'
import { Fold, Part } from './fold.tsx'
import { ErrorView, Reads, StepDetail, type StepDetailProps, StepLink } from './step-detail.tsx'
import { Text } from './text.tsx'
import { ValueTree } from './value-tree.tsx'

interface EntryDetailProps extends Omit<StepDetailProps, 'viewed'> {
  readonly entry: Entry
  /** Whether it is the page's first run, which can be forked. */
  readonly isFirst: boolean
}

/** An entry of a run, and the state of the run at that moment. */
export function EntryDetail({ run, entry, prices, isFirst, onStep }: EntryDetailProps): JSX.Element {
  return (
    <>
      <Body run={run} entry={entry} prices={prices} isFirst={isFirst} onStep={onStep} />
      <Position run={run} entry={entry} onStep={onStep} />
    </>
  )
}

function Body({ run, entry, prices, isFirst, onStep }: EntryDetailProps): JSX.Element {
  const { header, end } = run.trace
  switch (entry.kind) {
    case 'input':
      return (
        <>
          <Part title="The agent's input">
            <ValueTree value={header.input} root="input" />
          </Part>
          <Fold title="About the run">{() => <ValueTree value={aboutRun(run)} />}</Fold>
        </>
      )
    case 'step':
      return (
        <>
          <StepDetail run={run} viewed={entry.step} prices={prices} onStep={onStep} />
          {isFirst && <ContinueFrom step={entry.step.step} />}
        </>
      )
    case 'checkpoint':
      return <Checkpoint checkpoint={entry.checkpoint} />
    case 'note':
      return (
        <p class="alert">
          {entry.note.what}: <Text value={entry.note.where} />
        </p>
      )
    default:
      return (
        <>
          {end === undefined && (
            <p class="alert bad">
              {header.replay === undefined
                ? 'The run has no end: its process died, or it was stopped.'
                : 'It was stopped at a call that has no answer.'}
            </p>
          )}
          {end?.error !== undefined && (
            <Part title="The agent threw">
              <ErrorView error={end.error} />
            </Part>
          )}
          {end !== undefined && end.error === undefined && (
            <Part title="The agent returned">
              <ValueTree value={end.output} root="output" />
            </Part>
          )}
          <Reads reads={readsOf(run.trace).get(AFTER_STEPS) ?? []} timers={[]} />
        </>
      )
  }
}

function aboutRun({ trace: { header }, flags }: ViewedRun): object {
  const { kind: _, input: __, ...about } = header
  return flags.length > 0 ? { ...about, flags } : about
}

function Checkpoint({ checkpoint: { row, before } }: { readonly checkpoint: ViewedCheckpoint }): JSX.Element {
  const changes = before === undefined ? [] : fieldChanges(before.state, row.state, 'state')
  return (
    <>
      {before !== undefined && (
        <Part title={`Changed since ${before.name}`} note={counted(changes.length, 'field')}>
          {changes.length === 0 ? <p class="muted">Nothing.</p> : <Changes changes={changes} names={{ left: 'before', right: 'now' }} />}
        </Part>
      )}
      <Part title="State">
        <ValueTree value={row.state} root="state" />
      </Part>
    </>
  )
}

/** The state of the run: calls in flight, the conversation so far, the last checkpoint, and the next entry. */
function Position({ run, entry, onStep }: Pick<EntryDetailProps, 'run' | 'entry' | 'onStep'>): JSX.Element {
  const { inFlight, checkpoint, modelCall, next } = momentAt(run, entry)
  const settledAt = (entry.kind === 'step' ? entry.step.step.settledAt : undefined) ?? entry.at
  const isOver = entry.kind === 'step' && next !== undefined && next.at >= settledAt
  return (
    <section class="position">
      <h3>At this point</h3>
      <dl>
        <dt>In flight</dt>
        <dd>
          {inFlight.length === 0 && 'no other call'}
          {inFlight.map(({ step }) => (
            <span class="listed">
              <StepLink run={run} step={step.step} onStep={onStep} /> {visible(step.name.slice(0, 80))}
            </span>
          ))}
        </dd>
        {next !== undefined && (
          <>
            <dt>Next</dt>
            <dd>
              {next.kind === 'step' && <StepLink run={run} step={next.step.step.step} onStep={onStep} />} {describeEntry(next, run).title}
              {', '}
              {formatDuration(Math.max(0, next.at - (isOver ? settledAt : entry.at)))} after this {isOver ? 'ended' : 'began'}
            </dd>
          </>
        )}
      </dl>
      {checkpoint !== undefined && entry.kind !== 'checkpoint' && (
        <Fold title="State" note={checkpoint.name.slice(0, 80)}>
          {() => <ValueTree value={checkpoint.state} root="state" />}
        </Fold>
      )}
      {modelCall !== undefined && (
        <Fold title="Conversation so far" note={`as sent in step ${modelCall.label}`}>
          {() => wholeConversation(modelCall.step).map((message) => <SaidMessage message={message} />)}
        </Fold>
      )}
    </section>
  )
}
