import { existsSync } from 'node:fs'
import { displayPath } from '../../node/display-path.ts'
import { GoldenExistsError } from '../../stores/errors/golden-exists-error.ts'
import { createGoldenDirectory } from '../../stores/golden-directory.ts'
import { readTraceText } from '../traces/read-trace-text.ts'
import type { Trace } from '../../trace/trace.ts'
import { type CodeConstant, findConstants, type FoundConstant, toPromoted, type PromotedConstant } from './promotion/constants.ts'
import { checkStep } from './promotion/incident.ts'
import { keepInHeader, keepLiterals } from './promotion/keep-literals.ts'
import { refuseIncomplete, type Allowances } from './promotion/refusals.ts'
import { refuseDivergent } from './promotion/trial.ts'
import type { Brought } from '../result/brought.ts'
import { replayToPromote } from '../replay.ts'
import type { ReplayOptions } from '../contract/replay-options.ts'
import type { StandIns } from './promotion/stand-ins.ts'
import { toGolden, writeGolden, type GoldenOptions } from './promotion/to-golden.ts'

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
  /**
   * Constants of the agent's code that the golden holds as they are, by a path at which the code brings them (`args.to`, `messages[*].content`): an
   * address, a card or a phone number that stands literally in git-tracked source. A change of it turns the golden red. Needs `agent`. Default: none.
   */
  readonly keepConstants?: readonly string[]
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
  /** What stands literally in the agent's source and was compared, or could not be compared, as a stand-in. Absent where no agent was given. */
  readonly constants?: readonly PromotedConstant[]
}

/** What a replay of a golden before it is kept came to. */
export interface Trial {
  readonly constants: readonly CodeConstant[]
  /** The promotion with constants as they are, which the agent repeats. @throws as `promote` where it does not. */
  settle(kept: readonly CodeConstant[]): Promise<Promotion>
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
  return { name, file, trace: await readTraceText(text, displayPath(file)), text, standIns }
}

/**
 * Between the halves of `promote`: replays the golden as it would be read.
 *
 * @throws GoldenrunError `GOLDENRUN_PROMOTE_DOES_NOT_REPLAY` with what no longer holds.
 */
export async function tryPromotion(
  promotion: Promotion,
  agent: (input: never, context: never) => unknown,
  options: PromoteOptions['replay'] = {},
): Promise<Trial> {
  const { run, brought } = await replayRecorded(promotion.trace, agent, options)
  const constants = findConstants(brought)
  const settle = async (kept: readonly CodeConstant[]): Promise<Promotion> => {
    const taken = constants.filter((constant) => kept.includes(constant))
    const told = constants.map((constant) => toPromoted(constant, kept.includes(constant)))
    const { expect } = promotion.trace.header.golden ?? {}
    if (taken.length === 0) {
      refuseDivergent(promotion.trace, run.divergences, expect, constants)
      return { ...promotion, constants: told }
    }
    const settled = await withConstants(promotion, brought, taken)
    const again = await replayRecorded(settled.trace, agent, options)
    refuseDivergent(settled.trace, again.run.divergences, expect)
    return { ...settled, constants: told }
  }
  return { constants, settle }
}

/** The recorded run, whatever is expected of the next one. */
function replayRecorded(
  trace: Trace,
  agent: (input: never, context: never) => unknown,
  options: ReplayOptions,
): ReturnType<typeof replayToPromote> {
  const { golden: _, ...header } = trace.header
  const recorded = { ...trace, header, rows: [header, ...trace.rows.slice(1)] }
  return replayToPromote(recorded, agent as (input: never, context: unknown) => unknown, options)
}

async function withConstants(
  { name, file, trace }: Promotion,
  { values }: Brought,
  constants: readonly FoundConstant[],
): Promise<Promotion> {
  const literals = new Map(constants.flatMap((constant) => [...constant.literals]))
  const { text, standIns } = writeGolden(keepInHeader(trace.header, literals.values()), keepLiterals(trace.rows.slice(1), values, literals))
  return { name, file, trace: await readTraceText(text, displayPath(file)), text, standIns }
}

/** The second half of `promote`. */
export async function writePromotion(
  { name, text }: Promotion,
  { directory, force = false }: Pick<PromoteOptions, 'directory' | 'force'>,
): Promise<void> {
  await createGoldenDirectory(directory).write(name, text, { force })
}
