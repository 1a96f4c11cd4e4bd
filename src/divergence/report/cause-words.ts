import type { Divergence, InputPart } from '../divergence.ts'

/** What diverged and why: `step 4 (unexpected call)`. Of an outcome and a checkpoint the one says the other. */
export function describeDivergence(divergence: Divergence): string {
  const { subject, cause } = wordsOf(divergence)
  return `${subject}${cause}`
}

/** The same as a sentence: `step 4 diverged (unexpected call)`. */
export function tellDivergence(divergence: Divergence): string {
  const { subject, cause } = wordsOf(divergence)
  return `${subject} diverged${cause}`
}

/** What happened, in a sentence. */
export function explain(divergence: Divergence): string {
  const { parts, expected, received } = divergence
  switch (divergence.cause) {
    case 'input':
      if (parts.length === 1 && parts[0] === 'environment') return today
      return `The agent made this call with ${listOf(parts.map((part) => otherParts[part]))} than the recorded run did.`
    case 'unexpected-call':
      return 'The agent made a call that the recorded run did not make.'
    case 'missing-call':
      return 'The recorded run made this call, the agent did not.'
    case 'order':
      return 'The agent made its calls in another order than the recorded run did.'
    case 'outcome':
      return isNever(received)
        ? 'The agent waits for something that never comes, so it does not end.'
        : 'The agent ended otherwise than the recorded run did.'
    case 'checkpoint':
      if (expected === undefined) return 'The agent reached a checkpoint that the recorded run did not reach.'
      if (received === undefined) return 'The recorded run reached this checkpoint, the agent did not.'
      return 'The agent reached this checkpoint with another state than the recorded run did.'
    case 'model-drift':
      return 'The agent asked another model than the recorded run did.'
    case 'unrecorded-contact':
      return 'The agent reached the outside world past every boundary, where the trace has no answer.'
    case 'nondeterminism':
      return 'Two replays of the same trace differ.'
  }
}

/** What a date is that no replay can set back. */
const today =
  'The agent sent the real date, not the recorded one: a module took it when it was loaded, before any run. Take it inside the run.'

/** Whether an outcome is that the agent waits for ever. */
export function isNever(outcome: unknown): boolean {
  return typeof outcome === 'object' && outcome !== null && 'never' in outcome
}

/** The cause and its parts, in words: `input: system prompt`. */
function causeLabel({ cause, parts }: Divergence): string {
  const label = cause.replaceAll('-', ' ')
  return parts.length === 0 || cause !== 'input' ? label : `${label}: ${parts.map((part) => part.replaceAll('-', ' ')).join(', ')}`
}

function wordsOf(divergence: Divergence): { readonly subject: string; readonly cause: string } {
  const isSaid = divergence.cause === 'outcome' || divergence.cause === 'checkpoint'
  return { subject: subjectOf(divergence), cause: isSaid ? '' : ` (${causeLabel(divergence)})` }
}

/** What diverged, as the subject of a sentence: `step 4`, `the call after step 3`. */
function subjectOf({ cause, step, position, name }: Divergence): string {
  const after = step === 0 ? 'before the first step' : `after step ${step}`
  if (cause === 'outcome') return 'the outcome'
  if (cause === 'checkpoint') return `checkpoint "${name ?? ''}" ${after}`
  if (cause === 'unrecorded-contact') return `a contact ${after}`
  return position === 'at' ? `step ${step}` : `the call ${after}`
}

const otherParts: Readonly<Record<InputPart, string>> = {
  model: 'another model',
  'system-prompt': 'another system prompt',
  messages: 'other messages',
  'tool-schema': 'other tools',
  sampling: 'other sampling settings',
  body: 'another body',
  args: 'other arguments',
  url: 'another URL',
  method: 'another method',
  headers: 'other headers',
  environment: 'another date (the real one)',
}

function listOf(words: readonly string[]): string {
  if (words.length === 0) return 'another input'
  return words.length === 1 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
