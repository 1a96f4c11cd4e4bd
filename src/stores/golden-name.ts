import { GoldenNameError } from './errors/golden-name-error.ts'

/**
 * Checks that a golden's name can be a path below `golden-traces/` on every system: segments between forward slashes, none of which leaves
 * the folder, hides the file, or contains what some file system refuses.
 *
 * @throws GoldenNameError
 */
export function checkGoldenName(name: string): void {
  const problem = problemOf(name)
  if (problem !== undefined) throw new GoldenNameError(name, problem)
}

function problemOf(name: string): string | undefined {
  if (name === '') return 'it is empty'
  if (name.endsWith('.jsonl')) return 'the ".jsonl" of its file is added automatically, leave it out'
  const segments = name.split('/')
  if (segments.includes('..')) return 'it leads out of the folder (..)'
  if (segments.includes('')) return 'it starts or ends with a slash, or has two in a row'
  if (segments.some((segment) => segment.startsWith('.'))) return 'a part of it starts with a dot'
  if (segments.some((segment) => /[. ]$/.test(segment))) return 'a part of it ends with a dot or a space'
  const [bad] = /[\\<>:"|?*\p{Cc}]/u.exec(name) ?? []
  if (bad !== undefined) return `it contains ${JSON.stringify(bad)}, which not every file system allows`
  const longest = Math.max(...segments.map((segment) => Buffer.byteLength(segment)))
  return longest > 200 ? 'a part of it is longer than 200 bytes' : undefined
}
