#!/usr/bin/env node
// Only what an old Node can read as well: it shall be told why it cannot run the rest.
var version = process.versions.node.split('.');
var major = Number(version[0]);
var minor = Number(version[1]);

if (major < 22 || (major === 22 && minor < 19)) {
  console.error('gpuql needs Node 22.19 or newer; this is Node ' + process.versions.node + '.');
  process.exit(1);
}

import('./main.ts')
  .then(function (module) {
    return module.main(process.argv.slice(2), process.env);
  })
  .then(function (code) {
    process.exit(code);
  });
