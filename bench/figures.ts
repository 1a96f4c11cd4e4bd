/** One figure of a suite. */
export interface Metric {
  readonly value: number
  /** `x` for a ratio. */
  readonly unit: string
  /** What was measured beside it, with its own figure. */
  readonly against?: string
  /** The value that is to be reached. */
  readonly goal?: number
  /** Whether the goal is a least or a most. Default: `less`, as of costs. */
  readonly better?: 'more' | 'less'
  /** What is held against the goal in the value's place: what that is at the worst, with 95 %. Default: the value. */
  readonly bound?: number
}

/** Metrics by name. */
export type Metrics = Readonly<Record<string, Metric>>

/** Why a metric is not there, by its name. */
export type Absences = Readonly<Record<string, string>>

/** What a suite measured. */
export interface Measured {
  readonly metrics: Metrics
  /** Default: nothing is absent. */
  readonly absences?: Absences
  /** A table of its own beneath the metrics, its head first. Default: none. */
  readonly rows?: readonly (readonly string[])[]
  /** What else has to be said, a line each. Default: nothing. */
  readonly remarks?: readonly string[]
}

/** What a suite comes to. */
export interface Figures extends Measured {
  readonly suite: string
  /** The version of Node that it ran on. */
  readonly node: string
  readonly cores: number
}

/** How a suite is run. */
export interface SuiteOptions {
  /** Everything once, and as small as it can be: whether the suite works at all. Its figures say nothing. */
  readonly quick: boolean
  /** What takes many minutes, too. */
  readonly long: boolean
  /** Of the suite `record`: the parts to measure, by words in their names. Default: all but the profile. */
  readonly only?: string | undefined
}

/** Measures a suite's metrics. What it has to say on the way goes to `note`. */
export type Suite = (note: (line: string) => void, options: SuiteOptions) => Promise<Measured>

/** The figures as a table that a person reads. */
export function formatFigures(figures: Figures): string {
  const { rows = [], remarks = [] } = figures
  const parts = [[`${figures.suite}, ${describeMachine(figures)}`], align(toTable(figures)), align(rows), remarks]
  return parts.flatMap((lines, index) => (lines.length === 0 ? [] : index === 0 ? lines : ['', ...lines])).join('\n')
}

function align(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_cell, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  // What stands in the last column may be long: it sets no width.
  return table.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

/** The rows of a table of figures, the first of them its head. */
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

/** What the figures were taken on, as far as it may matter to them. */
export function describeMachine({ node, cores }: Figures): string {
  return `Node ${node}, ${cores} cores`
}

/** Three digits that say something; whole numbers above a hundred. */
function formatValue(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}
