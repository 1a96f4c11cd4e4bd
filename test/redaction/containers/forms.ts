/** A text as an agent has it: as it is, within other texts, or encoded. */
export const forms: Readonly<Record<string, (text: string) => unknown>> = {
  'as text': (text) => text,
  'as a value': (text) => valueOf(text),
  'in a message': (content) => ({ messages: [{ role: 'user', content }] }),
  'in JSON that is text': (content) => JSON.stringify({ id: 7, content }),
  'in JSON in JSON': (content) => JSON.stringify({ id: 7, content: JSON.stringify({ id: 8, content }) }),
  'in a form': (note) => new URLSearchParams({ id: '7', note }).toString(),
  'in a multipart form': (text) => `--B0\r\nContent-Disposition: form-data; name="note"\r\n\r\n${text}\r\n--B0--\r\n`,
  'in base64': (text) => ({ content: Buffer.from(text).toString('base64'), encoding: 'base64' }),
  'in base64url': (text) => `raw=${Buffer.from(text).toString('base64url')} end`,
  'in SQL': (text) => `INSERT INTO notes (id, body) VALUES (7, '${text.replaceAll("'", "''")}')`,
  'in a command': (text) => `cat > file <<'EOF'\n${text}\nEOF`,
  'in a log': (text) => `2026-11-30T06:25:18.123Z DEBUG [agent] read file body=${JSON.stringify(text)}`,
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return { lines: [text] }
  }
}

/** Returns what a reader can make of a text: itself, and what it holds as JSON, in a URL, in SQL and in base64, in turn. */
export function readings(text: string, depth = 3): string[] {
  if (depth === 0) return [text]
  const found = new Set([text])
  const unescaped = text.replaceAll(/\\(?:u(?<code>[\da-f]{4})|(?<sign>[^u]))/gi, (_, code?: string, sign?: string) =>
    code === undefined ? (escapes[sign ?? ''] ?? sign ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  )
  found.add(unescaped)
  found.add(text.replaceAll("''", "'"))
  found.add(text.replaceAll('+', ' ').replaceAll(/(?:%[\da-f]{2})+/gi, decodeUrl))
  const decoded = Array.from(text.matchAll(/[\w+/-]{16,}={0,2}/g), ([token]) => Buffer.from(token, 'base64').toString())
  found.add(decoded.join('\n'))
  found.delete('')
  return [...found].flatMap((each) => (each === text ? [each] : readings(each, depth - 1)))
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function decodeUrl(text: string): string {
  return Buffer.from(text.replaceAll('%', ''), 'hex').toString()
}
