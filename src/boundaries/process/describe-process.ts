import { isMachineVariable } from '../environment/machine-variables.ts'
import { optionsOf } from './limited-exec.ts'
import { commandOfShell, programName } from './program-name.ts'
import path from 'node:path'
import { orElse } from '../../trace/or-else.ts'

/** The options of a child process, as parsed by Node. Source: Node, lib/child_process.js, normalizeSpawnArguments. */
export interface SpawnOptions {
  readonly file?: unknown
  /** The first argument is the program's own name. */
  readonly args?: unknown
  readonly cwd?: unknown
  readonly stdio?: unknown
  /** `NAME=value` */
  readonly envPairs?: unknown
  readonly detached?: unknown
  readonly uid?: unknown
  readonly gid?: unknown
  /** In milliseconds. */
  readonly timeout?: unknown
}

/** A child process as a step: its name, and what is compared. */
export interface DescribedProcess {
  /** The name in contacts and `live`: `git`. */
  readonly program: string
  /** `process git` */
  readonly name: string
  readonly input: ProcessInput
}

/** The input of a child process. Paths within the agent's working directory are relative to it. */
export interface ProcessInput {
  readonly args?: readonly string[]
  /** In place of `args`: the command that a shell runs. */
  readonly command?: string
  readonly cwd?: string
  /** Variables that the agent's own process lacks or has with different values. */
  readonly env?: Readonly<Record<string, string>>
  /** For a synchronous call: its standard input. */
  readonly stdin?: unknown
  /** For a synchronous call: its number among the run's synchronous calls. They cannot run concurrently, so their order counts. */
  readonly sync?: number
  /** Set if the shell is not one of Node's default shells. */
  readonly shell?: string
  /** Set if not all streams are pipes. */
  readonly stdio?: readonly string[]
  readonly detached?: true
  readonly uid?: number
  readonly gid?: number
}

/** Describes a process that `spawn`, `exec`, `execFile` or `fork` starts. */
export function describeProcess(options: SpawnOptions): DescribedProcess {
  const { file, args, cwd, envPairs } = options
  const [, ...list] = Array.isArray(args) ? args.map(String) : []
  // A shell gets its command as the last argument: `sh -c command`, `cmd.exe /d /s /c command`.
  const shell = programName(String(file))
  const isShell = shells.test(shell) && /^(?:-c|\/d \/s \/c|-Command)$/i.test(list.slice(0, -1).join(' '))
  const command = isShell ? unquoted(list.at(-1) ?? '') : undefined
  const described = toProcess({ file: String(file), args: list, command, cwd, env: readPairs(envPairs) })
  const { input } = described
  return { ...described, input: { ...input, ...(isShell && !usualShells.test(shell) ? { shell } : {}), ...ownOptionsOf(options) } }
}

const shells = /^(?:(?:ba|da|z|k|a|fi)?sh|cmd\.exe|powershell(?:\.exe)?|pwsh(?:\.exe)?)$/i

/** Node's default shells. */
const usualShells = /^(?:sh|cmd\.exe)$/i

/** Returns other options that matter to the process, where they differ from the defaults. */
function ownOptionsOf({ stdio, detached, uid, gid }: SpawnOptions): Pick<ProcessInput, 'stdio' | 'detached' | 'uid' | 'gid'> {
  const kinds = (Array.isArray(stdio) ? (stdio as readonly unknown[]) : []).map(kindOf)
  return {
    ...(kinds.some((kind) => kind !== 'pipe') ? { stdio: kinds } : {}),
    ...(detached === true ? { detached } : {}),
    ...(typeof uid === 'number' ? { uid } : {}),
    ...(typeof gid === 'number' ? { gid } : {}),
  }
}

function kindOf(kind: unknown): string {
  if (kind === undefined || kind === null || kind === 'overlapped') return 'pipe'
  return typeof kind === 'string' ? kind : typeof kind === 'number' ? `fd${kind}` : 'stream'
}

/**
 * Describes a process that a synchronous function starts: `execSync(command)`, `spawnSync(file[, args][, options])`.
 *
 * @param sync How many synchronous processes the run has started, including this one.
 */
export function describeSyncProcess(args: readonly unknown[], isCommand: boolean, sync: number): DescribedProcess {
  const { shell, cwd, env, input } = optionsOf(args)
  const list = Array.isArray(args[1]) ? args[1].map(String) : []
  const isShell = isCommand || (shell !== undefined && shell !== false && shell !== '')
  const command = isShell ? [String(args[0]), ...list].join(' ') : undefined
  const described = toProcess({ file: String(args[0]), args: list, command, cwd, env: (env ?? {}) as Record<string, string | undefined> })
  const stdin = input === undefined || input === null ? {} : { stdin: typeof input === 'string' ? input : Buffer.from(input as Uint8Array) }
  return { ...described, input: { ...described.input, ...stdin, sync } }
}

function toProcess(process: {
  readonly file: string
  readonly args: readonly string[]
  readonly command: string | undefined
  readonly cwd: unknown
  readonly env: Readonly<Record<string, string | undefined>>
}): DescribedProcess {
  const { file, args, command, cwd } = process
  const program = command === undefined ? programName(file) : commandOfShell(command)
  const env = ownVariables(process.env)
  const folder = cwd === undefined || cwd === null ? undefined : relativePath(cwd instanceof URL ? cwd.pathname : (cwd as string))
  return {
    program,
    name: `process ${program}`,
    input: {
      ...(command === undefined ? { args: args.map(relativePath) } : { command: relativePath(command) }),
      ...(folder === undefined || folder === '.' ? {} : { cwd: folder }),
      ...(Object.keys(env).length === 0 ? {} : { env }),
    },
  }
}

/** On Windows, Node quotes a shell's command. */
function unquoted(command: string): string {
  return process.platform === 'win32' && command.startsWith('"') && command.endsWith('"') ? command.slice(1, -1) : command
}

/** A project's path differs between machines. */
function relativePath(text: string): string {
  // The working directory may have been removed.
  const here = orElse(() => process.cwd(), undefined)
  if (here === undefined || here === path.parse(here).root) return text
  return text === here ? '.' : text.replaceAll(here + path.sep, '')
}

function readPairs(pairs: unknown): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const pair of Array.isArray(pairs) ? pairs.map(String) : []) {
    const at = pair.indexOf('=', 1)
    if (at > 0) variables[pair.slice(0, at)] = pair.slice(at + 1)
  }
  return variables
}

/** Sorts variables, because their order has no meaning. */
function ownVariables(variables: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const own = Object.entries(variables).filter(
    ([name, value]) => value !== undefined && value !== process.env[name] && !isMachineVariable(name) && !isAddedByNode(name),
  )
  return Object.fromEntries(own.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, value]) => [name, value ?? '']))
}

/** Whether Node itself sets a variable, to pass a channel to a child. Source: Node, lib/child_process.js. */
function isAddedByNode(name: string): boolean {
  return name === 'NODE_CHANNEL_FD' || name === 'NODE_CHANNEL_SERIALIZATION_MODE'
}
