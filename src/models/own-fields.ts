import { spellings } from './gemini-spellings.ts'

const chat = ['model', 'messages', 'tools', 'functions', 'stream']

/**
 * Fields of a request's body that are not sampling, or that only hold the fields that are, by dialect.
 *
 * @note Apart from the edits of requests: the viewer reads requests, and edits none.
 */
export const ownFields: Readonly<Record<'chat' | 'ollama' | 'anthropic' | 'converse' | 'gemini' | 'responses', readonly string[]>> = {
  chat,
  ollama: [...chat, 'options'],
  anthropic: ['model', 'system', 'messages', 'tools', 'stream'],
  converse: ['system', 'messages', 'toolConfig', 'inferenceConfig'],
  gemini: spellings(['model', 'systemInstruction', 'contents', 'tools', 'generationConfig']),
  responses: ['model', 'instructions', 'input', 'tools', 'stream'],
}
