#!/usr/bin/env node
console.log(process.version, process.execPath, process.argv[1]);
