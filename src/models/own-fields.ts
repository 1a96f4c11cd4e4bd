import { spellings } from './gemini-spellings.ts'

const chat = ['model', 'messages', 'tools', 'functions', 'stream']

/**
 * Fields of a request's body that are not sampling, or that only contain the sampling fields, by dialect.
 *
 * @note Kept apart from editing: the viewer reads requests but does not edit them.
 */
export const ownFields: Readonly<Record<'chat' | 'ollama' | 'anthropic' | 'converse' | 'gemini' | 'responses', readonly string[]>> = {
  chat,
  ollama: [...chat, 'options'],
  anthropic: ['model', 'system', 'messages', 'tools', 'stream'],
  converse: ['system', 'messages', 'toolConfig', 'inferenceConfig'],
  gemini: spellings(['model', 'systemInstruction', 'contents', 'tools', 'generationConfig']),
  responses: ['model', 'instructions', 'input', 'tools', 'stream'],
}
