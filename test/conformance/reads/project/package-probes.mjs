// As a package that the runner leaves to Node: the configuration says so. It has a module of probes of its own.
export * from '../../../boundaries/register/programs/probes.mjs'
