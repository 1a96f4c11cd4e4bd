import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Returns the version of a driver in a checkout, and the commit of the checkout if Git knows it. */
export function describeCheckout(checkout: string, folder: string): string {
  const { version } = JSON.parse(readFileSync(path.join(checkout, folder, 'package.json'), 'utf8')) as { readonly version: string }
  return `Version ${version}${readCommit(checkout)}`
}

function readCommit(checkout: string): string {
  try {
    const printed = execFileSync('git', ['log', '-1', '--format=%h of %cs'], { cwd: checkout, encoding: 'utf8', stdio: 'pipe' })
    return ` at commit ${printed.trim()}`
  } catch {
    return ''
  }
}
