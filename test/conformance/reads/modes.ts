/** How a program that reads clocks and draws is run. */
export interface Mode {
  readonly name: string
  /** What that means, for the page. */
  readonly what: string
  /** Whether Vitest runs it, in which pool, and by which configuration of `project/`. */
  readonly vitest?: { readonly pool: string; readonly config: 'setup' | 'preload' }
  /** Node's own arguments, and the program's, where Node runs it. */
  readonly node?: { readonly preload: boolean; readonly late: boolean }
  /** One of the few that CI runs on every version of Node. */
  readonly core?: true
}

const pools = ['forks', 'threads', 'vmForks', 'vmThreads'] as const

/** All modes, in the order of the table's columns. */
export const modes: readonly Mode[] = [
  { name: 'node, early', what: 'modules loaded before goldenrun', node: { preload: false, late: false }, core: true },
  { name: 'node, late', what: 'modules loaded after a recorder was made', node: { preload: false, late: true }, core: true },
  {
    name: '--import',
    what: '`node --import goldenrun/register`, modules loaded before a recorder was made',
    node: { preload: true, late: false },
    core: true,
  },
  ...pools.map((pool): Mode => ({
    name: pool,
    what: `Vitest's pool, with \`goldenrun/register\` as a setup file`,
    vitest: { pool, config: 'setup' },
  })),
  ...pools
    .filter((pool) => pool.startsWith('vm'))
    .map((pool): Mode => ({ name: `${pool}, --import`, what: 'the same, with `execArgv` beside it', vitest: { pool, config: 'preload' } })),
]
