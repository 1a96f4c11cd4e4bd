import { hash } from 'node:crypto'

/** The end of the name of a page about a golden that does not hold. */
const RED = '.red.html'

/** A longer name is cut. */
const longest = 120

/** The name of a page's file, which may be called so on every file system. No two runs share one. */
export function pageName(names: readonly string[]): string {
  return `${fileName(names.join('-and-'))}.html`
}

/** The name of the page of a golden that does not hold. @param count Which page of this golden it is, from 1. */
export function redPageName(golden: string, count: number = 1): string {
  return `${fileName(golden)}${count > 1 ? `~${count}` : ''}${RED}`
}

/** The name of the page of a sample of `verify`. @param number From 1. */
export function samplePageName(golden: string, number: number): string {
  return `${fileName(golden)}.sample-${number}.html`
}

/** Whether a file is the page of a sample of a golden. */
export function isSamplePageOf(file: string, golden: string): boolean {
  return file.replace(/\.sample-\d+\.html$/, '\n') === `${fileName(golden)}\n`
}

/** Whether a file is a page of a golden that did not hold. */
export function isRedPageOf(file: string, golden: string): boolean {
  return file.endsWith(RED) && file.slice(0, -RED.length).replace(/~\d+$/, '') === fileName(golden)
}

/** A name that does not stay as it is gets a few digits of its hash: `a/b` and `a-b` are two goldens. */
function fileName(name: string): string {
  const shown = name.replaceAll(/[^\w.-]+/g, '-').slice(0, longest)
  return shown === name ? shown : `${shown}-${hash('sha256', name).slice(0, 6)}`
}
