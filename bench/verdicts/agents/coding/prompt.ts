import type { ChatCompletionFunctionTool } from 'openai/resources/chat/completions'

export const SYSTEM = 'You are a programmer. Read before you write, run the tests after each change, and keep changes small.'

/** The tools, as described to the model. */
export const TOOLS: ChatCompletionFunctionTool[] = [
  define('list_files', 'List the files of a folder.', { folder: { type: 'string' } }, ['folder']),
  define('read_file', 'Read a file.', { path: { type: 'string' } }, ['path']),
  define('write_file', 'Write a file.', { path: { type: 'string' }, text: { type: 'string' } }, ['path', 'text']),
  define('run_tests', 'Run the tests.', { only: { type: 'string' } }, []),
]

function define(
  name: string,
  description: string,
  properties: Record<string, { type: string }>,
  required: string[],
): ChatCompletionFunctionTool {
  return { type: 'function', function: { name, description, parameters: { type: 'object', properties, required } } }
}
