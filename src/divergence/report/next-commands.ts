import type { Check, RunRow } from '../../trace/run-row.ts'

/** The commands that a report may suggest. Each works as printed, in the folder where the report is read. */
export interface NextCommands {
  /** The command that runs a package's command: `npx`, `pnpm exec`. */
  readonly exec: string
  /** Accepts changed inputs, outcome and checkpoints into the golden. Absent if that is not possible here. */
  readonly rebase?: string
  /** Runs the agent live and replaces the golden with that run. Absent if that is not possible here. */
  readonly record?: string
  /** Promotes a recording of this agent with the same input that is newer than the golden. Absent if there is none. */
  readonly promote?: string
  /** Where the reader sets options of the replay: in the config for golden files and commands. Default: in the code that calls `replay`. */
  readonly optionsIn?: 'config'
  /** Stops in a debugger in the agent, where it diverges. Absent if no config names the agent. */
  readonly debug?: string
}

/** A goldenrun command in the form in which it is run where the report is read. */
export function goldenrunCommand(commands: NextCommands | undefined, rest: string): string {
  return `${commands?.exec ?? 'npx'} goldenrun ${rest}`
}

/** An option of `promote`, and its value. */
export type PromoteOption = readonly [flag: `--${string}`, value: string]

/** The goldenrun command that promotes the recording of an incident golden again, with its current options and additional ones. */
export function promoteIncidentAgain({ golden, id }: RunRow, ...more: readonly PromoteOption[]): string {
  const expected = golden?.expect.replay === 'departs' ? golden.expect : undefined
  const added = new Set(more.map(([flag]) => flag))
  const kept: readonly PromoteOption[] = [
    ...optionFor('--describe', golden?.description),
    ...optionFor('--expect', golden?.expectedOutcome),
    ['--incident', String(expected?.at ?? '<step>')],
    ...optionFor('--trigger', expected?.trigger),
    ...(expected?.answers === undefined ? [] : ([['--answers', 'answers.json']] as const)),
    ...(expected?.checks ?? []).map((check): PromoteOption => ['--check', printCheck(check, JSON.stringify)]),
    ...(expected?.allowWrites ?? []).map((name): PromoteOption => ['--allow-write', name]),
    ...Object.keys(expected?.tools ?? {}).map((name): PromoteOption => ['--run-tool', name]),
  ]
  const isKept = ([flag]: PromoteOption): boolean => repeatable.has(flag) || !added.has(flag)
  const options = [...kept.filter(isKept), ...more].map(([flag, value]) => `${flag} ${quoteForShell(value)}`)
  return `promote ${quoteForShell(golden?.promotedFrom ?? id)} --name ${quoteForShell(golden?.name ?? 'name')} ${options.join(' ')} --force`
}

const repeatable: ReadonlySet<string> = new Set(['--check', '--allow-write', '--run-tool'])

function optionFor(flag: PromoteOption[0], value: string | number | undefined): readonly PromoteOption[] {
  return value === undefined ? [] : [[flag, String(value)]]
}

/** A check as it is called. With its arguments as JSON, `--check` accepts it. */
export function printCheck({ matcher, args = [], not }: Check, print: (arg: unknown) => string): string {
  return `${not === true ? 'not.' : ''}${matcher}(${args.map((arg) => print(arg)).join(', ')})`
}

/** A text as one word of a command, in single quotes if a POSIX shell would interpret one of its characters. */
export function quoteForShell(text: string): string {
  return /^[\w./:@=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
