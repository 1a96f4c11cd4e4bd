import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { knownOrMade } from '../../trace/remember.ts'
import { type HelperRange, helpersIn, isGenerated, isMinified } from './generated-code.ts'
import { frameFile, isOwnFile, isPackageFile } from '../../node/frame-file.ts'
import { orElse } from '../../trace/or-else.ts'

/** A script as V8 reports it. */
export interface ParsedScript {
  readonly scriptId: string
  readonly url: string
  readonly sourceMapURL?: string
}

/** A place in a script; lines and columns from 0, as V8 counts them. */
export interface ScriptPosition {
  readonly scriptId: string
  readonly lineNumber: number
  readonly columnNumber?: number | undefined
}

/** A place in a source; lines and columns from 1. */
export interface SourcePosition {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A part of a script, as V8 names scopes. */
export interface ScriptRange {
  readonly start: ScriptPosition
  readonly end: ScriptPosition
}

/** The scripts of a process, and the sources of their code by their source maps. */
export class SourcePositions {
  readonly #scripts = new Map<string, ParsedScript>()
  readonly #byFile = new Map<string, string>()
  /** The lines of files without a source map, and the helpers that a transpiler added to their scripts. */
  readonly #texts = new Map<
    string,
    { readonly source: string; readonly lines: readonly string[]; readonly helpers: readonly HelperRange[] }
  >()
  readonly #maps = new Map<string, LoadedMap | undefined>()

  add(script: ParsedScript): void {
    this.#scripts.set(script.scriptId, script)
    this.#byFile.set(frameFile(script.url) ?? script.url, script.scriptId)
  }

  /** Returns the script that was loaded last from a file, by the URL or path in a stack. */
  scriptOf(url: string): string | undefined {
    return this.#byFile.get(frameFile(url) ?? url)
  }

  urlOf({ scriptId }: Pick<ScriptPosition, 'scriptId'>): string {
    return this.#scripts.get(scriptId)?.url ?? ''
  }

