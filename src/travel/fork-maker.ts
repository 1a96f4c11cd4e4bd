import type { ReplayOptions, ReplaySettings } from '../replay/contract/replay-options.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { resolveTrace, runReplay } from '../replay/replay.ts'
import { runOutside } from '../run/scope.ts'
import { readEarlier } from '../replay/traces/earlier-goldens.ts'
import { digest } from '../replay/traces/digest.ts'
import type { ReplayedTrace } from '../replay/result/replay-telemetry.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { assembleTrace } from '../trace/assemble.ts'
import type { Trace } from '../trace/trace.ts'
import { copyValue } from '../trace/values.ts'
import { Budget } from './budget.ts'
import { cutTrace } from './cut-trace.ts'
import { ForkMoment } from './fork-moment.ts'
import { type ForkOptions, type OwnOptions, readForkOptions } from './fork-options.ts'
import { type ForkPlace, findForkPoint } from './fork-point.ts'
import { SandboxDatabases } from './databases/sandbox-databases.ts'
import { SandboxFiles } from './databases/sandbox-files.ts'
import { tailTrace } from './tail-trace.ts'

/** What makes the forks of one moment, and what their live calls may use. */
export interface PreparedForks {
  readonly trace: Trace
  readonly maker: ForkMaker
  readonly budget: Budget
}

/**
 * Reads a trace, and finds the moment at which it is forked.
 *
 * @param caller As errors about options name it.
 * @param judged For forks that follow the rule of an incident golden: the incident's call ends them.
 */
export async function prepareForks(
  caller: string,
  trace: string | Trace,
  agent: Making['agent'],
  options: ForkOptions,
  judged?: JudgedFork,
): Promise<PreparedForks> {
  const { rest, own, settings } = readForkOptions(caller, options)
  const budget = new Budget(own.budget)
  const found = await resolveTrace(trace, rest)
  const read = own.state === undefined ? found : { ...found, trace: tailWithState(found.trace, own.state) }
  const golden = goldenSettings(settings, read.trace, judged !== undefined)
  const maker = new ForkMaker({ agent, options: rest, settings: golden, own, budget, read, departsAt: judged?.departsAt })
  return { trace: read.trace, maker, budget }
}

/** A fork that an incident golden judges. */
export interface JudgedFork {
  /** The recorded step at which the fork leaves the trace even if the agent does the same there. Default: none. */
  readonly departsAt: number | undefined
}

/** What forks of one moment are made of. */
interface Making {
  readonly read: ReplayedTrace
  readonly agent: (input: unknown, context: unknown) => unknown
  readonly options: ReplayOptions
  readonly settings: ReplaySettings
  readonly own: OwnOptions
  readonly budget: Budget
  readonly departsAt: number | undefined
}

/** Makes forks of one moment of a trace. */
export class ForkMaker {
  readonly #making: Making
  readonly #moment: ForkMoment
  readonly #cut: Trace

  constructor(making: Making) {
    const { read, own, settings, budget, departsAt } = making
    const { trace } = read
    const place = placeOf(trace, own, settings)
    const changed = ['answer', 'request'].find((name) => name in own.edit)
    if (own.at !== undefined && place.step === undefined && changed !== undefined)
      throw new GoldenrunError(
        'GOLDENRUN_FORK_POINT',
        `No call comes after ${JSON.stringify(own.at)}, so there is nothing whose ${changed} could be edited.`,
      )
    this.#making = making
    this.#moment = new ForkMoment({ trace, place, settings, own, budget, departsAt })
    this.#cut = cutTrace(trace, place.place, this.#moment.forkedFrom)
  }

  /** @param sample From 0. Each has ids and random values of its own. */
  async make(sample: number): Promise<ReplayedRun> {
    const { read, agent, options, settings, own } = this.#making
    const seed = own.seed + sample
    const databases = new SandboxDatabases(own.databases)
    const files = new SandboxFiles(own.databases)
    const chance = { seed, ahead: own.clock === 'now' ? aheadAt(this.#cut) : 0 }
    const forked = {
      ...settings,
      chance,
      sandboxFiles: files.byDriver,
      router: this.#moment.router(seed, databases.answers),
      ...(own.input !== undefined && { given: { input: own.input } }),
    }
    const after = options.after ?? (await runOutside(() => readEarlier(read.trace)))
    try {
      return await runReplay({ ...read, trace: this.#cut }, agent, { ...options, after }, forked)
    } finally {
      await databases.close()
      await files.close()
    }
  }
}

/** The golden of an incident has answers for what the agent calls in place of it. A fork that it judges also runs the same tools. */
function goldenSettings(settings: ReplaySettings, { header }: Trace, isJudged: boolean): ReplaySettings {
  const expectation = header.golden?.expect
  if (expectation?.replay !== 'departs') return settings
  const answered = { ...settings, answers: { ...expectation.answers, ...settings.answers } }
  if (!isJudged) return answered
  const running = (tool: string): boolean => Object.hasOwn(expectation.tools ?? {}, tool) || settings.running(tool)
  return { ...answered, departure: expectation, running }
}

/** The end of what the fork follows of its trace. */
function placeOf(trace: Trace, { at, state }: OwnOptions, { running }: ReplaySettings): ForkPlace {
  // The agent starts at the checkpoint.
  if (state !== undefined) return { place: 1, step: trace.steps[0] }
  // The whole trace is followed, until the agent departs from it.
  return at === undefined ? { place: trace.rows.length, step: undefined } : findForkPoint(trace, at, running)
}

/** A trace behind a checkpoint, with another state there. */
function tailWithState(trace: Trace, { checkpoint, state }: NonNullable<OwnOptions['state']>): Trace {
  const tail = tailTrace(trace, checkpoint)
  const { resumedFrom, ...kept } = tail.header
  if (resumedFrom === undefined) throw new TypeError('the tail of a trace does not say where it starts')
  return assembleTrace([{ ...kept, resumedFrom: { ...resumedFrom, state: copyValue(state) } }, ...tail.rows.slice(1)], digest)
}

/** How far the real time is ahead of the fork's at its step, in milliseconds. */
function aheadAt({ header, rows }: Trace): number {
  const last = rows.findLast((row) => 'at' in row)
  return Date.now() - Date.parse(header.startedAt) - (last !== undefined && 'at' in last ? last.at : 0)
}
