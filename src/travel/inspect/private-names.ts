import { classesOf, sourceOf } from './intrinsics.ts'
import { isPlatformClass } from './platform-classes.ts'

/** The private members of an instance, from the sources of its classes. */
export interface PrivateNames {
  /** Fields, whose values can be read. A name that only occurs in a comment or a text may be among them. */
  readonly fields: readonly string[]
  /** Getters and setters, whose values cannot be read without running code. */
  readonly accessors: readonly string[]
}

/** Returns the names of an instance's private members. JavaScript has no function that lists them, so the text of the classes is searched. */
export function privateNames(instance: object): PrivateNames {
  const fields = new Set<string>()
  const accessors = new Set<string>()
  const methods = new Set<string>()
  for (const made of classesOf(instance)) {
    const source = isPlatformClass(made) ? '' : sourceOf(made)
    if (!source.startsWith('class')) continue
    for (const { 1: before = '', 2: name = '', 3: behind = '' } of source.matchAll(PRIVATE)) {
      if (/\b(?:get|set|accessor)\s+$/.test(before)) accessors.add(name)
      else if (!before.endsWith('.') && behind !== '') methods.add(name)
      else fields.add(name)
    }
  }
  return { fields: [...fields].filter((name) => !accessors.has(name) && !methods.has(name)), accessors: [...accessors] }
}

/** A private name with the text before it, and whether arguments follow it. */
const PRIVATE = /([\w\s.*]{0,12})(#[\p{ID_Start}$_][\p{ID_Continue}$]*)(\s*\()?/gu
