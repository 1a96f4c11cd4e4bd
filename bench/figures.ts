/** One figure of a suite. */
export interface Metric {
  readonly value: number
  /** `x` for a ratio. */
  readonly unit: string
  /** The thing that it is compared with, including that thing's own figure. */
  readonly against?: string
  /** The target value. */
  readonly goal?: number
  /** Whether more or less than the goal is better. Default: `less`, as for costs. */
  readonly better?: 'more' | 'less'
  /** The value to compare with the goal: the worst case of the metric with 95 % confidence. Default: the value. */
  readonly bound?: number
}

/** Metrics by name. */
export type Metrics = Readonly<Record<string, Metric>>

/** Why a metric is missing, by its name. */
export type Absences = Readonly<Record<string, string>>

/** The measurements of a suite. */
export interface Measured {
  readonly metrics: Metrics
  /** Default: nothing is absent. */
  readonly absences?: Absences
  /** A table of its own below the metrics, header first. Default: none. */
  readonly rows?: readonly (readonly string[])[]
  /** Further remarks, one per line. Default: none. */
  readonly remarks?: readonly string[]
}

/** The result of a suite. */
export interface Figures extends Measured {
  readonly suite: string
  /** The version of Node that it ran on. */
  readonly node: string
  readonly cores: number
}

/** How a suite is run. */
export interface SuiteOptions {
  /** Everything once, and as small as possible, to see whether the suite works at all. Its figures mean nothing. */
  readonly quick: boolean
  /** Includes what takes many minutes. */
  readonly long: boolean
  /** For the suite `record`: the parts to measure, by words in their names. Default: all except the profile. */
  readonly only?: string | undefined
}

/** Measures a suite's metrics. Reports progress to `note`. */
export type Suite = (note: (line: string) => void, options: SuiteOptions) => Promise<Measured>

/** Formats the figures as a table for people. */
export function formatFigures(figures: Figures): string {
  const { rows = [], remarks = [] } = figures
  const parts = [[`${figures.suite}, ${describeMachine(figures)}`], align(toTable(figures)), align(rows), remarks]
  return parts.flatMap((lines, index) => (lines.length === 0 ? [] : index === 0 ? lines : ['', ...lines])).join('\n')
}

function align(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_cell, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  // The last column may be long, so it sets no width.
  return table.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

/** Returns the rows of a table of figures, header first. */
export function toTable({ metrics, absences = {} }: Figures): string[][] {
  return [
    ['metric', 'value', 'goal', 'against'],
    ...Object.entries(metrics).map(([name, { value, unit, goal, better, bound = value, against }]) => [
      name,
      `${formatValue(value)} ${unit}`,
      goal === undefined ? '' : `${(better === 'more' ? bound >= goal : bound <= goal) ? 'reaches' : 'misses'} ${formatValue(goal)}`,
      against ?? '',
    ]),
    ...Object.entries(absences).map(([name, reason]) => [name, 'not measured', '', reason]),
  ]
}

/** Describes the machine of the measurement, as far as it may matter to the figures. */
export function describeMachine({ node, cores }: Figures): string {
  return `Node ${node}, ${cores} cores`
}

/** Formats a value with three significant digits; above a hundred, as a whole number. */
function formatValue(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}
