import { inlineCode } from '../../divergence/report/markdown/syntax.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { DIVERGED, HELD } from '../exit-status.ts'
import type { ReplayOutput } from '../replay-output.ts'
import type { SelectedTrace } from '../select-traces.ts'
import type { Terminal } from '../terminal.ts'
import { count } from '../units.ts'
import { type Commit, comesBefore, findCommit, findRepository, nameCommit, readCommit, shortHash } from './commits.ts'
import { git, pastCodeError } from './git.ts'
import type { PastCode } from './past-code.ts'
import { type PastJob, readCurrent, type RunApart, withApart } from './run-apart.ts'

/** The two ends of a search. */
export interface BisectRange {
  readonly good: string
  readonly bad: string
}

/** The result of replaying the traces at a commit. */
type Tried = { readonly commit: Commit } & (
  | { readonly status: 'held' | 'not held'; readonly output: ReplayOutput }
  /** `why` is text for a terminal. */
  | { readonly status: 'could not run'; readonly why: string }
)

/**
 * Finds the commit at which traces of the current tree stopped holding, and returns its report with the result on top.
 *
 * @throws GoldenrunError `GOLDENRUN_PAST_CODE` if the traces do not hold at the good end, hold at the bad end, or cannot be replayed there.
 */
export async function bisect(
  { good, bad }: BisectRange,
  selected: readonly SelectedTrace[],
  job: PastJob,
  terminal: Terminal,
): Promise<ReplayOutput> {
  const repository = findRepository(process.cwd())
  const ends = { good: findCommit(repository, good), bad: findCommit(repository, bad) }
  if (!comesBefore(repository, ends.good, ends.bad))
    throw pastCodeError(
      `Cannot bisect: the good commit, ${nameCommit(ends.good)}, does not come before the bad one, ${nameCommit(ends.bad)}.`,
    )
  const traces = await readCurrent(selected)
  const [only, ...others] = traces.map(({ name }) => name)
  const names = only !== undefined && others.length === 0 ? only : `one of ${traces.length} traces`
  return await withApart(ends.good, traces, job, terminal, async (past, replay: RunApart<ReplayOutput>) => {
    const tried: Tried[] = []
    const tryCommit = async (commit: Commit): Promise<Tried> => {
      const found = await replayCommit(commit, past, replay)
      tried.push(found)
      terminal.printError(`${shortHash(commit.hash)} ${found.status.padEnd(13)}  ${commit.subject}`)
      return found
    }
    checkGood(await tryCommit(ends.good), names)
    let last = checkBad(await tryCommit(ends.bad), names)
    const goods = [ends.good.hash, ...branchesFromBefore(repository, ends)]
    const skipped = new Set<string>()
    for (let isFirst = true; ; isFirst = false) {
      const between = commitsBetween(repository, goods, last.commit)
      const next = between.find((hash) => !skipped.has(hash))
      if (next === undefined) return answer(names, last, inOrder(repository, between), tried)
      if (isFirst) terminal.printError(`About ${count(Math.ceil(Math.log2(between.length + 1)), 'commit')} to try.`)
      const found = await tryCommit(readCommit(repository, next))
      if (found.status === 'held') goods.push(next)
      else if (found.status === 'not held') last = found
      else skipped.add(next)
    }
  })
}

type Bad = Extract<Tried, { readonly output: ReplayOutput }>

async function replayCommit(commit: Commit, past: PastCode, replay: RunApart<ReplayOutput>): Promise<Tried> {
  try {
    await past.enter(commit)
    const output = await replay(nameCommit(commit))
    if (output.status === HELD) return { commit, status: 'held', output }
    if (output.status === DIVERGED) return { commit, status: 'not held', output }
    return { commit, status: 'could not run', why: output.text }
  } catch (error) {
    if (!GoldenrunError.isInstance(error)) throw error
    return { commit, status: 'could not run', why: error.message }
  }
}

