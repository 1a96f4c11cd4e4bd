import { existsSync } from 'node:fs'
import { displayPath } from '../stores/display-path.ts'
import { GoldenExistsError } from '../stores/errors/golden-exists-error.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { readTraceText } from '../trace/read-text.ts'
import type { Trace } from '../trace/trace.ts'
import { digest } from './digest.ts'
import { checkStep } from './promotion/incident.ts'
import { refuseIncomplete, type Allowances } from './promotion/refusals.ts'
import { refuseDivergent } from './promotion/trial.ts'
import { replay } from './replay.ts'
import type { ReplayOptions } from './replay-options.ts'
import type { StandIns } from './promotion/stand-ins.ts'
import { toGolden, type GoldenOptions } from './promotion/to-golden.ts'

/** How a trace is promoted. */
export interface PromoteOptions extends Omit<GoldenOptions, 'promotedAt'>, Allowances {
  /** ISO 8601. Default: now. */
  readonly promotedAt?: string
  /** The directory of the golden traces. Default: the nearest `golden-traces` upwards, or one beside the nearest `package.json`. */
  readonly directory?: string
  /**
   * The agent. Where it is given, the golden is replayed before it is kept: code that looks into a value that was taken out may do something
   * else with its stand-in. Default: none, and nothing is replayed.
   */
  readonly agent?: (input: never, context: never) => unknown
  /** How it is replayed: its context, tools that run. Default: as `replay` does it. */
  readonly replay?: Omit<ReplayOptions, 'onDivergence' | 'store'>
  /** Replace a golden that has the name. Default: refuse. */
  readonly force?: boolean
}

/** A golden that can be written. */
export interface Promotion {
  readonly name: string
  /** Where it is written: an absolute path. */
  readonly file: string
  /** The golden as it will be read. */
  readonly trace: Trace
  /** JSON Lines. */
  readonly text: string
  readonly standIns: StandIns
}

/**
 * Makes a recording a golden trace: a file in `golden-traces/` that replays are held against.
 *
 * @example
 * await promote(await readTrace('20261121-021406123-9f2c41aa'), { name: 'cancel-unshipped' })
 *
 * @throws GoldenrunError `GOLDENRUN_PROMOTE_UNFINISHED`, `GOLDENRUN_PROMOTE_UNRECORDED_CONTACT` and `GOLDENRUN_PROMOTE_UNKEPT_VALUE` for a trace
 *   that lacks what a replay needs, `GOLDENRUN_PROMOTE_INCIDENT` for an expectation at a step it does not have, `GOLDENRUN_PROMOTE_DOES_NOT_REPLAY` where the
 *   agent does not do the same again, `GOLDENRUN_GOLDEN_NAME` for a
 *   name that cannot be a file's, `GOLDENRUN_GOLDEN_EXISTS` for one that is taken. Nothing is written then.
 */
export async function promote(trace: Trace, options: PromoteOptions): Promise<Promotion> {
  const promotion = await preparePromotion(trace, options)
  if (options.agent !== undefined) await tryPromotion(promotion, options.agent, options.replay)
  await writePromotion(promotion, options)
  return promotion
}

/** The first half of `promote`: makes the golden, refuses what would be refused, and writes nothing. */
export async function preparePromotion(trace: Trace, options: PromoteOptions): Promise<Promotion> {
  const { name, expect, directory, force = false, promotedAt = new Date().toISOString() } = options
  const file = createGoldenDirectory(directory).fileOf(name)
  refuseIncomplete(trace, options)
  if (expect?.replay === 'departs') checkStep(trace, expect.at)
  if (!force && existsSync(file)) throw new GoldenExistsError(name, displayPath(file))
  const { text, standIns } = toGolden(trace, { ...options, promotedAt })
  // What cannot be read again must not be written.
  return { name, file, trace: await readTraceText(text, displayPath(file), digest), text, standIns }
}

/**
 * Between the halves of `promote`: replays the golden as it would be read.
 *
 * @throws GoldenrunError `GOLDENRUN_PROMOTE_DOES_NOT_REPLAY` with what no longer holds.
 */
export async function tryPromotion(
  { trace }: Promotion,
  agent: (input: never, context: never) => unknown,
  options: PromoteOptions['replay'] = {},
): Promise<void> {
  const { golden, ...header } = trace.header
  // The recorded run, whatever is expected of the next one.
  const recorded = { ...trace, header, rows: [header, ...trace.rows.slice(1)] }
  const run = await replay(recorded, agent as (input: never, context: unknown) => unknown, { ...options, onDivergence: 'continue' })
  refuseDivergent(trace, run.divergences, golden?.expect)
}

/** The second half of `promote`. */
export async function writePromotion(
  { name, text }: Promotion,
  { directory, force = false }: Pick<PromoteOptions, 'directory' | 'force'>,
): Promise<void> {
  await createGoldenDirectory(directory).write(name, text, { force })
}
