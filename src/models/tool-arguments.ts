/**
 * The arguments of a tool call from the text that a model wrote. Empty text is `{}`: providers send it for tools without parameters.
 * Text that is not JSON stays text: models write such, and the agent has to deal with it too.
 */
export function parseArguments(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
