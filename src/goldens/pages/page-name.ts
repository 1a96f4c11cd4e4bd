import { hash } from 'node:crypto'

/** The suffix of a page about a golden that does not hold. */
const RED = '.red.html'

/** The longest name. A longer one is cut. */
const longest = 120

/** Returns the file name of a page, valid on every file system. Different runs get different names. */
export function pageName(names: readonly string[]): string {
  return `${fileName(names.join('-and-'))}.html`
}

/** Returns the name of the page of a golden that does not hold. @param count The number of this page among the golden's pages, from 1. */
export function redPageName(golden: string, count: number = 1): string {
  return `${fileName(golden)}${count > 1 ? `~${count}` : ''}${RED}`
}

/** Returns the name of the page of a `verify` sample. @param number From 1. */
export function samplePageName(golden: string, number: number): string {
  return `${fileName(golden)}.sample-${number}.html`
}

/** Returns whether a file is the page of a sample of a golden. */
export function isSamplePageOf(file: string, golden: string): boolean {
  return file.replace(/\.sample-\d+\.html$/, '\n') === `${fileName(golden)}\n`
}

/** Returns whether a file is a page of a golden that did not hold. */
export function isRedPageOf(file: string, golden: string): boolean {
  return file.endsWith(RED) && file.slice(0, -RED.length).replace(/~\d+$/, '') === fileName(golden)
}

/** Converts a name to a file name. A name that has to change gets a few digits of its hash: `a/b` and `a-b` are two goldens. */
function fileName(name: string): string {
  const shown = name.replaceAll(/[^\w.-]+/g, '-').slice(0, longest)
  return shown === name ? shown : `${shown}-${hash('sha256', name).slice(0, 6)}`
}
