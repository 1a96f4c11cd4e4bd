/** Loaded before a program's own modules, where `goldenrun record --whole-process` started it: which says where to. */
if (process.env['GOLDENRUN_STORE'] !== undefined) {
  const { recordProcess } = await import('./record-process.ts')
  await recordProcess()
}
