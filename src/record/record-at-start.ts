/** Loaded before a program's own modules when `goldenrun record --whole-process` started it, with the store in the environment. */
if (process.env['GOLDENRUN_STORE'] !== undefined) {
  const { recordProcess } = await import('./record-process.ts')
  await recordProcess()
}
