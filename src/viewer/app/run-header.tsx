import type { JSX } from 'preact'
import type { Price } from '../../models/cost.ts'
import { sumUsage } from '../../models/usage.ts'
import type { PageComparison } from '../page-data.ts'
import { costOfCall, readAnswer } from '../model/model-call.ts'
import type { ViewedRun } from '../model/viewed-run.ts'
import { counted, formatCount, formatDuration, formatTime, formatUsd } from './format.ts'
import { Text } from './text.tsx'

interface RunHeaderProps {
  readonly run: ViewedRun
  readonly comparison: PageComparison | undefined
  readonly prices: Readonly<Record<string, Price>>
  readonly other: ViewedRun | undefined
}

/** What the page is about: which run, how it ended, and what it took. */
export function RunHeader({ run, comparison, prices, other }: RunHeaderProps): JSX.Element {
  const { header } = run.trace
  const { golden, forkedFrom } = header
  const tags = Object.entries(header.tags ?? {})
  return (
    <div class="about">
      <h1>
        <Text value={run.name} limit={200} />
        {comparison?.kind === 'run' && other !== undefined && (
          <>
            <span class="muted"> and </span>
            <Text value={other.name} limit={200} />
          </>
        )}
        <Outcome run={run} />
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
      <p class="facts">
        {factsOf(run, prices).map((fact) => (
          <span>{fact}</span>
        ))}
        {tags.map(([name, value]) => (
          <span class="chip">
            <Text value={`${name}=${value}`} limit={80} />
          </span>
        ))}
        {run.flags.map((flag) => (
          <span class="chip bad">
            flagged: <Text value={flag} limit={80} />
          </span>
        ))}
        {forkedFrom && (
          <span class="chip">
            forked from {forkedFrom.id} at step {forkedFrom.step}
          </span>
        )}
      </p>
      <Incident run={run} />
    </div>
  )
}

function factsOf({ trace, endsAt }: ViewedRun, prices: Readonly<Record<string, Price>>): string[] {
  const { header, steps, end } = trace
  const calls = steps.filter(({ boundary }) => boundary === 'model')
  const tokens = end?.usage ?? sumUsage(calls.map((step) => readAnswer(step)?.usage))
  const costs = Object.keys(prices).length === 0 ? [] : calls.map((step) => costOfCall(step, prices))
  const cost = costs.reduce<number>((sum, each) => sum + (each ?? 0), 0)
  const isPartial = costs.some((each) => each === undefined)
  return [
    `agent ${header.agent}${header.agentVersion === undefined ? '' : ` ${header.agentVersion}`}`,
    formatTime(header.startedAt),
    formatDuration(end?.at ?? endsAt),
    counted(steps.length, 'step'),
    counted(calls.length, 'model call'),
    ...(calls.length > 0 ? [`${formatCount(tokens.inputTokens)} → ${formatCount(tokens.outputTokens)} tokens`] : []),
    ...(cost > 0 ? [`${isPartial ? 'at least ' : ''}${formatUsd(cost)}`] : []),
    ...(header.redaction.standIns > 0 ? [counted(header.redaction.standIns, 'redacted value')] : []),
  ]
}

function Outcome({ run: { trace } }: { readonly run: ViewedRun }): JSX.Element {
  const { end } = trace
  if (end === undefined) return <span class="badge warn">no end</span>
  return end.error === undefined ? <span class="badge">returned</span> : <span class="badge bad">threw</span>
}

/** What the golden of an incident is about. */
function Incident({ run }: { readonly run: ViewedRun }): JSX.Element | null {
  const expect = run.trace.header.golden?.expect
  if (expect?.replay !== 'departs') return null
  const trigger = expect.trigger === 'input' ? 'the input' : expect.trigger === undefined ? undefined : `step ${expect.trigger}`
  return (
    <p class="alert bad">
      An incident: {trigger === undefined ? '' : `${trigger} set it off, and `}step {expect.at} is the call that must not happen again.
    </p>
  )
}
