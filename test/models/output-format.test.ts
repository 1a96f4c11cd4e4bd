import { expect, it } from 'vitest'
import { dialectNamed } from '../../src/models/dialects.ts'
import { outputFormatOf } from '../../src/models/output-format.ts'

const schema = { type: 'object', properties: { total: { type: 'number' } } }
const any = { kind: 'json' }
const json = { kind: 'json', schema }
const text = { kind: 'text' }

/** The fields as the providers' references have them. */
it.each<[dialect: string, fields: object, format: object]>([
  ['openai.chat', { response_format: { type: 'json_object' } }, any],
  ['openai.chat', { response_format: { type: 'json_schema', json_schema: { name: 'sum', strict: true, schema } } }, json],
  ['openai.chat', { response_format: { type: 'text' } }, text],
  ['openai.chat', {}, text],
  ['openai.responses', { text: { format: { type: 'json_schema', name: 'sum', schema }, verbosity: 'low' } }, json],
  ['openai.responses', { text: { verbosity: 'low' } }, text],
  ['anthropic.messages', { output_format: { type: 'json_schema', schema } }, json],
  ['anthropic.messages', { output_config: { effort: 'low', format: { type: 'json_schema', schema } } }, json],
  ['gemini.content', { generationConfig: { responseMimeType: 'application/json', responseSchema: schema } }, json],
  ['gemini.content', { generation_config: { response_mime_type: 'application/json', response_json_schema: schema } }, json],
  ['gemini.content', { generationConfig: { responseMimeType: 'text/plain' } }, text],
  ['ollama.chat', { format: 'json' }, any],
  ['ollama.chat', { format: schema }, json],
  ['cohere.chat', { response_format: { type: 'json_object', schema } }, json],
  [
    'bedrock.converse',
    { outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema: { name: 'sum', schema: JSON.stringify(schema) } } } } },
    json,
  ],
])('reads the output format of %s from %j', (name, fields, format) => {
  const request = dialectNamed(name)?.request(fields, 'http://127.0.0.1/v1')
  expect(request && outputFormatOf(request)).toEqual(format)
})
