import { statSync } from 'node:fs'
import path from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import { loadConfig } from '../config/load-config.ts'
import { type ComparedPageRun, pageOfComparisons, pageOfRun, type PageOptions, type PageRun } from '../goldens/pages/to-page.ts'
import { pageName } from '../goldens/pages/page-name.ts'
import { PAGES } from '../goldens/pages/pages-folder.ts'
import { writePage } from '../goldens/pages/write-page.ts'
import { compareRuns } from '../replay/compare/compare-runs.ts'
import { readStoredTrace } from '../replay/traces/read-trace.ts'
import type { StoredTrace, TraceStore } from '../stores/trace-store.ts'
import type { ForkRequest, PageData } from '../viewer/page-data.ts'
import { forkWithAnswer } from './fork.ts'
import { locateListed, locateRun, RUN_ARGUMENT } from './read-run.ts'
import { addFilters, type FilterOptions, limitOption, toQuery } from './run-filters.ts'
import { jsonOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { diverted, type Terminal } from './terminal.ts'
import { formatBytes } from './units.ts'
import { openInBrowser } from './view/open-in-browser.ts'
import { pageVariables } from './view/page-variables.ts'

const EXAMPLES = `
Examples:
  $ npx goldenrun view latest
  $ npx goldenrun view refund-twice --out refund-twice.html
  $ npx goldenrun view refund-twice latest
  $ npx goldenrun view --serve --agent support --since 24h`

/** `goldenrun view [run…]` */
export function addViewCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('view')
    .argument('[run...]', `${RUN_ARGUMENT}; further runs are compared with the first`)
    .summary('look at a run in the browser')
    .description(
      'Writes a run as one HTML file and opens it, if the output is a terminal: a timeline, the steps, what each said and did, and the state. The ' +
        'page makes no request. With several runs, it shows where the others differ from the first.',
    )
    .option('--out <file>', 'the file to write (default: .goldenrun/pages/<run>.html)')
    .option('--variables', "also show the agent's variables at each step, which are read by replaying the run")
    .option('--no-open', 'do not open the page')
    .option('--serve', 'serve pages on this machine until Ctrl-C, with a list of runs; they reload when a run changes')
    .option('--port <port>', 'with --serve: the port (default: any that is free)', parsePort)
    .addOption(storeOption())
  addFilters(command)
    .addOption(limitOption())
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (runs: readonly string[], options: ViewOptions) => {
      if (runs.length === 0 && options.serve !== true) command.error('error: name a run, or use --serve')
      const store = await storeOf(options.store)
      if (options.serve === true) return await serve(runs, store, options, terminal)
      const read = async (name: string): Promise<StoredTrace> => await locateRun(name, store)
      const page = await diverted(terminal, async () => await readPage(runs, read, undefined, options.variables))
      const names = page.runs.map(({ name }) => name)
      const file = path.resolve(options.out ?? path.join(PAGES, pageName(names)))
      const shown = writePage('.', file, page, names.join(', '))
      const bytes = statSync(file).size
      if (options.json === true) return terminal.printJson({ file, bytes })
      terminal.print(`Wrote ${shown} (${formatBytes(bytes)}).`)
      if (options.open && terminal.isTerminal && !(await openInBrowser(file))) terminal.print('Open it in a browser.')
    })
}

interface ViewOptions extends StoreOptions, FilterOptions {
  readonly out?: string
  readonly serve?: true
  readonly port?: number
  readonly variables?: true
  /** False with `--no-open`. */
  readonly open: boolean
}

async function serve(runs: readonly string[], store: string | TraceStore, options: ViewOptions, terminal: Terminal): Promise<void> {
  // An address can only open runs of the list and runs that the user named on the command line, and no other file.
  const read = async (name: string): Promise<StoredTrace> =>
    runs.includes(name) ? await locateRun(name, store) : await locateListed(name, store)
  const readRuns = async (names: readonly string[], list?: string): Promise<PageData> => await readPage(names, read, list)
  const forkRun = async (run: string, { step, answer }: ForkRequest): Promise<string> =>
    await diverted(terminal, async () => await forkWithAnswer(await readStoredTrace(await read(run)), step, answer, store))
  const { serveViews } = await import('./view/serve-views.ts')
  const served = await serveViews({ store, query: toQuery(options), port: options.port ?? 0, readRuns, forkRun })
  const address = runs.length === 0 ? served.address : served.addressOf(runs)
  if (options.json === true) terminal.printJson({ address })
  else terminal.print(`${address}\nTo stop: Ctrl-C.`)
  if (options.open && terminal.isTerminal) await openInBrowser(address)
  await new Promise<void>((resolve) => void process.once('SIGINT', resolve))
  await served.close()
}

/** Reads the data of a page about runs. The runs after the first are compared with it. */
async function readPage(
  [first = '', ...others]: readonly string[],
  read: (name: string) => Promise<StoredTrace>,
  list?: string,
  hasVariables: boolean = false,
): Promise<PageData> {
  const { config } = await loadConfig()
  const options: PageOptions = {
    ...(config.prices && { prices: config.prices }),
    ...(list !== undefined && { list, forks: `${list}fork/${encodeURIComponent(first)}` }),
  }
  const run = await readPageRun(await read(first), hasVariables)
  if (others.length === 0) return pageOfRun(run, options)
  const compared: ComparedPageRun[] = []
  for (const name of others) {
    const other = await readPageRun(await read(name))
    compared.push({ ...other, comparison: await compareRuns(run.trace, other.trace) })
  }
  return pageOfComparisons(run, compared, options)
}

async function readPageRun(located: StoredTrace, hasVariables = false): Promise<PageRun> {
  const { trace, flags } = await readStoredTrace(located)
  return { trace, flags, text: located.text, ...(hasVariables && { variables: await pageVariables(located) }) }
}

function parsePort(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new InvalidArgumentError('It has to be a number from 0 to 65535.')
}