function checkGood(tried: Tried, names: string): void {
  const where = `at the good commit, ${nameCommit(tried.commit)}.`
  if (tried.status === 'could not run') throw pastCodeError(`Cannot bisect: ${names} could not be replayed ${where}\n\n${tried.why}`)
  if (tried.status === 'not held')
    throw pastCodeError(`Cannot bisect: ${names} does not hold ${where} Name an earlier one.\n\n${tried.output.text}`)
}

function checkBad(tried: Tried, names: string): Bad {
  const where = `at the bad commit, ${nameCommit(tried.commit)}.`
  if (tried.status === 'could not run') throw pastCodeError(`Cannot bisect: ${names} could not be replayed ${where}\n\n${tried.why}`)
  if (tried.status === 'held') throw pastCodeError(`Cannot bisect: everything holds ${where} Name one at which it does not.`)
  return tried
}

/**
 * Returns the parents of merges that bring in code not built on the good commit. Such code may lack what a golden of that commit needs. These
 * branches are not searched: the merge stands for them.
 */
function branchesFromBefore(repository: string, { good, bad }: { readonly good: Commit; readonly bad: Commit }): string[] {
  const lines = git(repository, ['rev-list', '--parents', '--ancestry-path', `${good.hash}..${bad.hash}`]).split('\n')
  const commits = new Map(lines.filter((line) => line !== '').map((line) => [line.split(' ', 1)[0] ?? '', line.split(' ').slice(1)]))
  return [...new Set([...commits.values()].flat())].filter((parent) => !commits.has(parent))
}

/** Returns the commits after the good ones and before the bad one. First comes the commit that halves them best, as `git bisect` would choose it. */
function commitsBetween(repository: string, goods: readonly string[], bad: Commit): string[] {
  const lines = git(repository, ['rev-list', '--bisect-all', '--stdin'], [bad.hash, ...goods.map((hash) => `^${hash}`), ''].join('\n'))
  const hashes = lines.split('\n').map((line) => line.split(' ', 1)[0] ?? '')
  return hashes.filter((hash) => hash !== '' && hash !== bad.hash)
}

/** Sorts commits, each after its parents. */
function inOrder(repository: string, hashes: readonly string[]): Commit[] {
  if (hashes.length === 0) return []
  const sorted = git(repository, ['rev-list', '--no-walk=sorted', '--topo-order', '--reverse', '--stdin'], `${hashes.join('\n')}\n`)
  return sorted
    .split('\n')
    .filter((hash) => hash !== '')
    .map((hash) => readCommit(repository, hash))
}

function answer(names: string, last: Bad, skipped: readonly Commit[], tried: readonly Tried[]): ReplayOutput {
  const { commit, output } = last
  const candidates = [...skipped, commit]
  return {
    status: DIVERGED,
    text: `${toText(names, candidates)}\n\n${output.text}`,
    markdown: `${toMarkdown(names, candidates)}\n\n${output.markdown}`,
    json: {
      bisect: {
        ...(skipped.length === 0 && { first: commit }),
        candidates,
        tried: tried.map(({ commit: each, status }) => ({ ...each, status })),
      },
      ...output.json,
    },
  }
}

function toText(names: string, candidates: readonly Commit[]): string {
  const [first] = candidates
  if (first !== undefined && candidates.length === 1)
    return `${names} stopped holding with ${first.hash}\n  ${first.subject}\n  ${first.date}`
  return [
    `${names} stopped holding with one of ${candidates.length} commits, of which only the last can be replayed:`,
    ...candidates.map(({ hash, subject }) => `  ${hash} ${subject}`),
  ].join('\n')
}

function toMarkdown(names: string, candidates: readonly Commit[]): string {
  const [first] = candidates
  const shown = inlineCode(names)
  if (first !== undefined && candidates.length === 1) return `${shown} stopped holding with ${first.hash}: ${inlineCode(first.subject)}`
  return [
    `${shown} stopped holding with one of ${candidates.length} commits, of which only the last can be replayed:`,
    '',
    ...candidates.map(({ hash, subject }) => `- ${hash}: ${inlineCode(subject)}`),
  ].join('\n')
}
