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

/**
 * Returns the lines of a changed agent that a report may name: the lines of the change, and those that make the calls around the declared
 * step. Found in the text of its files, not by a stack.
 */
export function ownLines(folder: string, edits: readonly SourceEdit[], calls: readonly SeenCall[], step: number, kind: string): string[] {
  const around =
    kind === 'missing' || kind === 'order' ? calls.slice(Math.max(0, step - 1), step + 2) : [calls[Math.max(0, step - 1)], calls[step]]
  const patterns = around.flatMap((call) => (call === undefined ? [] : patternsOf(call.name)))
  if (kind === 'missing') patterns.push(END)
  return filesOf(folder).flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8')
    const changed = edits.filter((edit) => edit.file === file).map(({ to }) => rangeOf(text, to))
    return text.split('\n').flatMap((line, index) => {
      const isChanged = changed.some(([from, to]) => index >= from && index <= to)
      return isChanged || patterns.some((pattern) => pattern.test(line)) ? [`${path.basename(file)}:${index + 1}`] : []
    })
  })
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
