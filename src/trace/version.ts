/** The version of this package, as in `package.json`. */
export const GOLDENRUN_VERSION = '0.1.0'
