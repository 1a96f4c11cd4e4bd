/**
 * What the accepted runs of an agent were made of, one thing a row.
 *
 * - `golden`, `module`, `config`, `text`, `patch`: a file by its path from the folder that contains `golden-traces`, with the digest of its text
 * - `folder`: a folder whose entries the agent listed, with the digest of their names
 * - `missing`: a file that the agent looked for, and that does not exist
 * - `package`: an installed package by its name, with its version
 * - `node`: the version of Node
 * - `not-compared`: a file that the agent read and that may hold a secret, with the reason
 */
export interface AcceptedRow {
  readonly kind: (typeof kinds)[number]
  readonly name: string
  readonly value: string
}

const kinds = ['golden', 'module', 'config', 'text', 'patch', 'folder', 'missing', 'package', 'node', 'not-compared'] as const

/** Returns the text of a file with the rows: sorted, so that branches which add different rows merge. */
export function formatRows(agent: string, rows: readonly AcceptedRow[]): string {
  const lines = rows.map(({ kind, name, value }) => `${kind}\t${name}\t${value}\n`)
  const distinct = [...new Set(lines)].toSorted()
  return `# What the accepted runs of the agent ${JSON.stringify(agent)} were made of. goldenrun writes this file, and a red report says what has changed since.\n# In a merge conflict, keep either side.\n${distinct.join('')}`
}

/** Reads rows. A line that is none, such as one of an open merge conflict, is left out. */
export function parseRows(text: string): AcceptedRow[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [kind, name, value, ...more] = line.split('\t')
    const known = kinds.find((each) => each === kind)
    if (known === undefined || name === undefined || value === undefined || more.length > 0) return []
    return known === 'package' && !PACKAGE.test(name) ? [] : [{ kind: known, name, value }]
  })
}

/** Returns whether a row is a file that an agent loads or reads, or looked for. */
export function isFileRow({ kind }: AcceptedRow): boolean {
  return fileKinds.has(kind)
}

const fileKinds: ReadonlySet<AcceptedRow['kind']> = new Set(['module', 'config', 'text', 'patch', 'missing', 'not-compared'])

/** A package's name, with its scope. Anything else would be a path to elsewhere. */
const PACKAGE = /^(?:@[\w~][\w.~-]*\/)?[\w~][\w.~-]*$/
