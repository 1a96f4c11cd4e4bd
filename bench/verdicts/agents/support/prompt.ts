import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'

/** The desk's instructions before the shop's own rules. */
export const INTRODUCTION =
  'You are on the desk of a shop and answer one customer at a time. Be brief, be kind, and never guess: look things up with your tools.'

/** How the desk talks. */
export const EXAMPLES: readonly { readonly customer: string; readonly desk: string }[] = [
  { customer: 'Where is my parcel?', desk: 'I will look that up. May I have your e-mail address?' },
  { customer: 'I want my money back.', desk: 'I am sorry to hear that. Which order is it about?' },
  { customer: 'Thank you!', desk: 'You are welcome. Is there anything else that I can do for you?' },
]

/** Returns the opening messages of a conversation. */
export function openMessages(policy: string, notices: string, today: string): ChatCompletionMessageParam[] {
  const system = [INTRODUCTION, policy, `Notices of the day: ${notices}`, `Today is ${today}.`].join('\n\n')
  return [
    { role: 'system', content: system },
    ...EXAMPLES.flatMap(({ customer, desk }): ChatCompletionMessageParam[] => [
      { role: 'user', content: customer },
      { role: 'assistant', content: desk },
    ]),
  ]
}
