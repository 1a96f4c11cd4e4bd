import type { Cause, Divergence } from '../../src/divergence/divergence.ts'
import { incidentOf } from '../../src/replay/judge/incident/incident.ts'
import type { IncidentRun } from '../../src/replay/judge/incident/incident-watch.ts'
import type { Outcome, ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { modelCallsOf } from '../../src/replay/traces/model-calls.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { toolCallsOf } from '../../src/replay/traces/tool-calls.ts'
import { sumUsage } from '../../src/models/usage.ts'
import { assembleTrace } from '../../src/trace/assemble.ts'
import type { CheckpointRow } from '../../src/trace/rows.ts'
import type { Golden, RunRow } from '../../src/trace/run-row.ts'
import type { Step } from '../../src/trace/trace.ts'

/** What a test says of a run; the rest is filled in. */
export interface RunSketch {
  readonly golden?: Partial<Golden> | null
  readonly recorded?: readonly Step[]
  /** Default: those recorded. */
  readonly steps?: readonly Step[]
  readonly divergences?: readonly Divergence[]
  readonly checkpoints?: readonly { readonly name: string; readonly state: unknown }[]
  readonly outcome?: Outcome
  readonly virtualMs?: number
  readonly notes?: readonly string[]
  readonly incident?: IncidentRun
}

/** A replayed run as the engine would give it. */
export function buildRun(sketch: RunSketch = {}): ReplayedRun {
  const recorded = sketch.recorded ?? cancelSteps
  const steps = sketch.steps ?? recorded
  const divergences = sketch.divergences ?? []
  const modelCalls = modelCallsOf(steps)
  const header = buildHeader(sketch.golden)
  return {
    trace: {
      header,
      rows: [header, ...(sketch.notes ?? []).map((what) => ({ kind: 'note', what, where: '', at: 0 }) as const)],
      steps: recorded,
      checkpoints: [],
      policyCheckpoints: [],
      hash: '',
    },
    outcome: sketch.outcome ?? { status: 'returned', output: { reply: 'Cancelled.' } },
    divergences,
    drift: [],
    unmatchedPaths: [],
    missedHeaders: [],
    changedFiles: [],
    stubbedTools: [],
    standIns: [],
    credentials: [],
    drawn: [],
    stacks: [],
    steps,
    toolCalls: toolCallsOf(steps, modelCalls),
    modelCalls,
    checkpoints: (sketch.checkpoints ?? []).map((checkpoint): CheckpointRow => ({ kind: 'checkpoint', owner: 0, at: 0, ...checkpoint })),
    stateAt: () => undefined,
    sideEffects: steps.filter(({ effect }) => effect === 'write'),
    usage: sumUsage(modelCalls.map(({ answer }) => answer?.usage)),
    virtualMs: sketch.virtualMs ?? 0,
    racedOwnWork: false,
    drewMore: false,
    lateCalls: [],
    hash: '',
    ...(sketch.incident && { incident: sketch.incident }),
    again: async () => buildRun(sketch),
    toTrace: () => assembleTrace([header], digest),
  }
}

/** A run that was stopped at its only divergence. */
export function buildStoppedRun(divergence: Divergence = buildDivergence(), sketch: RunSketch = {}): ReplayedRun {
  return buildRun({ ...sketch, divergences: [divergence], outcome: { status: 'stopped', divergence } })
}

/** What the replay of an incident's golden came to: by default its trigger, step 4, was exercised, and step 5 was not made again. */
export function buildIncident(fields: Partial<IncidentRun> = {}): IncidentRun {
  const incident = incidentOf({ header: buildHeader(null), steps: incidentSteps }, { replay: 'departs', trigger: 4, at: 5 })
  if (incident === undefined) throw new TypeError('the sketch has no incident')
  return { incident, exercised: true, drift: [], repeatedSafely: false, writesLeftOut: [], ...fields }
}

/** What no call of the agent's stands behind. */
const sitelessCauses: ReadonlySet<Cause> = new Set(['missing-call', 'outcome', 'checkpoint'])

/** By default: a refund that the recorded run did not make. */
export function buildDivergence(fields: Partial<Divergence> = {}): Divergence {
  const isCall = fields.cause === undefined || fields.cause === 'unexpected-call'
  return {
    cause: 'unexpected-call',
    step: 3,
    position: isCall ? 'after' : 'at',
    ...(isCall ? { boundary: 'tool', name: 'refund_order', received: { id: 'ord_1' } } : {}),
    parts: [],
    differences: [],
    nearest: [],
    ...(fields.cause !== undefined && sitelessCauses.has(fields.cause) ? {} : { site: { file: 'src/agent.ts', line: 48, column: 22 } }),
    consequence: false,
    ...fields,
  }
}

/** A call of a wrapped tool, answered 10 ms after the one before. */
export function toolStep(step: number, name: string, input: unknown, fields: Partial<Step> = {}): Step {
  return { step, owner: 0, boundary: 'tool', name, input, at: step * 10, settledAt: step * 10 + 5, output: { ok: true }, ...fields }
}

/** A chat completion: the messages sent, and what the model answered. */
export function modelStep(step: number, messages: readonly unknown[], message: Readonly<Record<string, unknown>>, usage?: object): Step {
  return {
    step,
    owner: 0,
    boundary: 'model',
    name: 'openai.chat',
    input: {
      method: 'POST',
      url: 'https://api.openai.com/v1/chat/completions',
      headers: [['content-type', 'application/json']],
      json: { model: 'gpt-4.1-mini', messages, temperature: 0 },
    },
    output: {
      status: 200,
      headers: [['content-type', 'application/json']],
      json: { choices: [{ index: 0, message, finish_reason: 'stop' }], ...(usage === undefined ? {} : { usage }) },
    },
    at: step * 10,
    settledAt: step * 10 + 5,
  }
}

const prompt = { role: 'system', content: 'You cancel orders that have not shipped.' }
const ticket = { role: 'user', content: 'Please cancel ord_1.' }

/** An order that is cancelled because it has not shipped: the run that most tests are about. */
export const cancelSteps: readonly Step[] = [
  modelStep(1, [prompt, ticket], asks('get_order', { id: 'ord_1' }), { prompt_tokens: 40, completion_tokens: 8 }),
  toolStep(2, 'get_order', { id: 'ord_1' }, { effect: 'read', output: { status: 'packed' } }),
  modelStep(3, [prompt, ticket, {}, {}], asks('cancel_order', { id: 'ord_1' }), { prompt_tokens: 60, completion_tokens: 9 }),
  toolStep(4, 'cancel_order', { id: 'ord_1' }, { effect: 'write', idempotencyKey: 'cancel-ord_1', output: { cancelled: true } }),
  modelStep(5, [prompt, ticket, {}, {}, {}, {}], { role: 'assistant', content: 'Cancelled.' }, { prompt_tokens: 80, completion_tokens: 3 }),
]

const lost = { role: 'user', content: 'I was charged for ord_1001, but it never arrived.' }
const refund = { order_id: 'ord_1001', amount: 20 }

/** A refund that was made twice, at steps 4 and 5. */
export const incidentSteps: readonly Step[] = [
  modelStep(1, [prompt, lost], asks('get_order', { id: 'ord_1001' })),
  toolStep(2, 'get_order', { id: 'ord_1001' }, { effect: 'read', output: { status: 'lost' } }),
  modelStep(3, [prompt, lost, {}, {}], asks('refund_order', refund)),
  withoutOutput({ ...toolStep(4, 'refund_order', refund, { effect: 'write' }), error: { name: 'TypeError', message: 'fetch failed' } }),
  toolStep(5, 'refund_order', refund, { effect: 'write', output: { id: 're_2' } }),
  modelStep(6, [prompt, lost, {}, {}, {}, {}], { role: 'assistant', content: 'Refunded.' }),
]

function withoutOutput({ output: _output, ...step }: Step): Step {
  return step
}

function asks(name: string, args: unknown): Readonly<Record<string, unknown>> {
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
  }
}

function buildHeader(golden: Partial<Golden> | null | undefined): RunRow {
  return {
    kind: 'run',
    format: 1,
    id: '20260131-080000-1a2b3c',
    traceId: '0',
    agent: 'support',
    input: { ticket: 'Please cancel ord_1.' },
    startedAt: '2026-01-31T08:00:00.000Z',
    runtime: { node: '24.0.0', goldenrun: '0.1.0', timeZone: 'UTC', locale: 'en-US', env: {} },
    contracts: { models: [], systemPrompts: [], tools: {} },
    fidelity: 'wire',
    redaction: { rules: [], standIns: 0 },
    ...(golden === null
      ? {}
      : {
          golden: {
            name: 'cancel-unshipped',
            expect: { replay: 'same' },
            promotedAt: '2026-02-01T08:00:00.000Z',
            promotedFrom: '20260131-080000-1a2b3c',
            ...golden,
          },
        }),
  }
}
