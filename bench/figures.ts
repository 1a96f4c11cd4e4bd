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

/** Metrics by name. */
export type Metrics = Readonly<Record<string, Metric>>

/** Why a metric is not there, by its name. */
export type Absences = Readonly<Record<string, string>>

/** What a suite measured. */
export interface Measured {
  readonly metrics: Metrics
  /** Default: nothing is absent. */
  readonly absences?: Absences
}

/** What a suite comes to. */
export interface Figures {
  readonly suite: string
  /** The version of Node that it ran on. */
  readonly node: string
  readonly cores: number
  readonly metrics: Metrics
  /** Left out where nothing is absent. */
  readonly absences?: Absences
}

/** How a suite is run. */
export interface SuiteOptions {
  /** Everything once, and as small as it can be: whether the suite works at all. Its figures say nothing. */
  readonly quick: boolean
}

/** Measures a suite's metrics. What it has to say on the way goes to `note`. */
export type Suite = (note: (line: string) => void, options: SuiteOptions) => Promise<Measured>

/** The figures as a table that a person reads. */
export function formatFigures(figures: Figures): string {
  const table = toTable(figures)
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [`${figures.suite}, ${describeMachine(figures)}`, '', ...lines].join('\n')
}

/** The rows of a table of figures, the first of them its head. */
export function toTable({ metrics, absences = {} }: Figures): string[][] {
  return [
    ['metric', 'value', 'goal', 'against'],
    ...Object.entries(metrics).map(([name, { value, unit, goal, against }]) => [
      name,
      `${formatValue(value)} ${unit}`,
      goal === undefined ? '' : `${value <= goal ? 'reaches' : 'misses'} ${formatValue(goal)}`,
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
