import path from 'node:path'
import type { Command } from 'commander'
import { isCI } from '../goldens/golden-mode.ts'
import { omitUndefined } from '../trace/json.ts'
import type { Check } from '../trace/run-row.ts'
import { compareVerifications } from '../travel/verify/compare-verifications.ts'
import { wholeNumber } from './fork/fork-arguments.ts'
import { addLiveOptions, type LiveOptions, standInsOf } from './fork/live-options.ts'
import { parseCheck } from './incident-options.ts'
import { numberOption } from './number-option.ts'
import { type PastJob, runAt } from './past-code/run-apart.ts'
import { withProgress } from './progress.ts'
import { selectTraces } from './select-traces.ts'
import { jsonOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { diverted, type Terminal } from './terminal.ts'
import { acceptSample } from './verify/accept-sample.ts'
import { isWithoutKey, statusOf, toJson, toText, type VerifyResult } from './verify/verify-output.ts'
import { writeSamplePages } from './verify/write-sample-pages.ts'
import { type VerifiedAt, type VerifiedTrace, verifyTraces, type VerifyTracesOptions } from './verify/verify-traces.ts'

const EXAMPLES = `
Examples:
  $ npx goldenrun verify refund-twice --samples 20 --at-least 0.9 --budget 2usd
  $ npx goldenrun verify refund-twice --check 'toHaveCalledTool("find_refund")'
  $ npx goldenrun verify refund-twice --base main
  $ npx goldenrun verify refund-twice --html samples

Exit status: 0 held, 1 one did not hold, 2 one is undecided or could not be verified.
In CI, a golden whose provider has no API key is skipped, which is printed.`

/** `goldenrun verify <golden…>` */
export function addVerifyCommand(program: Command, terminal: Terminal, onStatus: (status: number) => void): void {
  const command = program
    .command('verify')
    .argument('<golden...>', 'golden traces by name, pattern or path; recordings by id')
    .summary('find out with live models whether a fix holds')
    .description(
      'Replays each golden until the agent departs from it, and continues from there with live models, many times. Tools get recorded answers, or ' +
        "those of the config's sandbox: nothing is written. Samples are judged by the golden's checks.",
    )
    .option('--samples <n>', 'the number of samples at most (default: 20)', wholeNumber)
    .option('--at-least <share>', 'the share of samples that has to pass (default: 0.9)', parseShare)
    .option(
      '--check <matcher>',
      'a check that samples have to pass, such as \'toHaveCalledTool("find_refund")\', or with "not." must not; repeatable',
      parseCheck,
    )
    .option('--concurrency <n>', 'the number of samples that run at once (default: 4)', wholeNumber)
    .option('--base <git ref>', 'compare with the code of a commit, a branch or a tag; takes all samples')
    .option('--install', 'with --base: install the packages of a commit whose lock file differs')
    .option('--accept', 'if it held: keep the first sample that passed as the golden, or next to it if it is the golden of an incident')
  addLiveOptions(command)
    .option('--html <dir>', 'write a page of each sample into this directory, which compares it with the golden')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (runs: readonly string[], options: VerifyCommandOptions) => {
      if (options.install === true && options.base === undefined) command.error('error: --install requires --base')
      const results = await verifyAll(runs, options, terminal)
      if (options.json === true) terminal.printJson(toJson(results))
      else terminal.print(toText(results))
      onStatus(statusOf(results))
    })
}

interface VerifyCommandOptions extends StoreOptions, LiveOptions, Pick<VerifyTracesOptions, 'samples' | 'atLeast' | 'concurrency'> {
  readonly check?: readonly Check[]
  readonly base?: string
  readonly install?: true
  readonly accept?: true
  readonly html?: string
}

async function verifyAll(runs: readonly string[], options: VerifyCommandOptions, terminal: Terminal): Promise<VerifyResult[]> {
  return await diverted(terminal, async () => {
    const selected = await selectTraces(runs, await storeOf(options.store))
    const given = toVerifyOptions(options)
    const accepted = new Map<string, string>()
    const pages = new Map<string, readonly string[]>()
    const verified = await withProgress(terminal, (progress) =>
      verifyTraces(selected, given, {
        onTrace: (name, index) => progress.tell(`Verifying ${index + 1} of ${selected.length}: ${name}`),
        async onVerified(trace, verification, agent, file) {
          const kept = options.accept === true ? await acceptSample(trace, verification, agent, file) : undefined
          if (kept !== undefined) accepted.set(verification.name, kept)
          if (options.html === undefined) return
          const { prices } = agent.loaded.config
          pages.set(verification.name, await writeSamplePages(trace, verification, options.html, prices))
        },
      }),
    )
    const compared = await compareWithBase(verified, options, given, terminal)
    return verified.map((each): VerifyResult => {
      const base = compared.get(each.name)
      return {
        ...each,
        isSkipped: isCI() && isWithoutKey(each),
        ...omitUndefined({ accepted: accepted.get(each.name), pages: pages.get(each.name), base }),
      }
    })
  })
}

/** Compares old and new code from the same step on, by the trace's name. */
async function compareWithBase(
  verified: readonly VerifiedTrace[],
  { base: ref, install, store }: VerifyCommandOptions,
  given: VerifyTracesOptions,
  terminal: Terminal,
): Promise<Map<string, NonNullable<VerifyResult['base']>>> {
  const departed = verified.flatMap(({ name, file, verification }) =>
    file === undefined || verification?.departure === undefined ? [] : [{ name, file, verification, step: verification.departure }],
  )
  if (ref === undefined || departed.length === 0) return new Map()
  const files = departed.map(({ name, file }) => (file.endsWith('.jsonl') ? path.resolve(file) : name))
  const selected = await selectTraces(files, await storeOf(store))
  const departAt = Object.fromEntries(departed.map(({ name, step }) => [name, step]))
  const job: PastJob = { job: 'verify', install: install === true, options: { ...given, departAt } }
  const before = await runAt<readonly VerifiedAt[]>(ref, selected, job, terminal)
  return new Map(
    departed.map(({ name, verification }) => {
      const { verification: theirs, message } = before.find((each) => each.name === name) ?? { message: 'It was not verified.' }
      if (theirs !== undefined && theirs.departure === undefined)
        return [name, { ref, message: `It does not reach step ${verification.departure}, so there is nothing to compare.` }]
      return [
        name,
        { ref, ...(theirs ? { verification: theirs, ...compareVerifications(verification, theirs) } : omitUndefined({ message })) },
      ]
    }),
  )
}

function toVerifyOptions(options: VerifyCommandOptions): VerifyTracesOptions {
  const { samples, atLeast, concurrency, budget, seed, allowHost, cache, check = [], base } = options
  return {
    ...omitUndefined({ samples, atLeast, concurrency, budget, seed, allowHost }),
    stopEarly: base === undefined,
    // The process for the base runs in a different folder.
    cache: cache !== false && path.resolve(cache),
    checks: check,
    ...standInsOf(options),
  }
}

const parseShare = numberOption('a number above 0 and at most 1, such as 0.9', (share) => share > 0 && share <= 1)
