/** One figure of a suite. */
export interface Metric {
  readonly value: number
  /** `x` for a ratio. */
  readonly unit: string
  /** What was measured beside it, with its own figure. */
  readonly against?: string
  /** The value that is to be reached; for a ratio of costs, at most. */
  readonly goal?: number
}

/** What a suite comes to. */
export interface Figures {
  readonly suite: string
  /** The version of Node that it ran on. */
  readonly node: string
  readonly cores: number
  readonly metrics: Readonly<Record<string, Metric>>
}

/** Measures a suite's metrics. What it has to say on the way goes to `note`. */
export type Suite = (note: (line: string) => void) => Promise<Readonly<Record<string, Metric>>>

/** The figures as a table that a person reads. */
export function formatFigures({ suite, node, cores, metrics }: Figures): string {
  const rows = Object.entries(metrics).map(([name, { value, unit, goal, against }]) => [
    name,
    `${formatValue(value)} ${unit}`,
    goal === undefined ? '' : `${value <= goal ? 'reaches' : 'misses'} ${formatValue(goal)}`,
    against ?? '',
  ])
  const table = [['metric', 'value', 'goal', 'against'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [`${suite}, Node ${node}, ${cores} cores`, '', ...lines].join('\n')
}

/** Three digits that say something; whole numbers above a hundred. */
function formatValue(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}
