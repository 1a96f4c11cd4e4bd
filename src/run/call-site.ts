import { isAbsolute, relative, sep } from 'node:path'
import { beginningOfNow } from './async-stacks.ts'
import { frameFile, isOwnFile, isPackageFile } from '../node/frame-file.ts'
import { currentScope, runInScope } from './scope.ts'
import { captureStack, type Stack } from './stack.ts'

/** A line of the agent's code. */
export interface CallSite {
  /** A path relative to the working directory, or absolute outside of it. */
  readonly file: string
  readonly line: number
  readonly column: number
}

/**
 * Returns the line of the agent's code that a stack leads to: its first frame that is not goldenrun's, Node's, or a package's. If a package
 * acts on its own (a client that connects later), there is no line of the agent, and the package's first frame is used. Files in the working
 * directory are relative to it. Undefined if there is neither.
 */
export function callSite(stack: string | undefined): CallSite | undefined {
  let ofPackage: CallSite | undefined
  for (const line of stack?.split('\n') ?? []) {
    const frame = readFrame(line)
    if (frame === undefined || isOwnFile(frame.file)) continue
    if (!isPackageFile(frame.file)) return fromWorkingDirectory(frame)
    ofPackage ??= frame
  }
  return ofPackage && fromWorkingDirectory(ofPackage)
}

/** The position of the running code, from its stack. */
export interface Trail extends Partial<Pick<Stack, 'stack' | 'running'>> {
  /** The trail without asynchronous stacks. */
  readonly plain?: Trail
}

/**
 * Captures a trail to the agent's current position. With asynchronous stacks, it leads back through what started the running code, up to the
 * agent's own line.
 */
export function captureTrail(): Trail {
  const trail = captureStack()
  const before = beginningOfNow() ?? currentScope()?.begun
  return before === undefined ? trail : leadBack(trail, before)
}

/**
 * Returns a function to call later, whose calls lead back to the agent's code that runs now. If none of it runs, they lead back to where the running
 * code does.
 */
export function ledBack(body: () => void): () => void {
  const scope = currentScope()
  if (scope === undefined) return body
  const begun = captureStack()
  return begun.runsAgent ? () => runInScope({ ...scope, begun }, body) : body
}

/**
 * Returns the line that a trail leads to. It is certain if it is the agent's own innermost line, not one that awaits other code of the agent.
 */
export function siteOf({ stack, running, plain }: Trail): CallSite | undefined {
  const innermost = callSite(running)
  const site = isOfAgent(innermost) ? innermost : callSite(stack)
  if (site === undefined) return undefined
  if (stack !== undefined) stacks.set(site, stack)
  if (site === innermost) certain.add(site)
  if (plain !== undefined) {
    const plainly = siteOf(plain)
    plainSites.set(site, isOfAgent(plainly) ? plainly : undefined)
  }
  return site
}

/** Returns the agent's line that the site's trail would lead to without asynchronous stacks. */
export function plainSite(site: CallSite | undefined): CallSite | undefined {
  return site !== undefined && plainSites.has(site) ? plainSites.get(site) : site
}

/** Returns the stack that led to a line of the agent, if it is known. */
export function stackTo(site: CallSite): string | undefined {
  return stacks.get(site)
}

/** Returns whether a line is of the agent's code, and not of a package. */
export function isOfAgent(site: CallSite | undefined): site is CallSite {
  return site !== undefined && !isPackageFile(site.file)
}

/** Returns whether a line is the agent's own and certainly the innermost. */
export function isCertain(site: CallSite): boolean {
  return certain.has(site)
}

const certain = new WeakSet<CallSite>()
const plainSites = new WeakMap<CallSite, CallSite | undefined>()
const stacks = new WeakMap<CallSite, string>()

/** Prints a call site: `src/agent.ts:48:22`. */
export function printCallSite({ file, line, column }: CallSite): string {
  return `${file}:${line}:${column}`
}

function leadBack(plain: Stack, begun: Stack): Trail {
  const { running } = plain
  const stack = isOfAgent(callSite(running)) ? running : `${running}\n${begun.running}`
  return { stack, running: stack, plain }
}

/** V8's frames: `at name (place)`, `at async name (place)`, `at new Name (place)`, `at place`, `at async place`. */
const namedFrame = /^\s+at .*? \((.+):(\d+):(\d+)\)$/
const bareFrame = /^\s+at (?:async )?(.+):(\d+):(\d+)$/

/** Reads a line of a stack. The file is an absolute path. */
export function readFrame(line: string): CallSite | undefined {
  const [, place, row, column] = namedFrame.exec(line) ?? bareFrame.exec(line) ?? []
  const file = place === undefined ? undefined : frameFile(place)
  return file === undefined ? undefined : { file, line: Number(row), column: Number(column) }
}

/** The same place, with its file relative to the working directory if it is in it. */
export function fromWorkingDirectory(site: CallSite): CallSite {
  const inside = relative(process.cwd(), site.file)
  return inside.startsWith('..') || isAbsolute(inside) ? site : { ...site, file: inside.split(sep).join('/') }
}
