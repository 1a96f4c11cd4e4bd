import { checkConversation } from '../replay/goldens/promotion/check-conversation.ts'
import { PromoteError } from '../replay/goldens/promotion/promote-error.ts'
import { displayPath } from '../node/display-path.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import type { Trace } from '../trace/trace.ts'

/** A run to promote, and the name of its golden. */
export interface PromotionPlace {
  readonly trace: Trace
  readonly name: string
  /** The name of the previous golden in its conversation. */
  readonly follows?: string
  readonly isLast: boolean
}

/**
 * Returns the names of the goldens of some runs. A single run gets the given name. The runs of a conversation get numbers in a folder of that name.
 *
 * @throws PromoteError `GOLDENRUN_PROMOTE_CONVERSATION` if the runs cannot belong to one conversation, or other goldens are in the folder.
 */
export async function placesOf(
  traces: readonly Trace[],
  { name, follows }: { readonly name: string; readonly follows?: string },
): Promise<PromotionPlace[]> {
  const [first] = traces
  if (first === undefined) return []
  if (traces.length === 1) return [{ trace: first, name, ...(follows !== undefined && { follows }), isLast: true }]
  checkConversation(traces)
  const nameOf = (index: number): string => `${name}/${index + 1}`
  const names = traces.map((_, index) => nameOf(index))
  await checkFolder(first, name, names)
  return traces.map((trace, index): PromotionPlace => {
    const before = index === 0 ? follows : nameOf(index - 1)
    return { trace, name: nameOf(index), ...(before !== undefined && { follows: before }), isLast: index === traces.length - 1 }
  })
}

async function checkFolder({ header }: Trace, name: string, names: readonly string[]): Promise<void> {
  const goldens = createGoldenDirectory()
  const others = (await goldens.list()).filter((other) => other === name || (other.startsWith(`${name}/`) && !names.includes(other)))
  if (others.length === 0) return
  throw new PromoteError('GOLDENRUN_PROMOTE_CONVERSATION', {
    trace: header.id,
    problem: `"${name}" would match more than the goldens of this conversation: ${others.map((other) => displayPath(goldens.fileOf(other))).join(', ')}.`,
    advice: 'Choose another name, or delete those goldens.',
  })
}
