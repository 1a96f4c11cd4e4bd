import type { JSX } from 'preact'
import { describeError } from '../../divergence/describe-call.ts'
import type { Price } from '../../models/cost.ts'
import { sumUsage } from '../../models/usage.ts'
import type { HttpOutput } from '../../trace/rows.ts'
import type { Step } from '../../trace/trace.ts'
import type { PageComparison } from '../page-data.ts'
import { costOfCall, readAnswer } from '../model/model-call.ts'
import type { ViewedRun } from '../model/viewed-run.ts'
import { visible } from '../model/visible.ts'
import { counted, formatCount, formatDuration, formatTime, formatUsd } from './format.ts'
import { Chips, Text } from './text.tsx'

interface RunHeaderProps {
  readonly run: ViewedRun
  readonly comparison: PageComparison | undefined
  readonly prices: Readonly<Record<string, Price>>
  readonly other: ViewedRun | undefined
}

/** The subject of the page: which runs, how they ended, and what they used. */
export function RunHeader({ run, comparison, prices, other }: RunHeaderProps): JSX.Element {
  const { golden } = run.trace.header
  const compared = comparison?.kind === 'run' && other !== undefined ? [run, other] : [run]
  return (
    <div class="about">
      <h1>
        {compared.map((each, index) => (
          <>
            {compared.length > 1 && <span class="muted"> {sides[index]} </span>}
            <Text value={each.name} limit={200} />
            <Outcome run={each} />
          </>
        ))}
      </h1>
      {golden?.description && (
        <p class="description">
          <Text value={golden.description} limit={400} />
        </p>
      )}
      {golden?.expectedOutcome && (
        <p class="description">
          Expected: <Text value={golden.expectedOutcome} limit={400} />
        </p>
      )}
      {compared.map((each, index) => (
        <RunFacts run={each} prices={prices} side={compared.length > 1 ? sides[index] : undefined} />
      ))}
      <Incident run={run} />
      {comparison === undefined && <Trouble run={run} />}
    </div>
  )
}

const sides = ['a', 'b'] as const

interface RunFactsProps extends Pick<RunHeaderProps, 'run' | 'prices'> {
  /** The name of the run, if there are two. */
  readonly side: string | undefined
}

function RunFacts({ run, prices, side }: RunFactsProps): JSX.Element {
  const { tags = {}, forkedFrom } = run.trace.header
  return (
    <p class="facts">
      {[...(side === undefined ? [] : [side]), ...factsOf(run, prices)].map((fact) => (
        <span>{visible(fact)}</span>
      ))}
      <Chips tags={tags} flags={run.flags} />
      {forkedFrom && (
        <span class="chip">
          forked from {forkedFrom.id} at step {forkedFrom.step}
        </span>
      )}
    </p>
  )
}

function factsOf({ trace, endsAt }: ViewedRun, prices: Readonly<Record<string, Price>>): string[] {
  const { header, steps, end } = trace
  const calls = steps.filter(({ boundary }) => boundary === 'model')
  const { inputTokens, outputTokens } = end?.usage ?? sumUsage(calls.map((step) => readAnswer(step)?.usage))
  // A refused call costs nothing.
  const costs = calls.flatMap((step) => (isRefused(step) ? [] : [costOfCall(step, prices)]))
  const cost = costs.reduce<number>((sum, each) => sum + (each ?? 0), 0)
  const isPartial = costs.some((each) => each === undefined)
  return [
    `agent ${header.agent}${header.agentVersion === undefined ? '' : ` ${header.agentVersion}`}`,
    formatTime(header.startedAt),
    formatDuration(end?.at ?? endsAt),
    counted(steps.length, 'step'),
    counted(calls.length, 'model call'),
    ...(inputTokens + outputTokens > 0 ? [`${formatCount(inputTokens)} → ${formatCount(outputTokens)} tokens`] : []),
    ...(cost > 0 ? [`${isPartial ? 'at least ' : ''}${formatUsd(cost)}`] : []),
    ...(header.redaction.standIns > 0 ? [counted(header.redaction.standIns, 'redacted value')] : []),
  ]
}

function isRefused({ output }: Step): boolean {
  return ((output as HttpOutput | undefined)?.status ?? 0) >= 400
}

function Outcome({ run: { trace } }: { readonly run: ViewedRun }): JSX.Element {
  const { end } = trace
  if (end === undefined) return <span class="badge warn">{trace.header.replay === undefined ? 'no end' : 'stopped'}</span>
  return end.error === undefined ? <span class="badge">returned</span> : <span class="badge bad">threw</span>
}

/** The incident of an incident golden. */
function Incident({ run }: { readonly run: ViewedRun }): JSX.Element | null {
  const expect = run.trace.header.golden?.expect
  if (expect?.replay !== 'departs') return null
  const trigger = expect.trigger === 'input' ? 'the input' : expect.trigger === undefined ? undefined : `step ${expect.trigger}`
  return (
    <p class="alert bad">
      An incident: {trigger === undefined ? '' : `${trigger} triggered it, and `}step {expect.at} is the call that must not happen again.
    </p>
  )
}

/** The problems of a run: an error, and repeated side effects that are not its golden's incident. */
function Trouble({ run: { trace, steps } }: { readonly run: ViewedRun }): JSX.Element | null {
  const { golden } = trace.header
  const error = trace.end?.error
  const repeated = [...steps.values()].filter(({ repeats }) => golden?.expect.replay !== 'departs' && repeats !== undefined)
  if (error === undefined && repeated.length === 0) return null
  return (
    <p class="alert bad">
      {repeated.map(({ label, repeats, step }) => `Step ${label} repeats the side effect of step ${repeats}: ${visible(step.name)}. `)}
      {error !== undefined && <Text value={`Threw ${describeError(error)}`} limit={300} />}
    </p>
  )
}
