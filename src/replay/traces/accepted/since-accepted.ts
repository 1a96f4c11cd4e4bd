import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { SinceAccepted, VersionChange } from '../../../divergence/report/tell-since-accepted.ts'
import type { Trace } from '../../../trace/trace.ts'
import { isInWorkspace } from '../../../stores/workspace.ts'
import { goldensBeside } from '../golden-files.ts'
import { acceptedFile, placeFrom } from './accepted-file.ts'
import { type AcceptedRow, parseRows } from './accepted-rows.ts'
import { digestOfFile, digestOfFolder } from './digest-of-file.ts'
import { installedVersions } from './installed-packages.ts'
import { patchFiles } from './patch-files.ts'

/** Set in a process that replays with the code of a commit: the files beside the goldens are not that code. */
export const PAST_CODE = 'GOLDENRUN_OF_COMMIT'

/**
 * Compares what a golden's agent is made of now with what its accepted runs were made of.
 *
 * @returns Undefined if that is not known: the trace is no golden, or the golden has not been accepted, or was changed since.
 */
export function sinceAccepted({ header }: Pick<Trace, 'header'>): SinceAccepted | undefined {
  if (header.golden === undefined || process.env[PAST_CODE] !== undefined) return undefined
  const { directory, fileOf } = goldensBeside({ header })
  const rows = readRows(directory, acceptedFile(directory, header.agent))
  if (rows.length === 0) return undefined
  const golden = fileOf(header.golden.name)
  const place = placeFrom(directory, golden)
  if (!rows.some((row) => row.kind === 'golden' && row.name === place && row.value === digestOfFile(golden))) return undefined
  const project = path.dirname(directory)
  const named = (...kinds: readonly AcceptedRow['kind'][]): AcceptedRow[] => rows.filter(({ kind }) => kinds.includes(kind))
  // The file comes with a pull request: it must not make this process read what is not the project's.
  const isOwn = (row: AcceptedRow): boolean => isInWorkspace(project, path.resolve(project, row.name))
  const known = named('module', 'config', 'text', 'patch', 'folder', 'missing').filter(isOwn)
  const changed = known.filter((row) => valueNow(row, path.resolve(project, row.name)) !== row.value)
  const added = patchFiles(project)
    .map((file) => placeFrom(directory, file))
    .filter((file) => !known.some((row) => row.name === file))
  return {
    files: [...changed.map((row) => row.name), ...added],
    versions: [...versionChanges(named('package'), project), ...named('node').flatMap(nodeChange)],
    notCompared: named('not-compared').map((row) => row.name),
  }
}

function valueNow({ kind }: AcceptedRow, file: string): string | undefined {
  if (kind === 'missing') return existsSync(file) ? undefined : '-'
  return kind === 'folder' ? digestOfFolder(file) : digestOfFile(file)
}

function readRows(directory: string, file: string): AcceptedRow[] {
  if (!isInWorkspace(path.dirname(directory), file)) return []
  try {
    return parseRows(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
}

function versionChanges(rows: readonly AcceptedRow[], project: string): VersionChange[] {
  return [...Map.groupBy(rows, ({ name }) => name)].flatMap(([name, each]) => {
    const missing = each.filter(({ value }) => !installedVersions(project, name, value).includes(value))
    const [first] = missing
    if (first === undefined) return []
    const known = new Set(each.map(({ value }) => value))
    const others = installedVersions(project, name, first.value).filter((version) => !known.has(version))
    return [{ name, from: missing.map(({ value }) => value).join(', '), to: others.join(', ') }]
  })
}

function nodeChange({ value }: AcceptedRow): VersionChange[] {
  const { node } = process.versions
  return value === node ? [] : [{ name: 'Node', from: value, to: node }]
}
