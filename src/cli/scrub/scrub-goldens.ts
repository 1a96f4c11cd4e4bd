import path from 'node:path'
import { replayFresh } from '../../goldens/fresh/replay-fresh.ts'
import type { RuleSet } from '../../redaction/rule-set.ts'
import { standInsOf } from '../../redaction/trace-stand-ins.ts'
import { writeGolden } from '../../replay/goldens/promotion/to-golden.ts'
import { contractsOf } from '../../replay/traces/contracts.ts'
import { digest } from '../../replay/traces/digest.ts'
import { readTraceText } from '../../replay/traces/read-trace-text.ts'
import { createGoldenDirectory } from '../../stores/golden-directory.ts'
import { assembleTrace } from '../../trace/assemble.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { Trace } from '../../trace/trace.ts'
import { findSecrets } from '../golden-findings.ts'
import type { Unreadable } from '../unreadable.ts'
import { scrubTrace } from './scrub-trace.ts'

/** A golden in which the rules find something. */
export interface ScrubbedGolden {
  readonly name: string
  readonly file: string
  /** How many values get a stand-in. */
  readonly values: number
  /** Where they are. */
  readonly places: readonly string[]
  readonly text: string
  /**
   * Whether it holds once it is scrubbed: `yes`; `no`: it held before, and has to be recorded again; `not before`: it does not hold as it is; `unknown`:
   * the config does not name its agent.
   */
  readonly holds: 'yes' | 'no' | 'not before' | 'unknown'
}

/** Scrubs the goldens of the project, without writing them, and replays each before and after. */
export async function scrubGoldens(
  ruleSet: RuleSet,
  tell: (text: string) => void,
): Promise<{ readonly goldens: readonly ScrubbedGolden[]; readonly unreadable: readonly Unreadable[] }> {
  const directory = createGoldenDirectory()
  const goldens: ScrubbedGolden[] = []
  const unreadable: Unreadable[] = []
  for (const name of await directory.list()) {
    tell(`Scrubbing ${name}`)
    try {
      const stored = await directory.read(name)
      if (stored === undefined) continue
      const trace = await readTraceText(stored.text, stored.file)
      const scrubbed = await scrubGolden(trace, ruleSet, stored.file)
      if (scrubbed === undefined) continue
      const replay = (text: string): Promise<boolean | undefined> => holds(name, stored.file, directory.fileOf(name), text)
      const after = await replay(scrubbed.text)
      const before = after === false ? await replay(stored.text) : after
      const verdict = after === undefined ? 'unknown' : after ? 'yes' : before === true ? 'no' : 'not before'
      goldens.push({ name, file: stored.file, places: findSecrets(trace, ruleSet), ...scrubbed, holds: verdict })
    } catch (error) {
      if (!GoldenrunError.isInstance(error)) throw error
      unreadable.push({ trace: name, code: error.code, message: error.message })
    }
  }
  return { goldens, unreadable }
}

async function scrubGolden(trace: Trace, ruleSet: RuleSet, file: string): Promise<Pick<ScrubbedGolden, 'text' | 'values'> | undefined> {
  const scrubbed = scrubTrace(trace, ruleSet)
  const [header, ...rest] = scrubbed?.rows ?? []
  if (scrubbed === undefined || header?.kind !== 'run') return undefined
  const { steps, rows } = assembleTrace(scrubbed.rows, digest)
  const { text } = writeGolden({ ...header, contracts: contractsOf(steps, digest, standInsOf({ header, rows })) }, rest)
  // A golden that cannot be read back must not be written.
  await readTraceText(text, file)
  return { text, values: scrubbed.values }
}

/** Returns whether a golden would hold with a text; undefined if it cannot be replayed. */
async function holds(name: string, file: string, origin: string, text: string): Promise<boolean | undefined> {
  const judged = await replayFresh({ trace: { name, file, text, origin, directory: path.dirname(origin) }, purpose: 'lines' })
  return judged && judged.status === 'held'
}
