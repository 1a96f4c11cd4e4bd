import { execFileSync } from 'node:child_process'

/** A Node binary. */
export interface LocatedNode {
  readonly path: string
  /** In the form of `process.version`. */
  readonly version: string
}

/** Returns the newest Node of a major version, from the npm package `node`. npm downloads it if it is missing. */
export function locateNode(major: number): LocatedNode {
  const script = 'console.log(JSON.stringify({ path: process.execPath, version: process.version }))'
  const printed = execFileSync('npx', ['--yes', '--package', `node@${major}`, 'node', '--eval', script], { encoding: 'utf8' })
  return JSON.parse(printed.trim()) as LocatedNode
}
