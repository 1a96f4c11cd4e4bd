import { execFileSync } from 'node:child_process'

/** A Node binary. */
export interface LocatedNode {
  readonly path: string
  /** As `process.version` gives it. */
  readonly version: string
}

/** The newest Node of a major version, from the npm package `node`; downloaded by npm if it is not there yet. */
export function locateNode(major: number): LocatedNode {
  const script = 'console.log(JSON.stringify({ path: process.execPath, version: process.version }))'
  const printed = execFileSync('npx', ['--yes', '--package', `node@${major}`, 'node', '--eval', script], { encoding: 'utf8' })
  return JSON.parse(printed.trim()) as LocatedNode
}
