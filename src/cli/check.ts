import { Option, type Command } from 'commander'
import type { GoldenrunConfig } from '../config/define-config.ts'
import { loadConfig } from '../config/load-config.ts'
import { PathRules } from '../divergence/path-rules.ts'
import { createRuleSet } from '../redaction/rule-set.ts'
import { unmatchedPaths } from '../replay/result/unmatched-paths.ts'
import { displayPath } from '../node/display-path.ts'
import { ownCommand } from '../stores/package-manager.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { readTraceText } from '../replay/traces/read-trace-text.ts'
import { COULD_NOT_RUN, DIVERGED, HELD } from './exit-status.ts'
import { findInGolden, type GoldenFinding } from './golden-findings.ts'
import { type Progress, withProgress } from './progress.ts'
import { findLiveSites, type LiveSite } from './check/live-sites.ts'
import { numberOption } from './number-option.ts'
import { jsonOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { formatTable } from './table.ts'
import type { Terminal } from './terminal.ts'
import { count } from './units.ts'

/** `goldenrun check` */
export function addCheckCommand(program: Command, terminal: Terminal, onStatus: (status: number) => void): void {
  program
    .command('check')
    .summary('list golden traces that need attention')
    .description(
      'Lists golden traces that need attention: recorded with a different model from the one in the config, recorded too long ago, rebased, or ' +
        'containing something that looks like a secret. Also lists ignored paths of the config that match nothing in any of them. Replays nothing.',
    )
    .option('--max-age <days>', "the age at which a recording is too old (default: the config's check.maxAgeDays, or any age)", parseDays)
    .option('--live', 'also list the places that stay live, in golden traces and the newest 1,000 recordings, with their reasons')
    .addOption(
      new Option('--max-live <count>', 'the number of such places above which the check fails')
        .argParser(parseCount)
        .implies({ live: true }),
    )
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExit status: 0 nothing found (rebased ones do not count), 1 something found, 2 a golden trace cannot be read.')
    .action(async ({ maxAge, live, maxLive = Infinity, store, json }: CheckOptions) => {
      const { config, file } = await loadConfig()
      const policy = maxAge === undefined ? config : { ...config, check: { ...config.check, maxAgeDays: maxAge } }
      const checked = await withProgress(terminal, (progress) => checkGoldens(policy, progress))
      const where = await storeOf(store)
      const sites = live === true ? await withProgress(terminal, (progress) => findLiveSites(where, newestRecordings, progress)) : undefined
      if (json === true)
        terminal.printJson({ config: file === undefined ? null : displayPath(file), ...checked, ...(sites && { live: sites }) })
      else
        terminal.print(
          [...formatChecked(checked, terminal), ...(sites === undefined ? [] : ['', ...formatLive(sites, maxLive)])].join('\n'),
        )
      const isTooLive = sites !== undefined && sites.length > maxLive
      onStatus(isTooLive ? Math.max(DIVERGED, statusOf(checked)) : statusOf(checked))
    })
}

/** The number of newest recordings that are searched for live places. */
const newestRecordings = 1000

interface CheckOptions extends StoreOptions {
  readonly maxAge?: number
  readonly live?: true
  readonly maxLive?: number
}

interface Checked {
  /** The number of goldens. */
  readonly goldens: number
  readonly findings: readonly GoldenFinding[]
  /** Paths of the config's `ignore` and `normalize` that match nothing in any golden. */
  readonly unmatchedPaths: readonly string[]
}

async function checkGoldens({ check = {}, replay = {}, redact }: GoldenrunConfig, progress: Progress): Promise<Checked> {
  const { ignore = [], normalize = {} } = replay
  const rules = new PathRules({ ignore, normalize }, (option, problem) => {
    throw new Error(`${option} ${problem}`)
  })
  const directory = createGoldenDirectory()
  const names = await directory.list()
  const findings: GoldenFinding[] = []
  const now = Date.now()
  const ruleSet = createRuleSet(redact)
  for (const [index, name] of names.entries()) {
    progress.tell(`Checking ${index + 1} of ${names.length}: ${name}`)
    try {
      const stored = await directory.read(name)
      if (stored === undefined) continue
      const trace = await readTraceText(stored.text, stored.file)
      findings.push(...findInGolden(name, trace, check, ruleSet, now))
      unmatchedPaths(trace, rules)
    } catch (error) {
      if (!GoldenrunError.isInstance(error)) throw error
      findings.push({ golden: name, kind: 'unreadable', message: error.message, isNote: false })
    }
  }
  if (rules.failure !== undefined) throw rules.failure
  return { goldens: names.length, findings, unmatchedPaths: names.length === 0 ? [] : rules.unmet }
}

function statusOf({ findings, unmatchedPaths: unmatched }: Checked): number {
  if (findings.some(({ kind }) => kind === 'unreadable')) return COULD_NOT_RUN
  return unmatched.length > 0 || findings.some(({ isNote }) => !isNote) ? DIVERGED : HELD
}

function formatChecked({ goldens, findings, unmatchedPaths: unmatched }: Checked, { colors }: Terminal): string[] {
  const rows = findings.map(({ golden, kind, message }) => [golden, kind, message])
  const failed = findings.filter(({ isNote }) => !isNote).length + unmatched.length
  const summary = `${count(goldens, 'golden trace')} checked: ${failed === 0 ? 'nothing to fix' : `${failed} to fix`}.`
  return [
    ...(rows.length === 0 ? [] : [...formatTable(['golden', 'what', ''], rows), '']),
    ...unmatched.map((path) => `The path ${path} of the config's replay.ignore or replay.normalize matches nothing in any golden trace.`),
    ...(unmatched.length === 0 ? [] : ['']),
    failed === 0 ? summary : colors.bold(summary),
    ...(findings.some(({ kind }) => kind === 'secret') ? [`To redact what looks like a secret: ${ownCommand('scrub goldens')}`] : []),
  ]
}

function formatLive(sites: readonly LiveSite[], maxLive: number): string[] {
  const rows = sites.map(({ reason, site = 'unknown', calls, traces }) => [site, reason, String(calls), String(traces)])
  const summary = `${count(sites.length, 'place')} in the code stay${sites.length === 1 ? 's' : ''} live${sites.length > maxLive ? `; --max-live allows ${maxLive}` : ''}.`
  return sites.length === 0 ? [summary] : [...formatTable(['SITE', 'REASON', 'CALLS', 'TRACES'], rows, ['CALLS', 'TRACES']), '', summary]
}

const parseCount = numberOption('a whole number of 0 or more', (calls) => Number.isInteger(calls) && calls >= 0)

const parseDays = numberOption('a number of days above 0', (days) => days > 0)
