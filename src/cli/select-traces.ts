import { ownCommand } from '../stores/package-manager.ts'
import path from 'node:path'
import { TraceNotFoundError } from '../replay/traces/trace-not-found-error.ts'
import { findConversation } from '../replay/traces/conversation.ts'
import { withSlashes } from '../replay/traces/locate-trace.ts'
import { nearestNames } from '../replay/traces/nearest-names.ts'
import { displayPath } from '../node/display-path.ts'
import { createGoldenDirectory, type GoldenDirectory } from '../stores/golden-directory.ts'
import { isGoldenPattern, matchGoldens } from '../stores/golden-pattern.ts'
import type { StoredTrace, TraceStore } from '../stores/trace-store.ts'
import { locateRun } from './read-run.ts'

/** A trace that a command's arguments name. */
export interface SelectedTrace {
  /** The name of a trace that has not been read yet: a golden's name, or the argument. */
  readonly name: string
  /** The absolute path of its file, if it differs from the path in messages. */
  readonly origin?: string
  /** Finds it. `file` is the file's name in messages. */
  locate(): Promise<StoredTrace>
}

/**
 * Selects the traces that arguments name: everything that `readRun` accepts, and patterns of golden traces by name or file. Without arguments,
 * selects all golden traces.
 *
 * @throws TraceNotFoundError if a pattern matches nothing, or there are no golden traces.
 */
export async function selectTraces(runs: readonly string[], store: string | TraceStore): Promise<SelectedTrace[]> {
  const goldens = createGoldenDirectory()
  const selected = new Map<string, SelectedTrace>()
  for (const run of runs.length === 0 ? ['**'] : runs) {
    // A conversation is named by its folder.
    const pattern = isGoldenPattern(run) ? run : (await findConversation(run)) === undefined ? undefined : `${withSlashes(run)}/*`
    const names = pattern === undefined ? await goldens.find(run) : await matching(pattern, goldens)
    // The reader refuses ambiguous names.
    const isGolden = pattern !== undefined || names.length === 1
    for (const name of isGolden ? names : [run]) {
      const file = isGolden ? goldens.fileOf(name) : path.resolve(name)
      if (!selected.has(file)) selected.set(file, { name, locate: isGolden ? () => locateRun(file, store) : await located(name, store) })
    }
  }
  return [...selected.values()]
}

/** Reads a recording at once: its store may be on a network, which a replay cannot reach. */
async function located(name: string, store: string | TraceStore): Promise<SelectedTrace['locate']> {
  const reading = locateRun(name, store)
  await Promise.allSettled([reading])
  return () => reading
}

async function matching(pattern: string, goldens: GoldenDirectory): Promise<readonly string[]> {
  const names = await goldens.list()
  const files = new Map(names.map((name) => [displayPath(goldens.fileOf(name)), name]))
  const matchingFiles = await matchGoldens(pattern.replace(/^\.\//, ''), [...files.keys()])
  const byFile = matchingFiles.flatMap((file) => files.get(file) ?? [])
  const found = [...new Set([...(await matchGoldens(pattern, names)), ...byFile])]
  if (found.length > 0) return found
  const place = displayPath(goldens.directory)
  throw new TraceNotFoundError({
    wanted: pattern,
    nearest: nearestNames(pattern, names),
    problem: names.length === 0 ? `There is no golden trace in ${place}.` : `No golden trace in ${place} matches "${pattern}".`,
    advice: names.length === 0 ? `Make one: ${ownCommand('promote latest --name <name>')}` : `To see all traces: ${ownCommand('list')}`,
  })
}
