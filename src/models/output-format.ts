import { isJsonObject, parseJson } from '../trace/json.ts'
import type { NormalRequest } from './dialect.ts'
import { fieldOf } from './gemini-spellings.ts'
import { recordOf } from './json-fields.ts'

/** The form in which a request asks for the answer's text. */
export interface OutputFormat {
  readonly kind: 'text' | 'json'
  /** The JSON schema of the text. Absent for any JSON, and for text. */
  readonly schema?: unknown
}

/** Reads the output format of a request, wherever its dialect has it. Default: text. */
export function outputFormatOf({ sampling }: Pick<NormalRequest, 'sampling'>): OutputFormat {
  const asked = askedFormat(sampling)
  if (asked === 'json') return { kind: 'json' }
  if (!isJsonObject(asked) || asked['type'] === 'text') return { kind: 'text' }
  const schema = schemaIn(asked)
  return { kind: 'json', ...(schema !== undefined && { schema }) }
}

/** The field of a request that names the format: the format, or Ollama's word for it. */
function askedFormat(sampling: NormalRequest['sampling']): unknown {
  const mimeType = fieldOf(sampling, 'responseMimeType')
  if (mimeType !== undefined)
    return {
      type: mimeType === 'application/json' ? 'json' : 'text',
      schema: fieldOf(sampling, 'responseJsonSchema') ?? fieldOf(sampling, 'responseSchema'),
    }
  const { format } = sampling
  // Ollama's field is the schema itself.
  if (isJsonObject(format)) return { type: 'json', schema: format }
  return [
    sampling['response_format'],
    recordOf(sampling['text'])['format'],
    sampling['output_format'],
    recordOf(sampling['output_config'])['format'],
    recordOf(sampling['outputConfig'])['textFormat'],
    format,
  ].find((each) => each !== undefined)
}

/** The schema beside the format's type; below it in OpenAI's chat API and Bedrock's Converse, which sends it as text. */
function schemaIn(format: Readonly<Record<string, unknown>>): unknown {
  const within = recordOf(format['json_schema'])
  const converse = recordOf(recordOf(format['structure'])['jsonSchema'])['schema']
  return format['schema'] ?? within['schema'] ?? (typeof converse === 'string' ? parseJson(converse) : converse)
}
