import type { JSX } from 'preact'
import type { Price } from '../../models/cost.ts'
import type { RecordedError, HttpInput, HttpOutput } from '../../trace/rows.ts'
import { unsettledWords } from '../model/describe-entry.ts'
import { costOfCall, readModelCall } from '../model/model-call.ts'
import type { Drawn } from '../model/reads.ts'
import type { PageFrame } from '../page-data.ts'
import type { ViewedRun, ViewedStep } from '../model/viewed-run.ts'
import { visible } from '../model/visible.ts'
import { Chat, Message } from './chat.tsx'
import { counted, formatDuration } from './format.ts'
import { Fold, Part } from './fold.tsx'
import { Body, RawExchange, StreamPieces } from './http-exchange.tsx'
import { Text } from './text.tsx'
import { ValueTree } from './value-tree.tsx'

export interface StepDetailProps {
  readonly run: ViewedRun
  readonly viewed: ViewedStep
  readonly prices: Readonly<Record<string, Price>>
  /** Selects a step of the same run. */
  onStep(step: number): void
}

/** A step: its input, its output, and what happened around it. */
export function StepDetail({ run, viewed, prices, onStep }: StepDetailProps): JSX.Element {
  const { step, isCut, chunks, headAt, reads, timers } = viewed
  const before = [...run.steps.values()].findLast(
    (each) => each.step.step < step.step && each.step.boundary === 'model' && each.step.owner === step.owner,
  )
  const call = readModelCall(step, before?.step)
  const isHttp = step.boundary === 'model' || step.boundary === 'http'
  return (
    <>
      <Circumstances run={run} viewed={viewed} onStep={onStep} />
      {call !== undefined && <Chat step={step} call={call} isCut={isCut} cost={costOfCall(step, prices)} />}
      {call === undefined && isHttp && <Exchange input={step.input as HttpInput} output={step.output as HttpOutput | undefined} />}
      {!isHttp && (
        <>
          <Part title="Arguments">
            {step.input === undefined ? <p class="muted">None.</p> : <ValueTree value={step.input} root="args" />}
          </Part>
          {step.error === undefined && (
            <Part title="Result">
              {step.settledAt === undefined ? (
                <p class="muted">{unsettledWords(run.trace)}</p>
              ) : step.output === undefined ? (
                <p class="muted">Nothing.</p>
              ) : (
                <ValueTree value={step.output} root="result" />
              )}
            </Part>
          )}
        </>
      )}
      {step.error !== undefined && (
        <Part title="Error">
          <ErrorView error={step.error} />
        </Part>
      )}
      <StreamPieces chunks={chunks} at={step.at} headAt={headAt} />
      {isHttp && <RawExchange input={step.input as HttpInput} output={step.output as HttpOutput | undefined} />}
      <Reads reads={reads} timers={timers} />
      <Variables frames={run.variables[step.step] ?? []} />
    </>
  )
}

/** The agent's functions around a step, with their variables. */
function Variables({ frames }: { readonly frames: readonly PageFrame[] }): JSX.Element | null {
  if (frames.length === 0) return null
  return (
    <Fold title="Variables" note={counted(frames.length, 'function')}>
      {() =>
        frames.map(({ moment, place, source, variables }) => (
          <>
            <p class="muted">
              {moment} the call: {visible(place)}
            </p>
            {source !== undefined && <div class="wire">{visible(source)}</div>}
            <table class="grid">
              <tbody>
                {variables.map(([name, value]) => (
                  <tr>
                    <th>{visible(name)}</th>
                    <td class="wire">
                      <Text value={value} limit={1000} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        ))
      }
    </Fold>
  )
}

function Exchange({ input, output }: { readonly input: HttpInput; readonly output: HttpOutput | undefined }): JSX.Element {
  return (
    <>
      <Part title="Request" note={`${input.method} ${input.url}`.slice(0, 300)}>
        <Body body={input} root="body" />
      </Part>
      <Part title="Response" note={output?.status === undefined ? '' : String(output.status)}>
        {output === undefined ? <p class="muted">None arrived.</p> : <Body body={output} root="body" />}
      </Part>
    </>
  )
}

/** Whether the step has a side effect, repeats one, or is retried. */
function Circumstances({
  run,
  viewed: { sideEffect, repeats, retries, step },
  onStep,
}: Pick<StepDetailProps, 'run' | 'viewed' | 'onStep'>): JSX.Element {
  return (
    <>
      {repeats !== undefined && (
        <p class="alert bad">
          This side effect was already made by <StepLink run={run} step={repeats} onStep={onStep} />.
        </p>
      )}
      {sideEffect !== undefined && repeats === undefined && (
        <p class="alert write">
          A side effect: it changes something outside of the agent
          {sideEffect.inferred ? ', as its request method says' : ''}.
          {step.idempotencyKey !== undefined && ` Its idempotency key is ${visible(step.idempotencyKey.slice(0, 200))}.`}
        </p>
      )}
      {retries !== undefined && (
        <p class="alert">
          Attempt {step.attempt} of <StepLink run={run} step={retries.step} onStep={onStep} />, made {formatDuration(retries.waited)} after
          that had failed.
        </p>
      )}
    </>
  )
}

/** A link to a step. */
export function StepLink({ run, step, onStep }: { readonly step: number } & Pick<StepDetailProps, 'run' | 'onStep'>): JSX.Element {
  const label = run.steps.get(step)?.label ?? step
  return (
    <button type="button" class="link" onClick={() => onStep(step)}>
      {label === '+' ? 'the added call' : `step ${label}`}
    </button>
  )
}

/** An error as it was recorded. */
export function ErrorView({ error }: { readonly error: RecordedError }): JSX.Element {
  const { name, message, ...rest } = error
  return (
    <>
      <Message role={name.slice(0, 200)} text={message} kind="error" />
      {Object.keys(rest).length > 0 && <ValueTree value={rest} root="error" />}
    </>
  )
}

/** The values that the run read before a step, or in its body. A replay returns the same values. */
export function Reads({ reads, timers }: { readonly reads: readonly Drawn[]; readonly timers: readonly number[] }): JSX.Element | null {
  const count = reads.reduce((sum, { values }) => sum + values.length, 0)
  if (count === 0 && timers.length === 0) return null
  const note = [...(count > 0 ? [counted(count, 'read')] : []), ...(timers.length > 0 ? [counted(timers.length, 'timer')] : [])].join(', ')
  return (
    <Fold title="Clock, ids and timers" note={note}>
      {() => (
        <table class="grid">
          <tbody>
            {reads.map(({ source, values }) => (
              <tr>
                <th>{source}</th>
                <td class="wire">
                  <Text value={values.join('\n')} limit={1000} />
                </td>
              </tr>
            ))}
            {timers.map((delay) => (
              <tr>
                <th>timer</th>
                <td>of {formatDuration(delay)} fired</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Fold>
  )
}
