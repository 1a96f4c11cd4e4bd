import type { PathRules } from '../divergence/path-rules.ts'
import type { LiveCall } from './live-call.ts'
import { RecordedInput } from './live-input.ts'
import type { Plan, PlannedStep } from './plan.ts'

/** Finds the recorded step that a call is: ordered queues of equal inputs, within one owner, boundary and name. */
export class Matcher {
  readonly #groups = new Map<string, Group>()

  constructor(plan: Plan, rules: PathRules) {
    for (const step of plan.steps.values()) {
      const { owner, boundary, name } = step.call
      const key = groupKey(owner, boundary, name)
      let group = this.#groups.get(key)
      if (group === undefined) {
        group = new Group()
        this.#groups.set(key, group)
      }
      group.add(step, rules)
    }
  }

  /** Takes the first step with an equal input that no call has taken yet. */
  takeEqual(call: LiveCall): PlannedStep | undefined {
    return this.#groupOf(call)?.takeEqual(call)
  }

  /** Takes the first untaken step whose input is alike in its canonical form. */
  takeAlike(call: LiveCall, isAlike: (recorded: string, live: string) => boolean): PlannedStep | undefined {
    return this.#groupOf(call)?.takeAlike(call, isAlike)
  }

  /** Takes a step for a call whose input differs. */
  take(step: PlannedStep): void {
    const { owner, boundary, name } = step.call
    this.#groups.get(groupKey(owner, boundary, name))?.take(step)
  }

  /** The steps of the call's owner, boundary and name that no call has taken, in recorded order. */
  untaken(call: LiveCall): readonly PlannedStep[] {
    return this.#groupOf(call)?.untaken() ?? []
  }

  /** Whether a step with an equal input has been taken: the call repeats it. */
  repeats(call: LiveCall): boolean {
    return this.#groupOf(call)?.hasTaken(call) ?? false
  }

  #groupOf(call: LiveCall): Group | undefined {
    return this.#groups.get(groupKey(call.owner?.planned?.call.step ?? 0, call.boundary, call.name))
  }
}

class Group {
  readonly #steps: { readonly step: PlannedStep; readonly input: RecordedInput }[] = []
  readonly #taken = new Set<PlannedStep>()
  #head = 0
  #queues: Map<string, { readonly steps: PlannedStep[]; head: number }> | undefined

  add(step: PlannedStep, rules: PathRules): void {
    this.#steps.push({ step, input: new RecordedInput(step.call, rules) })
  }

  takeEqual(call: LiveCall): PlannedStep | undefined {
    const { input } = call
    if (input === undefined) return undefined
    this.#skipTaken()
    const next = this.#steps[this.#head]
    if (next === undefined) return undefined
    // Unchanged code makes the calls of a group in their order, so the next one is nearly always it.
    const step = input.isSameAs(next.input) ? next.step : this.#nextInQueue(input.canonical)
    if (step !== undefined) this.#taken.add(step)
    return step
  }

  takeAlike({ input }: LiveCall, isAlike: (recorded: string, live: string) => boolean): PlannedStep | undefined {
    if (input === undefined) return undefined
    const found = this.#steps
      .slice(this.#head)
      .find(({ step, input: recorded }) => !this.#taken.has(step) && isAlike(recorded.canonical, input.canonical))
    if (found !== undefined) this.#taken.add(found.step)
    return found?.step
  }

  take(step: PlannedStep): void {
    this.#taken.add(step)
  }

  untaken(): readonly PlannedStep[] {
    this.#skipTaken()
    return this.#steps.slice(this.#head).flatMap(({ step }) => (this.#taken.has(step) ? [] : [step]))
  }

  hasTaken({ input }: LiveCall): boolean {
    const queue = input === undefined ? undefined : this.#queuesByInput().get(input.canonical)
    return queue?.steps.some((step) => this.#taken.has(step)) ?? false
  }

  #nextInQueue(canonical: string): PlannedStep | undefined {
    const queue = this.#queuesByInput().get(canonical)
    if (queue === undefined) return undefined
    for (; queue.head < queue.steps.length; queue.head += 1) {
      const step = queue.steps[queue.head]
      if (step !== undefined && !this.#taken.has(step)) return step
    }
    return undefined
  }

  #queuesByInput(): Map<string, { readonly steps: PlannedStep[]; head: number }> {
    if (this.#queues !== undefined) return this.#queues
    this.#queues = new Map()
    for (const { step, input } of this.#steps) {
      const queue = this.#queues.get(input.canonical)
      if (queue === undefined) this.#queues.set(input.canonical, { steps: [step], head: 0 })
      else queue.steps.push(step)
    }
    return this.#queues
  }

  #skipTaken(): void {
    for (; this.#head < this.#steps.length; this.#head += 1) {
      const step = this.#steps[this.#head]?.step
      if (step !== undefined && !this.#taken.has(step)) return
    }
  }
}

function groupKey(owner: number, boundary: string, name: string): string {
  return `${owner} ${boundary} ${name}`
}
