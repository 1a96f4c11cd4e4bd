import { writeFile } from 'node:fs/promises'
import { Option, type Command } from 'commander'
import { writing } from '../node/write-failure.ts'
import { readStoredTrace } from '../replay/traces/read-trace.ts'
import { findChanges } from '../travel/inspect/find-variable.ts'
import { type InspectOptions, inspectStored } from '../travel/inspect/inspect.ts'
import { omitUndefined } from '../trace/json.ts'
import { parseStep } from './incident-options.ts'
import { formatChanges, formatInspected } from './inspect/format-inspected.ts'
import { withProgress } from './progress.ts'
import { locateRun, RUN_ARGUMENT } from './read-run.ts'
import { jsonOption, type StoreOptions, storeOf, storeOption } from './shared-options.ts'
import { checkSteps } from './steps-option.ts'
import type { Terminal } from './terminal.ts'

const EXAMPLES = `
Examples:
  $ npx goldenrun inspect refund-twice --at 7
  $ npx goldenrun inspect latest --find order.status
  $ npx goldenrun inspect latest --json --out variables.json

Exit status: 0 printed, 2 the run could not be inspected.`

/** `goldenrun inspect <run>` */
export function addInspectCommand(program: Command, terminal: Terminal): void {
  program
    .command('inspect')
    .argument('<run>', RUN_ARGUMENT)
    .summary("print the agent's variables at every step of a run")
    .description(
      "Replays a run with the agent of goldenrun.config.ts in a process of its own, and prints the agent's variables before and after each call. None of " +
        'the agent’s code is run to read them. Values are redacted as the recording is, and values of environment variables are masked.',
    )
    .addOption(new Option('--at <step>', 'only this step').argParser(parseStep))
    .option('--find <path>', 'print where a variable changes: order.status, messages[0].role')
    .addOption(new Option('--tools <mode>', "whether the functions of tools run (default: the config's, or stub)").choices(['stub', 'run']))
    .option('--out <file>', 'write the output to a file')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (run: string, options: InspectCommandOptions) => {
      const printed = await inspectRun(run, options, terminal)
      if (options.out === undefined) terminal.print(printed)
      else await writeOut(options.out, `${printed}\n`)
    })
}

async function writeOut(file: string, text: string): Promise<void> {
  await writing(file, () => writeFile(file, text))
}

interface InspectCommandOptions extends StoreOptions, Pick<InspectOptions, 'at' | 'tools'> {
  readonly find?: string
  readonly out?: string
}

async function inspectRun(run: string, { at, find, tools, store, json }: InspectCommandOptions, terminal: Terminal): Promise<string> {
  const stored = await locateRun(run, await storeOf(store))
  if (at !== undefined) checkSteps((await readStoredTrace(stored)).trace, { from: at, to: at })
  const inspected = await withProgress(terminal, async (progress) => {
    progress.tell(`Inspecting ${stored.file}`)
    return await inspectStored(stored, omitUndefined({ at, tools }))
  })
  if (find !== undefined) {
    const changes = findChanges(inspected, find)
    return json === true ? toJson({ find, changes }) : formatChanges(find, changes, terminal).join('\n')
  }
  return json === true ? toJson(inspected) : formatInspected(inspected, terminal).join('\n')
}

function toJson(value: object): string {
  return JSON.stringify(value, undefined, 2)
}
