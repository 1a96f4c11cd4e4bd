import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { SeenCall } from '../world/world-log.ts'
import type { SourceEdit } from '../mutations/mutation.ts'

/** How the bench's agents ask a model, in any of their files. */
const MODEL = /\.create\(|\.stream\(|(?:generate|stream)Text\(|\bask\(|\bdecide\(|textStream/

/** How they send a request. */
const REQUEST = /\bfetch\(|\bgetPage\(|\bbank\(|visitAccount\(|\bask\('/

/** How they run a tool that a model chose. */
const CHOSEN = /\brun\(|\bact\(|\bexecute\b|workspace\.run|(?:generate|stream)Text\(/

/** Where a run ends: a call that is left out may be told where the agent went on. */
const END = /\breturn\b|\bbreak\b/

/** Where a time limit is set. */
const LIMIT = /\bsetTimeout\(|\btimeout\b|Promise\.race/

/**
 * Returns the lines of a changed agent that a report may name: the lines of the change and those that use what it defines; those that make the calls
 * around the declared step, and for a call that is left out, the last one before it and any later one, where the agent went on; for a time limit, where
 * it is set. Found in the text of its files, not by a stack.
 */
export function ownLines(folder: string, edits: readonly SourceEdit[], calls: readonly SeenCall[], step: number, kind: string): string[] {
  const around = kind === 'missing' ? calls.slice(Math.max(0, step - 2)) : calls.slice(Math.max(0, step - 1), step + 2)
  const patterns = around.flatMap(({ name }) => patternsOf(name))
  if (kind === 'missing') patterns.push(END)
  if (kind === 'limit') patterns.push(LIMIT)
  for (const { to } of edits) patterns.push(...namesIn(to).map((name) => new RegExp(`\\b${name}\\b`)))
  return filesOf(folder).flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8')
    const changed = edits.filter((edit) => edit.file === file).map(({ to }) => rangeOf(text, to))
    return text.split('\n').flatMap((line, index) => {
      const isChanged = changed.some(([from, to]) => index >= from && index <= to)
      return isChanged || patterns.some((pattern) => pattern.test(line)) ? [`${path.basename(file)}:${index + 1}`] : []
    })
  })
}

/** The names that a line of a config defines: constants, and flags of an object. */
function namesIn(text: string): string[] {
  const flags = [...text.matchAll(/\b(\w+): (?:true|false)\b/g)].map(([, name = '']) => `FLAGS\\.${name}`)
  return [...flags, ...[...text.matchAll(/\b[A-Z][A-Z_]{3,}\b/g)].map(([name]) => name)]
}

function patternsOf(name: string): RegExp[] {
  if (name === 'model') return [MODEL]
  if (name.includes(' ')) return [REQUEST]
  const camel = name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
  const [first = '', second = ''] = name.split('_')
  return [new RegExp(`\\b(?:${camel}|${first}|${second === '' ? first : second}|hear)\\(`), CHOSEN]
}

/** The files of an agent, and the one that all agents share. */
function filesOf(folder: string): string[] {
  return [...readdirSync(folder).filter((file) => file.endsWith('.ts')), '../account.ts']
}

/** The lines, from 0, of a text that an edit put in. */
function rangeOf(text: string, put: string): [from: number, to: number] {
  const at = text.indexOf(put)
  const from = text.slice(0, at).split('\n').length - 1
  return [from, from + put.split('\n').length]
}
