import { existsSync } from 'node:fs'
import { displayPath } from '../../node/display-path.ts'
import { GoldenExistsError } from '../../stores/errors/golden-exists-error.ts'
import { createGoldenDirectory } from '../../stores/golden-directory.ts'
import { readEarlier } from '../traces/earlier-goldens.ts'
import { keepFile } from '../traces/golden-files.ts'
import { readTraceText } from '../traces/read-trace-text.ts'
import type { Trace } from '../../trace/trace.ts'
import { type CodeConstant, type FoundConstant, type PromotedConstant, findConstants, toPromoted } from './promotion/constants.ts'
import { checkStep } from './promotion/expect-departure.ts'
import { hideGivenCredentials } from './promotion/given-credentials.ts'
import { keepInHeader, keepLiterals, literalsEverywhere } from './promotion/keep-literals.ts'
import { type Allowances, refuseIncomplete } from './promotion/refusals.ts'
import { refuseDivergent } from './promotion/trial.ts'
import type { Brought } from '../result/trusted-stand-ins.ts'
import { replayToPromote } from '../replay.ts'
import type { ReplayOptions } from '../contract/replay-options.ts'
import { type GoldenOptions, type GoldenText, type StandIns, toGolden, writeGolden } from './promotion/to-golden.ts'

/** The options of `promote`. */
export interface PromoteOptions extends Omit<GoldenOptions, 'promotedAt'>, Allowances {
  /** ISO 8601. Default: now. */
  readonly promotedAt?: string
  /** The directory of the golden traces. Default: the nearest `golden-traces` upwards, or one next to the nearest `package.json`. */
  readonly directory?: string
  /**
   * The agent. If given, the golden is replayed before it is written: code that inspects a redacted value may behave differently with its
   * stand-in. Default: none, and nothing is replayed.
   */
  readonly agent?: (input: never, context: never) => unknown
  /**
   * Constants of the agent's code that the golden keeps unredacted: e-mail addresses, card and phone numbers that are written literally in
   * git-tracked source. Changing one turns the golden red. Those in modules that the agent loads are kept unless this is `false`; those in other
   * files by a path where the code passes them (`args.to`, `messages[*].content`). Requires `agent`. Default: `[]`.
   */
  readonly keepConstants?: readonly string[] | false
  /** Options of that replay: context, tools that run. Default: those of `replay`. */
  readonly replay?: Omit<ReplayOptions, 'onDivergence' | 'store'>
  /** Replace an existing golden of that name. Default: refuse. */
  readonly force?: boolean
}

/** A golden that is ready to be written. */
export interface Promotion {
  readonly name: string
  /** Where to write it: an absolute path. */
  readonly file: string
  /** The golden as it will be read. */
  readonly trace: Trace
  /** JSON Lines. */
  readonly text: string
  readonly standIns: StandIns
  /** Values that are literally in the agent's source and were, or could not be, compared as stand-ins. Absent without an agent. */
  readonly constants?: readonly PromotedConstant[]
  /** Files that the agent changed without a step when it was tried. Absent without an agent. */
  readonly changedFiles?: readonly string[]
}

/** The result of replaying a golden before it is written. */
export interface Trial {
  readonly constants: readonly CodeConstant[]
  /** Returns the promotion with the constants left unredacted, after checking that the agent repeats it. @throws as `promote` if it does not. */
  settle(kept: readonly CodeConstant[]): Promise<Promotion>
}

/** The first half of `promote`: creates the golden or refuses it, and writes nothing. */
export async function preparePromotion(trace: Trace, options: PromoteOptions): Promise<Promotion> {
  const { name, expect, directory, force = false, promotedAt = new Date().toISOString() } = options
  const file = createGoldenDirectory(directory).fileForNew(name)
  refuseIncomplete(trace, options)
  if (expect?.replay === 'departs') checkStep(trace, expect.at)
  if (!force && existsSync(file)) throw new GoldenExistsError(name, displayPath(file))
  return await readBack(name, file, toGolden(trace, { ...options, promotedAt }))
}

