import type { RunPlace } from './run-place.ts'

/** A stack in an input, state or outcome whose frames differ from the recorded ones. Only its name and message were compared. */
export interface DifferingStack {
  readonly place: RunPlace
  /** Where in the input, state or outcome, as reports write it: `messages[1].content`. */
  readonly path: string
  /** The recorded frames, without `at`. */
  readonly expected: readonly string[]
  /** The frames in the replay. */
  readonly received: readonly string[]
}

/**
 * A text without the frames of V8's stacks: of each stack, its first line is left. The text may be JSON, which may contain JSON in turn.
 *
 * Frames differ between two machines (folders, line numbers of a bundle), two versions of Node, and production and a test.
 */
export function withoutFrames(text: string): string {
  return text.includes(' at ') ? text.replaceAll(frames, '') : text
}

/** The frames of all stacks of a text, in order. */
export function framesIn(text: string): string[] {
  if (!text.includes(' at ')) return []
  return [...text.matchAll(frames)].flatMap(([found]) =>
    found.split(/\r?\n|\\+r\\+n|\\+n/).flatMap((line) => /^ +at (.+)$/.exec(line)?.[1] ?? []),
  )
}

const location = String.raw`(?::\d+:\d+\)?|<anonymous>\)?|\((?:native|index \d+)\)|native)`
const lineEnd = String.raw`(?=\s*\{?(?:\\*"|\r?\n|\\+r|\\+n|$))`
const frame = String.raw`at (?:(?!(?<!\\)\k<break>)[^\n"])*?${location}${lineEnd}`
/** What `util.inspect` prints in place of frames that it prints elsewhere. */
const omitted = String.raw`\.\.\. \d+ lines matching cause stack trace \.\.\.`
const line = ` +(?:${frame}|${omitted})`

/**
 * One or more lines of the form `    at name (file:line:column)`. Line breaks may be escaped, by as many backslashes as there are layers of
 * JSON, but by equally many within a stack, which tells them from the backslashes of paths. Source of the forms: V8, "Stack trace API".
 */
const frames = new RegExp(String.raw`(?<break>\r?\n|(?<!\\)(?:\\+r)?\\+n)${line}(?:\k<break>${line})*`, 'g')
