// `npm pack` in a clone: what it packs has no built program, and would be installed without a `pitdesk` and without an
// error. A release is packed in a folder of its own, without scripts.
process.stderr.write('npm pack makes nothing that can be installed. npm run release -- --out DIR makes the package.\n')
process.exitCode = 1
