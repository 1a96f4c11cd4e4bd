import { table } from '../table.ts'
import { modes } from './modes.ts'
import { openReads } from './open-reads.ts'
import type { Found } from './reads-trial.ts'

/** What came of one mode on one version of Node. */
export interface ReadsResult {
  readonly mode: string
  /** As `process.version` gives it. */
  readonly node: string
  readonly found: Found
}

/** A probe in a mode. */
interface Cell {
  readonly mode: string
  readonly kind: string
  readonly probe: string
}

/** What is open without an explanation, and what is explained and not open: one line each. */
export function unexplainedReads(results: readonly ReadsResult[]): string[] {
  const open = new Set<string>()
  const lines: string[] = []
  for (const { mode, node, found } of results) {
    for (const [kind, probes] of Object.entries(found)) {
      for (const [probe, isHeld] of Object.entries(probes)) {
        if (isHeld) continue
        open.add(keyOf({ mode, kind, probe }))
        if (reasonOf({ mode, kind, probe }) === undefined)
          lines.push(`${mode}, ${node}, ${kind}, ${probe}: the replay did not give what was recorded`)
      }
    }
  }
  const tried = new Set(results.map(({ mode }) => mode))
  const stale = explained().filter((cell) => tried.has(cell.mode) && !open.has(keyOf(cell)))
  return [
    ...lines,
    ...stale.map(({ mode, kind, probe }) => `${mode}, ${kind}, ${probe}: it is held, so its explanation is to be taken out`),
  ]
}

/** The part of the page about clocks, chance and ids. */
export function writeReadsSection(results: readonly ReadsResult[]): string {
  const cells = results.flatMap(({ found }) => Object.values(found).flatMap((probes) => Object.values(probes)))
  return `## Clocks, chance and ids

A cell is one probe in a module that has taken hold of what it reads when it loaded: it is recorded and replayed. ${cells.filter(Boolean).length} of ${cells.length}
give the recorded value again: \`yes\` where that is so on all of ${[...new Set(results.map(({ node }) => node))].toSorted().join(', ')}, and however the module came in
(Vitest: as a module of the project, and as a package). A number stands for the reason below why a cell is open. A probe that begins with "wait" is a timer.

${modes.map(({ name, what }) => `- **${name}**: ${what}`).join('\n')}

### ES modules

${probeTable(results, ['modules', 'packages'])}

### CommonJS

${probeTable(results, ['commonJs'])}

### What is open, and why

${openReads.map(({ why, modes: names }, index) => `${index + 1}. ${names.join(', ')}: ${why}`).join('\n')}
`
}

function probeTable(results: readonly ReadsResult[], kinds: readonly string[]): string {
  const probes = [...new Set(results.flatMap(({ found }) => kinds.flatMap((kind) => Object.keys(found[kind] ?? {}))))]
  const rows = probes.map((probe) => [probe, ...modes.map(({ name: mode }) => cellText(results, { mode, kinds, probe }))])
  return table(['probe', ...modes.map(({ name }) => name)], rows)
}

function cellText(
  results: readonly ReadsResult[],
  { mode, kinds, probe }: { mode: string; kinds: readonly string[]; probe: string },
): string {
  const all = results
    .filter((result) => result.mode === mode)
    .flatMap(({ node, found }) =>
      kinds.flatMap((kind) => {
        const isHeld = found[kind]?.[probe]
        return isHeld === undefined ? [] : [{ node, kind, isHeld }]
      }),
    )
  if (all.length === 0) return ''
  const open = all.filter(({ isHeld }) => !isHeld)
  if (open.length === 0) return 'yes'
  const reasons = [...new Set(open.map(({ kind }) => reasonOf({ mode, kind, probe }) ?? '?'))].join(', ')
  const nodes = [...new Set(open.map(({ node }) => node))].toSorted()
  return open.length === all.length ? `no (${reasons})` : `no on ${nodes.join(', ')} (${reasons})`
}

/** The number of the explanation that a cell has. */
function reasonOf(cell: Cell): number | undefined {
  const index = openReads.findIndex(({ modes: names, probes }) => {
    return names.includes(cell.mode) && (probes[cell.kind as keyof typeof probes] ?? []).includes(cell.probe)
  })
  return index === -1 ? undefined : index + 1
}

function explained(): Cell[] {
  return openReads.flatMap(({ modes: names, probes }) =>
    names.flatMap((mode) => Object.entries(probes).flatMap(([kind, list]) => list.map((probe) => ({ mode, kind, probe })))),
  )
}

function keyOf({ mode, kind, probe }: Cell): string {
  return `${mode}\n${kind}\n${probe}`
}
