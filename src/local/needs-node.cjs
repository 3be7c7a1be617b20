// Plain JavaScript for any Node: says in words what a newer one is needed for.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `Workshop needs Node 24, which "npm ci" installs as the package "node" for its scripts; this is ${process.version}.\n` +
      'Its install script was skipped. Run: npm ci --ignore-scripts=false',
  )
  process.exit(1)
}
