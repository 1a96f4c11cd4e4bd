import type { ChildProcess } from 'node:child_process'
import { builtins } from '../../node/builtins.ts'
import { processWide } from '../../node/process-wide.ts'
import { isJsonObject } from '../../trace/json.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import type { Contact } from './contact.ts'
import { failToSpawn, type SpawnOptions } from './fail-to-spawn.ts'
import { claimSocket, isAttended, markOpened } from './known-sockets.ts'
import { contactFunction, isFree, makeContact, type Refusal, throwRefusal } from './make-contact.ts'
import path from 'node:path'
import { realProcess } from '../../node/real-process.ts'

type Spawn = (this: ChildProcess, options: SpawnOptions) => unknown
type Run = (...args: never[]) => unknown

/**
 * Child processes. `spawn`, `exec`, `execFile` and `fork` all come to `ChildProcess.prototype.spawn`, however they were imported. The
 * synchronous ones have no common method, so each of them is replaced.
 */
export function childProcessDoor(): Restore {
  const { ChildProcess } = builtins.childProcess
  const prototype = ChildProcess.prototype as ChildProcess & { spawn: Spawn }
  meetChildren(ChildProcess)
  return combine(
    replaceProperty(prototype, 'spawn', spawnDoor),
    replaceProperty(builtins.childProcess, 'spawnSync', (original) => waitingDoor(original, programOf, failedResult)),
    replaceProperty(builtins.childProcess, 'execFileSync', (original) => waitingDoor(original, programOf, throwRefusal)),
    replaceProperty(builtins.childProcess, 'execSync', (original) =>
      waitingDoor(original, ([command]) => commandOfShell(String(command)), throwRefusal),
    ),
  )
}

function spawnDoor(original: Spawn): Spawn {
  return function spawn(options) {
    const contact = contactOf(options)
    return makeContact(
      () => contact,
      () => {
        const status = original.call(this, options)
        claimStreams(this, contact)
        openChannel(this, contact)
        return status
      },
      (refusal) => failToSpawn(this, (silent) => original.call(this, silent), options, refusal),
    )
  }
}

/** What is written to a child later belongs to the same contact. There are no streams if spawning failed. */
function claimStreams({ stdio }: { readonly stdio?: ChildProcess['stdio'] }, contact: Contact): void {
  for (const stream of stdio ?? []) if (stream !== null && stream !== undefined && !markOpened(stream)) claimSocket(stream, contact)
}

/** Children that were forked before any door was open. */
function meetChildren(Child: typeof ChildProcess): void {
  const { _getActiveHandles: handles } = realProcess() as { readonly _getActiveHandles?: () => unknown[] }
  for (const handle of handles?.() ?? [])
    if (handle instanceof Child) openChannel(handle, { door: 'child process', host: programName(handle.spawnfile) })
}

// Of all copies of the package, and of each time that the doors are opened, the first meets a child.
const met = processWide('met-children', () => new WeakSet<ChildProcess>())

/** A child that was forked has a way to be sent messages, of its own. */
function openChannel(child: ChildProcess, contact: Contact): void {
  if (met.has(child) || typeof Object.getOwnPropertyDescriptor(child, 'send')?.value !== 'function') return
  met.add(child)
  if (!markOpened(child)) claimSocket(child, contact)
  replaceProperty(child, 'send', (original) => {
    return function send(this: ChildProcess, ...args: Parameters<typeof original>) {
      const go = (): boolean => Reflect.apply(original, this, args)
      if (isFree() || isAttended(child)) return go()
      return makeContact(
        () => contact,
        go,
        ({ error, later }) => {
          const callback = args.at(-1)
          later(() => (typeof callback === 'function' ? Reflect.apply(callback, undefined, [error]) : child.emit('error', error)))
          return false
        },
      )
    } as typeof original
  })
}

function waitingDoor<Original extends Run>(
  original: Original,
  nameOf: (args: readonly unknown[]) => string,
  refuse: (refusal: Refusal) => unknown,
): Original {
  return contactFunction(original, (args) => ({ door: 'child process', host: nameOf(args) }), refuse)
}

function contactOf({ file, args }: SpawnOptions): Contact {
  const list: readonly unknown[] = Array.isArray(args) ? args : []
  // A shell gets its command as the last argument: `sh -c command`, `cmd.exe /d /s /c command`.
  const isShell = /^[-/]c$/.test(String(list.at(-2)))
  return { door: 'child process', host: isShell ? commandOfShell(String(list.at(-1))) : programName(String(file)) }
}

/** `spawnSync(file[, args][, options])`; with the option `shell` the file is a command. */
function programOf(args: readonly unknown[]): string {
  const options = args.slice(1).find((argument) => isJsonObject(argument))
  const isShell = options !== undefined && Boolean(Reflect.get(options, 'shell'))
  return isShell ? commandOfShell(String(args[0])) : programName(String(args[0]))
}

/** The result of `spawnSync` for a command that could not be run. */
function failedResult({ error }: Refusal): object {
  return { pid: 0, output: null, stdout: undefined, stderr: undefined, status: null, signal: null, error }
}

/** `process.execve`, which replaces this process with another program. Not on Windows, and not before Node 22.15. */
export function execDoor(): Restore {
  // In Jest's sandboxes the global `process` is a copy.
  const homes = new Set<Executing>([process, realProcess()])
  return combine(...[...homes].map((home) => (home.execve === undefined ? () => undefined : openDoor(home as Required<Executing>))))
}

interface Executing {
  readonly execve?: (...args: never[]) => never
}

function openDoor(home: Required<Executing>): Restore {
  return replaceProperty(home as { execve: (...args: unknown[]) => never }, 'execve', (original) => {
    return function execve(...args) {
      return makeContact(
        () => ({ door: 'child process', host: programName(String(args[0])) }),
        () => Reflect.apply(original, process, args),
        throwRefusal,
      )
    }
  })
}

/** The name of a program, without its folder. */
export function programName(file: string): string {
  return path.basename(file)
}

/** The program that a shell's command begins with. Its arguments, and variables set before it, are left out: they may hold secrets. */
export function commandOfShell(command: string): string {
  const [, double, single, bare] = programAtStart.exec(command.trimStart().replace(variables, '')) ?? []
  return programName(double ?? single ?? bare ?? 'shell')
}

/** `NAME=value` and `NAME="a value"`, any number of times. */
const variables = /^(?:\w+=(?:"[^"]*"|'[^']*'|[^\s"'])*(?:\s+|$))+/
const programAtStart = /^(?:"([^"]+)"|'([^']+)'|([^\s"';|&]+))/
