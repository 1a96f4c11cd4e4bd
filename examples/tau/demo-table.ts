import type { Exchange } from '../world/exchange.ts'

/** A run that was replayed, as the table shows it. */
export interface ReplayedTauRun {
  readonly name: string
  readonly steps: number
  readonly toolCalls: number
  readonly wireBytes: number
  readonly goldenBytes: number
  readonly replayMs: number
  /** `held`, or what differs first. */
  readonly verdict: string
}

const COLUMNS = ['run', 'steps', 'tool calls', 'on the wire', 'golden', 'replay', 'verdict'] as const

const WIDTHS = [24, 7, 12, 13, 10, 10] as const

/** The first lines of the table. */
export const HEADING: string = `${formatCells(COLUMNS)}\n${'─'.repeat(WIDTHS.reduce((sum, width) => sum + width, 0) + 9)}`

/** A line of the table: one run, or several added up. */
export function formatRow(runs: readonly ReplayedTauRun[], name: string = runs[0]?.name ?? ''): string {
  const sum = sumOf(runs)
  return formatCells([
    name,
    String(sum.steps),
    String(sum.toolCalls),
    formatBytes(sum.wireBytes),
    formatBytes(sum.goldenBytes),
    `${sum.replayMs.toFixed(1)} ms`,
    [...new Set(runs.map(({ verdict }) => verdict))].join(', '),
  ])
}

/** The last line: what it all came to. */
export function formatSummary(runs: readonly ReplayedTauRun[], connections: number): string {
  const held = runs.filter(({ verdict }) => verdict === 'held').length
  const { steps, toolCalls, wireBytes, goldenBytes, replayMs } = sumOf(runs)
  return [
    `${held} of ${runs.length} real runs replay without divergence: ${steps} steps, ${toolCalls} tool calls answered without running a tool,`,
    `${connections} connections opened, ${formatBytes(wireBytes)} on the wire in ${formatBytes(goldenBytes)} of goldens, ${(replayMs / 1000).toFixed(1)} s of replay.`,
  ].join(' ')
}

/** The bytes of the request and answer bodies that a provider saw. */
export function countBytes(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((sum, { bytes, sent }) => sum + bytes.length + sent.reduce((answer, piece) => answer + piece.length, 0), 0)
}

function sumOf(runs: readonly ReplayedTauRun[]): Omit<ReplayedTauRun, 'name' | 'verdict'> {
  const sum = (of: (run: ReplayedTauRun) => number): number => runs.reduce((total, run) => total + of(run), 0)
  return {
    steps: sum((run) => run.steps),
    toolCalls: sum((run) => run.toolCalls),
    wireBytes: sum((run) => run.wireBytes),
    goldenBytes: sum((run) => run.goldenBytes),
    replayMs: sum((run) => run.replayMs),
  }
}

/** The first cell starts its column, the last follows it, those between end theirs. */
function formatCells(cells: readonly string[]): string {
  return cells
    .map((cell, index) => {
      const width = WIDTHS[index]
      if (width === undefined) return `  ${cell}`
      return index === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    .join('')
}

function formatBytes(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
