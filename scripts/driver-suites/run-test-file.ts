import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'

/** A test file. */
export interface TestFile {
  /** Its path in the checkout. */
  readonly name: string
  readonly directory: string
  /** The arguments of Node. */
  readonly args: readonly string[]
  /** How it reports its tests. */
  readonly runner: 'program' | 'mocha'
}

/** The outcome of a test file. */
export interface Outcome {
  /** Its exit status, or the signal that ended it. */
  readonly exit: string
  /** The state of each test, by its name. */
  readonly tests: Readonly<Record<string, string>>
  /** The end of what it printed. */
  readonly printed: string
}

const secondsPerFile = 600

/**
 * Runs a test file.
 *
 * @param report The file where a runner may write its report.
 */
export async function runTestFile(
  { args, directory, runner }: TestFile,
  environment: Readonly<Record<string, string>>,
  report: string,
): Promise<Outcome> {
  const all = runner === 'mocha' ? [...args, '--reporter', 'json', '--reporter-option', `output=${report}`] : args
  const env = { PATH: `${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, HOME: process.env['HOME'] ?? '', ...environment }
  // In its own process group, so that nothing it has started is left if it hangs.
  const child = spawn(process.execPath, all, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const [output, errors] = [collect(child.stdout), collect(child.stderr)]
  const timer = setTimeout(() => endGroup(child), secondsPerFile * 1000)
  child.once('exit', () => endGroup(child))
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  clearTimeout(timer)
  const tests = runner === 'mocha' ? readReport(report) : readPrinted(stripVTControlCharacters(output()))
  return { exit: signal ?? String(code), tests, printed: stripVTControlCharacters(output() + errors()).slice(-3000) }
}

function collect(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  return () => text
}

/** Kills a process and everything that it has started. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}

interface MochaReport {
  readonly tests: readonly { readonly fullTitle: string; readonly err: { readonly message?: string } }[]
  readonly pending: readonly { readonly fullTitle: string }[]
  readonly failures: readonly { readonly fullTitle: string; readonly err: { readonly message?: string } }[]
}

function readReport(file: string): Record<string, string> {
  if (!existsSync(file)) return {}
  const { tests, pending, failures } = JSON.parse(readFileSync(file, 'utf8')) as MochaReport
  const names = new Map<string, number>()
  const told = [
    ...tests.map(({ fullTitle }) => [fullTitle, 'passes'] as const),
    ...pending.map(({ fullTitle }) => [fullTitle, 'is skipped'] as const),
    ...failures.map(({ fullTitle, err }) => [fullTitle, `fails: ${firstLine(err.message ?? '')}`] as const),
  ]
  // The first list also contains the failed and skipped tests.
  const found: Record<string, string> = {}
  for (const [name, result] of told) {
    const isFirst = result === 'passes'
    const count = isFirst ? (names.get(name) ?? 0) + 1 : 1
    if (isFirst) names.set(name, count)
    found[count === 1 ? name : `${name} (${count})`] = result
  }
  return found
}

/** Parses the printed lines of the tests of pg and mysql2. */
function readPrinted(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const line of text.split('\n')) {
    const [, before, after] = /^\s+(.+) (✔|FAILED!|\? - SKIPPED)$/.exec(line) ?? []
    const [, mark, title] = /^\s*([●✘]) (.+?)(?: › [\d.]+ms)?$/.exec(line) ?? []
    if (before !== undefined) found[before] = after === '✔' ? 'passes' : after === 'FAILED!' ? 'fails' : 'is skipped'
    else if (title !== undefined) found[title] = mark === '●' ? 'passes' : 'fails'
  }
  return found
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
