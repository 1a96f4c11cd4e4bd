import path from 'node:path'
import { createGoldenDirectory, type GoldenDirectory } from '../../stores/golden-directory.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { parseJson } from '../../trace/json.ts'
import type { Trace } from '../../trace/trace.ts'
import { goldensBeside } from './golden-files.ts'
import { isTraceFile, withSlashes } from './locate-trace.ts'
import { readTrace } from './read-trace.ts'

/** A golden of a conversation, and its file. */
export interface ConversationGolden {
  readonly name: string
  readonly file: string
  readonly trace: Trace
}

/**
 * The last golden of a conversation that is named by its folder: `refund-talk` for `refund-talk/1` and `refund-talk/2`. Undefined if the
 * name belongs to a golden, or to no conversation.
 *
 * @throws GoldenrunError `GOLDENRUN_CONVERSATION` if it ends in several goldens.
 */
export async function findConversation(wanted: string): Promise<string | undefined> {
  if (isTraceFile(wanted)) return undefined
  const folder = withSlashes(wanted)
  const goldens = createGoldenDirectory()
  const inFolder = (await goldens.list()).filter((name) => `/${path.posix.dirname(name)}`.endsWith(`/${folder}`))
  if (inFolder.length === 0 || (await goldens.find(folder)).length > 0) return undefined
  const followed = await readFollowed(goldens, inFolder)
  if (followed.length === 0) return undefined
  const ends = followed.filter(({ name }) => !followed.some(({ follows }) => follows === name))
  const [end, ...others] = ends
  if (end === undefined || others.length === 0) return end?.name
  throw new GoldenrunError(
    'GOLDENRUN_CONVERSATION',
    `"${wanted}" ends in ${ends.length} goldens: ${ends.map(({ name }) => name).join(', ')}. Name the one you mean.`,
  )
}

/** The goldens of the conversation that a golden belongs to, each after the one that it follows; only the golden itself if it belongs to none. */
export async function readConversation(trace: Trace, file: string): Promise<ConversationGolden[]> {
  const goldens = goldensBeside(trace)
  const own = { name: trace.header.golden?.name ?? trace.header.id, file: path.resolve(file), trace }
  const followed = await readFollowed(goldens, await goldens.list())
  let first = own.name
  const seen = new Set<string>()
  for (let before: string | undefined = first; before !== undefined && !seen.has(before);) {
    seen.add(before)
    first = before
    before = followed.find(({ name }) => name === first)?.follows
  }
  const names = inOrder(first, followed)
  if (names.length < 2) return [own]
  const read = async (name: string): Promise<ConversationGolden> => {
    const at = goldens.fileOf(name)
    return { name, file: at, trace: await readTrace(at) }
  }
  return await Promise.all(names.map(read))
}

interface Followed {
  readonly name: string
  readonly follows: string
}

/** The goldens that another of these goldens follows. */
async function readFollowed(goldens: GoldenDirectory, names: readonly string[]): Promise<Followed[]> {
  const read = names.map(async (name) => {
    const follows = followsOf((await goldens.read(name))?.text ?? '')
    return follows === undefined ? [] : [{ name, follows }]
  })
  return (await Promise.all(read)).flat()
}

/** The name of the golden that a golden follows, read from its text. A damaged golden is reported by its own test. */
function followsOf(text: string): string | undefined {
  const [line = ''] = text.split('\n', 1)
  if (!line.includes('"follows":')) return undefined
  const { golden } = (parseJson(line) ?? {}) as { readonly golden?: { readonly follows?: unknown } }
  return typeof golden?.follows === 'string' ? golden.follows : undefined
}

function inOrder(first: string, followed: readonly Followed[], seen: readonly string[] = []): string[] {
  if (seen.includes(first)) return []
  const next = followed.filter(({ follows }) => follows === first)
  return [first, ...next.flatMap(({ name }) => inOrder(name, followed, [...seen, first]))]
}
