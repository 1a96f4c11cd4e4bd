import type { Plugin } from 'rolldown'
import { parseSync, Visitor } from 'rolldown/utils'

/**
 * Writes all characters beyond Latin-1 as escapes. V8 keeps a source with one such character in two bytes a character: the chunks that a production
 * process loads would take twice the memory.
 */
export const escapeCharacters: Plugin = {
  name: 'escape-characters',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = withEscapes(chunk.fileName, chunk.code)
  },
}

const beyondLatin1 = /[\u0100-\uFFFF]/g

/** @throws Error for a tagged template, whose tag may read its text as it is written. */
function withEscapes(file: string, code: string): string {
  if (code.search(beyondLatin1) === -1) return code
  new Visitor({
    TaggedTemplateExpression: ({ start, end }) => {
      const template = code.slice(start, end)
      if (template.search(beyondLatin1) !== -1)
        throw new Error(`A tagged template of ${file} has a character to write as an escape: ${template}`)
    },
  }).visit(parseSync(file, code).program)
  return code.replaceAll(beyondLatin1, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