/** A golden that cannot be read back must not be written. */
async function readBack(name: string, file: string, { text, standIns }: Pick<GoldenText, 'text' | 'standIns'>): Promise<Promotion> {
  const trace = await readTraceText(text, displayPath(file))
  keepFile(trace, file)
  return { name, file, trace, text, standIns }
}

/**
 * Between the halves of `promote`: replays the golden as it would be read.
 *
 * @param given `after` are the earlier runs of the conversation. Default: the goldens that the golden follows.
 * @param goesOn Whether the process has just replayed those runs.
 * @throws GoldenrunError `GOLDENRUN_PROMOTE_DOES_NOT_REPLAY` with what does not hold.
 */
export async function tryPromotion(
  promotion: Promotion,
  agent: (input: never, context: never) => unknown,
  given: PromoteOptions['replay'] = {},
  goesOn: boolean = false,
): Promise<Trial> {
  const options = { ...given, after: given.after ?? (await readEarlier(promotion.trace)) }
  const first = await replayRecorded(promotion.trace, agent, goesOn ? { ...options, after: [] } : options)
  const {
    promotion: tried,
    run,
    brought,
  } = await withoutGivenCredentials(promotion, first, (trace) => replayRecorded(trace, agent, options))
  const constants = findConstants(brought)
  const settle = async (kept: readonly CodeConstant[]): Promise<Promotion> => {
    const taken = constants.filter((constant) => kept.includes(constant))
    const told = constants.map((constant) => toPromoted(constant, kept.includes(constant)))
    const { expect } = tried.trace.header.golden ?? {}
    const { changedFiles } = run
    if (taken.length === 0) {
      refuseDivergent(tried.trace, run.divergences, expect, constants)
      return { ...tried, constants: told, changedFiles }
    }
    const settled = await withConstants(tried, brought, taken)
    const again = await replayRecorded(settled.trace, agent, options)
    refuseDivergent(settled.trace, again.run.divergences, expect)
    return { ...settled, constants: told, changedFiles }
  }
  return { constants, settle }
}

type Tried = Awaited<ReturnType<typeof replayToPromote>>

/** Hides the credentials that the run was given, if the agent repeats the run without them. One that looks into a token may not. */
async function withoutGivenCredentials(
  promotion: Promotion,
  tried: Tried,
  again: (trace: Trace) => Promise<Tried>,
): Promise<Tried & { readonly promotion: Promotion }> {
  const { name, file, text, standIns } = promotion
  const hidden = hideGivenCredentials(text, tried.ofUnknownOrigin)
  if (hidden === text) return { ...tried, promotion }
  const without = await readBack(name, file, { text: hidden, standIns })
  const repeated = await again(without.trace)
  const isWorse = repeated.run.divergences.length > tried.run.divergences.length
  return isWorse ? { ...tried, promotion } : { ...repeated, promotion: without }
}

/** Replays the recorded run, whatever the golden expects. */
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
  { values, sides }: Brought,
  constants: readonly FoundConstant[],
): Promise<Promotion> {
  const literals = new Map(constants.flatMap((constant) => [...constant.literals]))
  const rows = keepLiterals(trace.rows.slice(1), values, { literals, sides })
  const recorded = new Map(constants.flatMap((constant) => [...constant.recorded]))
  const [header = trace.header] = literalsEverywhere([trace.header], recorded)
  return await readBack(name, file, writeGolden(keepInHeader(header, literals.values()), literalsEverywhere(rows, recorded)))
}

/** The second half of `promote`. */
export async function writePromotion(
  { name, text }: Promotion,
  { directory, force = false }: Pick<PromoteOptions, 'directory' | 'force'>,
): Promise<void> {
  await createGoldenDirectory(directory).write(name, text, { force })
}
