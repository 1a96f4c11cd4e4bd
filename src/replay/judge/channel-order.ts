import type { Conductor } from '../engine/conductor.ts'
import type { Plan, PlannedStep, PlannedTick } from '../calls/plan.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { OrderFault } from './order-fault.ts'

/** What an agent does over a connection or to a process, by the names of its steps: `websocket api.example/v1/realtime send`. */
const overChannel = /^((?:websocket|grpc|process) .+?) (?:send|close|ping|pong|terminate|end|cancel|stdin|stdin end|kill)$/

/** The rest of a request's body, which is recorded as a call where the body ends. */
const ofBody = /^http .+ send$/

/** Connections whose messages arrive whole. A process may split the same output differently. */
const ofMessages = /^(?:websocket|grpc) /

/** Whether a step is something that an agent sent (over a connection, to a process, or in a request body that continues), not a function call. */
export function isSentMessage(name: string): boolean {
  return overChannel.test(name) || ofBody.test(name)
}

/**
 * Checks that what an agent sends over a connection is in the recorded order, and that nothing is sent before the message that it followed.
 * A call followed a message if that message was the last to reach the run before the call. A call comes too early if that message has not
 * arrived, and either the call goes over the same connection or the last tick has an earlier message of it.
 */
export class ChannelOrder {
  readonly #plan: Plan
  readonly #conductor: Conductor
  /** By channel: among the steps that were made, the furthest in the recording. */
  readonly #furthest = new Map<string, { readonly step: PlannedStep; readonly call: ReplayCall }>()
  readonly #channels = new Map<PlannedStep, string | undefined>()

  constructor(plan: Plan, conductor: Conductor) {
    this.#plan = plan
    this.#conductor = conductor
    const shared = sharedNames(plan)
    for (const step of plan.steps.values()) {
      const channel = overChannel.exec(step.call.name)?.[1]
      if (channel !== undefined && !shared.has(channel)) this.#channels.set(step, channel)
    }
  }

  /** A call was matched with a recorded step. Returns what is out of order because of it. */
  make(call: ReplayCall, step: PlannedStep): readonly OrderFault[] {
    const channel = this.#channels.get(step)
    const overtaker = channel === undefined ? undefined : this.#furthest.get(channel)
    if (channel !== undefined && (overtaker?.step.place ?? -1) < step.place) this.#furthest.set(channel, { step, call })
    else if (overtaker !== undefined) return [{ ...overtaker, before: step }]
    if (this.#conductor.isDue(step) || this.#conductor.hasRacedOwnWork()) return []
    const source = this.#followed(step)
    if (source === undefined) return []
    const reached = this.#conductor.last
    const isEarly = source === channel || reached.rows.some((row) => this.#sourceOf(row) === source)
    return isEarly ? [{ step, call, follows: source }] : []
  }

  /** The connection whose message the step followed in the recording, if that message has not arrived in this replay. */
  #followed({ place }: PlannedStep): string | undefined {
    const { last } = this.#conductor
    const tick = this.#plan.ticks.findLast((each) => each.place < place)
    if (tick === undefined || tick.place <= last.place || tick.turn <= last.turn) return undefined
    const [source, ...others] = new Set(tick.rows.map((row) => this.#sourceOf(row)))
    return others.length === 0 ? source : undefined
  }

  /** The connection whose message a row delivers. */
  #sourceOf(row: PlannedTick['rows'][number]): string | undefined {
    const name = row.kind === 'signal' ? row.name : row.kind === 'chunk' ? this.#plan.steps.get(row.step)?.call.name : undefined
    return name !== undefined && ofMessages.test(name) ? name : undefined
  }
}

/** The names of connections of which several are open at the same time, so that it is unknown which of them a message was sent over. */
function sharedNames(plan: Plan): ReadonlySet<string> {
  const [shared, until] = [new Set<string>(), new Map<string, number>()]
  for (const { call, place, settledPlace = Infinity } of plan.steps.values()) {
    const end = until.get(call.name) ?? -1
    if (place < end) shared.add(call.name)
    until.set(call.name, Math.max(end, settledPlace))
  }
  return shared
}