  /** Whether a script's text is needed to distinguish the agent's code from code added by a transpiler. */
  needsText(position: Pick<ScriptPosition, 'scriptId'>): boolean {
    if (this.#texts.has(position.scriptId) || this.#mapOf(position) !== undefined) return false
    const file = frameFile(this.urlOf(position))
    return file !== undefined && !isOfGoldenrun(file) && !isPackageFile(file)
  }

  addText(scriptId: string, text: string): void {
    const file = frameFile(this.urlOf({ scriptId }))
    const source = file === undefined ? text : readText(file)
    this.#texts.set(scriptId, { source, lines: source.split('\n'), helpers: helpersIn(text, source) })
  }

  /** Whether a transpiler created a variable of a script. */
  isGenerated(scriptId: string, name: string): boolean {
    const text = this.#texts.get(scriptId)
    return text !== undefined && text.source !== '' && isGenerated(name, text.source)
  }

  /** Whether a place is in goldenrun's code. */
  isOfGoldenrun(position: Pick<ScriptPosition, 'scriptId'>): boolean {
    const file = frameFile(this.urlOf(position))
    return file !== undefined && isOfGoldenrun(file)
  }

  /** Whether a place is in the agent's own code: not in Node, goldenrun or a package, even if a bundle contains packages. */
  isOfAgent(position: ScriptPosition): boolean {
    const file = frameFile(this.urlOf(position))
    if (file === undefined || isOfGoldenrun(file) || isPackageFile(file) || this.#isHelper(position)) return false
    return this.#mapOf(position) === undefined || !isPackageFile(this.sourceOf(position)?.file ?? '/node_modules/')
  }

  /** Returns a place in the source; without a source map, the place in the script. Undefined for code that the source map leaves out. */
  sourceOf(position: ScriptPosition): SourcePosition | undefined {
    const { lineNumber, columnNumber = 0 } = position
    const map = this.#mapOf(position)
    const file = frameFile(this.urlOf(position))
    if (map === undefined) return file === undefined ? undefined : { file, line: lineNumber + 1, column: columnNumber + 1 }
    const entry = map.entryAt(lineNumber, columnNumber)
    if (entry === undefined) return undefined
    return { file: map.resolve(entry.originalSource), line: entry.originalLine + 1, column: entry.originalColumn + 1 }
  }

  /** Returns the source names of variables by their script names, where the source map of a part of the script has them. */
  namesIn({ start, end }: ScriptRange, names: readonly string[]): ReadonlyMap<string, string> {
    return this.#mapOf(start)?.namesIn(start, end, names) ?? new Map()
  }

  /** Returns the name of a function in the source, if its source map has it where the function begins. */
  functionName(position: ScriptPosition, name: string): string | undefined {
    const { lineNumber, columnNumber = 0 } = position
    return name === '' ? undefined : this.#mapOf(position)?.nameBefore(lineNumber, columnNumber, name)
  }

  /** Whether a position is the start of a script's outermost scope, in which a loader wraps its module. */
  isStart({ lineNumber, columnNumber = 0 }: ScriptPosition): boolean {
    return lineNumber === 0 && columnNumber < LONGEST_WRAPPER
  }

  /** Returns why the names and lines of a place may not be those of the source; undefined if they are. */
  problemAt(position: ScriptPosition): string | undefined {
    if (this.#mapOf(position) !== undefined) return undefined
    const named = this.#scripts.get(position.scriptId)?.sourceMapURL
    if (named) return `The source map ${named.slice(0, 80)} cannot be read: names and lines are those of the file that runs.`
    const line = this.#texts.get(position.scriptId)?.lines[position.lineNumber] ?? ''
    return isMinified(line) || (position.columnNumber ?? 0) > LONGEST_LINE
      ? 'The code is minified and has no source map: names and lines are those of the bundle.'
      : undefined
  }

  #isHelper({ scriptId, lineNumber, columnNumber = 0 }: ScriptPosition): boolean {
    const { helpers = [] } = this.#texts.get(scriptId) ?? {}
    return helpers.some(({ line, start, end }) => line === lineNumber && columnNumber >= start && columnNumber < end)
  }

  #mapOf({ scriptId }: Pick<ScriptPosition, 'scriptId'>): LoadedMap | undefined {
    if (!this.#maps.has(scriptId)) this.#maps.set(scriptId, loadMap(this.#scripts.get(scriptId)))
    return this.#maps.get(scriptId)
  }
}

function isOfGoldenrun(file: string): boolean {
  return isOwnFile(file) || isOwnSource(file)
}

/** Whether a file is a source of goldenrun next to the running build, as in a checkout. */
function isOwnSource(file: string): boolean {
  const root = /^(.*?)[\\/]src[\\/]/.exec(file)?.[1]
  if (root === undefined) return false
  const read = (): unknown => JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  return knownOrMade(ownRoots, root, () => orElse(() => (read() as { readonly name?: string }).name === 'goldenrun', false))
}

/** Returns an empty text if the file does not exist. */
function readText(file: string): string {
  return orElse(() => readFileSync(file, 'utf8'), '')
}

const ownRoots = new Map<string, boolean>()

/** `(async function (exports, require, module, …) {`, or shorter. */
const LONGEST_WRAPPER = 40

/** Hand-written lines are shorter. */
const LONGEST_LINE = 500

/** The most characters between a name and the function assigned to it. */
const LONGEST_ASSIGNMENT = 20

interface Entry {
  readonly generatedLine: number
  readonly generatedColumn: number
  readonly originalSource: string
  readonly originalLine: number
  readonly originalColumn: number
  readonly name?: string
}

/** A script's source map. */
class LoadedMap {
  readonly #map: SourceMap
  readonly #base: string
  readonly #lines: readonly string[]

  constructor(map: SourceMap, base: string, text: string) {
    ;[this.#map, this.#base, this.#lines] = [map, base, text.split('\n')]
  }

  entryAt(line: number, column: number): Entry | undefined {
    const entry = this.#map.findEntry(line, column) as Partial<Entry>
    // The entry is of another line: nothing on this line is mapped before the place.
    return entry.originalSource !== undefined && entry.generatedLine === line ? (entry as Entry) : undefined
  }

  /** Returns the name with which a function is declared: `function name(`, `name = (`, `name(` of a class. */
  nameBefore(line: number, column: number, name: string): string | undefined {
    const before = (this.#lines[line] ?? '').slice(0, column).lastIndexOf(name)
    if (before === -1 || column - before > name.length + LONGEST_ASSIGNMENT) return undefined
    const entry = this.entryAt(line, before)
    return entry?.generatedColumn === before && entry.name ? entry.name : undefined
  }

  resolve(source: string): string {
    if (source.startsWith('file:')) return fileURLToPath(source)
    return fileURLToPath(new URL(source.replaceAll('\\', '/'), this.#base))
  }

  /** A name that stands for several names of the source within the part stays as it is. */
  namesIn(start: ScriptPosition, end: ScriptPosition, names: readonly string[]): ReadonlyMap<string, string> {
    const found = new Map<string, Set<string>>()
    const wanted = new Set(names)
    for (let line = start.lineNumber; line <= end.lineNumber; line += 1) {
      const text = this.#lines[line] ?? ''
      const [from, to] = [
        line === start.lineNumber ? (start.columnNumber ?? 0) : 0,
        line === end.lineNumber ? (end.columnNumber ?? 0) : text.length,
      ]
      for (const { 0: word, index } of text.slice(from, to).matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)) {
        if (!wanted.has(word)) continue
        const entry = this.entryAt(line, from + index)
        if (entry?.generatedColumn !== from + index || !entry.name) continue
        found.set(word, (found.get(word) ?? new Set()).add(entry.name))
      }
    }
    return new Map(
      [...found].flatMap(([word, [name, ...others]]) => (name === undefined || others.length > 0 ? [] : [[word, name] as const])),
    )
  }
}

function loadMap(script: ParsedScript | undefined): LoadedMap | undefined {
  const file = script === undefined ? undefined : frameFile(script.url)
  if (file === undefined || !script?.sourceMapURL) return undefined
  try {
    const [, encoding, data] = /^data:application\/json[^,]*?(;base64)?,(.*)$/s.exec(script.sourceMapURL) ?? []
    const place = path.resolve(path.dirname(file), decodeURI(script.sourceMapURL))
    const text =
      data === undefined
        ? readFileSync(place, 'utf8')
        : encoding === undefined
          ? decodeURIComponent(data)
          : Buffer.from(data, 'base64').toString()
    const base = pathToFileURL(data === undefined ? place : file).href
    const payload = JSON.parse(text) as ConstructorParameters<typeof SourceMap>[0]
    return new LoadedMap(new SourceMap(payload), base, readFileSync(file, 'utf8'))
  } catch {
    // The source map is missing or invalid: the script itself is shown.
    return undefined
  }
}
