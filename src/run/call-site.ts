import { isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A line of the agent's code. */
export interface CallSite {
  /** A path from the working directory, or absolute outside of it. */
  readonly file: string
  readonly line: number
  readonly column: number
}

/**
 * The line of the agent's code that a stack leads to: its first frame that is not goldenrun's, Node's, or a package's. Where a package does
 * something of its own accord (a client that connects later), no line of the agent's leads there: then it is the package's first frame. A file
 * in the working directory is named from there. Undefined when there is neither.
 */
export function callSite(stack: string | undefined): CallSite | undefined {
  let ofPackage: CallSite | undefined
  for (const line of stack?.split('\n') ?? []) {
    const frame = readFrame(line)
    if (frame === undefined || isOwn(frame.file)) continue
    if (!isOfPackage(frame.file)) return fromWorkingDirectory(frame)
    ofPackage ??= frame
  }
  return ofPackage && fromWorkingDirectory(ofPackage)
}

/** An error whose stack tells where the agent is: below that lie a client's own frames, so more are kept than Node keeps by default. */
export function captureTrail(): Error {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 40
  const trail = new Error('call')
  Error.stackTraceLimit = limit
  return trail
}

/** A call site as it is written: `src/agent.ts:48:22`. */
export function printCallSite({ file, line, column }: CallSite): string {
  return `${file}:${line}:${column}`
}

/** The directory of goldenrun's own files: `src/` here, `dist/` in a package, however the build lays out its files. */
const ownDirectory = /^.*[\\/](?:src|dist)[\\/]/.exec(fileURLToPath(import.meta.url))?.[0]

/** V8's frames: `at name (place)`, `at async name (place)`, `at new Name (place)`, `at place`, `at async place`. */
const namedFrame = /^\s+at .*? \((.+):(\d+):(\d+)\)$/
const bareFrame = /^\s+at (?:async )?(.+):(\d+):(\d+)$/

function readFrame(line: string): CallSite | undefined {
  const [, place, row, column] = namedFrame.exec(line) ?? bareFrame.exec(line) ?? []
  const file = place === undefined ? undefined : toFile(place)
  return file === undefined ? undefined : { file, line: Number(row), column: Number(column) }
}

/** Vite puts a query behind the names of modules that it loaded again. */
function toFile(place: string): string | undefined {
  const bare = place.replace(/\?[^\\/]*$/, '')
  if (bare.startsWith('file:')) return toPath(bare)
  return isAbsolute(bare) ? bare : undefined
}

function toPath(url: string): string | undefined {
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}

function isOwn(file: string): boolean {
  return ownDirectory !== undefined && file.startsWith(ownDirectory)
}

function isOfPackage(file: string): boolean {
  return /[\\/]node_modules[\\/]/.test(file)
}

function fromWorkingDirectory(site: CallSite): CallSite {
  const inside = relative(process.cwd(), site.file)
  return inside.startsWith('..') || isAbsolute(inside) ? site : { ...site, file: inside.split(sep).join('/') }
}
