// Compares the gzipped size of each screen's download with its budget, and finds Mantine components whose styles are not
// imported in time. Reads the manifest of the last build.
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { SCREENS } from './build/early-screen.ts'

interface Chunk {
	file: string
	name?: string
	isEntry?: boolean
	imports?: string[]
	dynamicImports?: string[]
	css?: string[]
}

interface Download {
	name: string
	bytes: number
	budgetKb: number
}

const BYTES_PER_KB = 1_000
/** Number of screens from which a chunk counts as shared: it is downloaded once, with the first of these screens. */
const MIN_SHARING_SCREENS = 3

/** A chat shows messages of every kind, notes and the composer at once. */
const CHAT_BUDGET_KB = 24

/** Components whose code comes with that of others and that no screen shows. */
const NEVER_SHOWN = ['CheckboxCard', 'CheckboxIndicator', 'RadioCard', 'RadioIndicator', 'VisuallyHidden']

const built = new URL('../dist/web/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', built), 'utf8')) as Record<string, Chunk>

const FIRST_MANTINE = 'src/app/web/theme/mantine.css'
const LATE_MANTINE = 'src/app/web/theme/late-mantine.css'
const lateStyles = Object.values(manifest).find(({ file }) => /late-mantine.*css$/.test(file))?.file ?? ''

const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? ''
// The dynamic imports of the entry and of the screen file are the screens and the toasts. Dynamic imports within a screen are
// not counted.
const routes = [entry, named(SCREENS)].flatMap((name) => manifest[name]?.dynamicImports ?? [])
// Frame of the app: header and navigation.
const layout = named('shell')
const dashboard = named('dashboard')
const login = chunkOf('login')
const admin = chunkOf('admin-dashboard')
const createCampaign = chunkOf('create-campaign-screen')
/** The form of Create Campaign, which loads after its first step. */
const campaignForms = chunkOf('campaign-forms')
const firstScreens = [layout, dashboard, admin]
const others = routes.filter((name) => ![login, ...firstScreens].includes(name))

/** Chunks that are loaded when a person has signed in; other screens do not download them again. */
const known = reach(entry, login, ...firstScreens)

const reaches = others.map((screen) => reach(screen))
const shared = new Set(
	reaches
		.flatMap((all) => [...all])
		.filter((name) => reaches.filter((all) => all.has(name)).length >= MIN_SHARING_SCREENS),
)

const downloads: Download[] = [
	{ name: 'login, scripts', bytes: sizeOf(scriptsOf(reach(entry, login))), budgetKb: 178 },
	{
		name: 'user-dashboard with the shell, scripts',
		bytes: sizeOf(scriptsOf(reach(entry, layout, dashboard))),
		budgetKb: 141,
	},
	{
		name: 'admin-dashboard with the shell, scripts',
		bytes: sizeOf(scriptsOf(reach(entry, layout, admin))),
		budgetKb: 168,
	},
	{
		name: 'create-campaign-screen with the shell, scripts',
		bytes: sizeOf(scriptsOf(reach(entry, layout, createCampaign))),
		budgetKb: 145,
	},
	{
		name: 'campaign-forms after its first step, scripts',
		bytes: sizeOf(scriptsOf(reach(campaignForms).difference(reach(entry, layout, createCampaign)))),
		budgetKb: 60,
	},
	...others.map((screen) => ({
		name: `${nameOf(screen)}, own scripts`,
		bytes: sizeOf(scriptsOf(reach(screen).difference(known).difference(shared))),
		budgetKb: nameOf(screen) === 'chat-pane' ? CHAT_BUDGET_KB : 22,
	})),
	{ name: 'late styles of Mantine', bytes: sizeOf([lateStyles]), budgetKb: 9 },
	...[login, ...firstScreens, ...others].map((screen) => ({
		name: `${nameOf(screen)}, all styles`,
		bytes: sizeOf(stylesOf(reach(entry, layout, screen))),
		budgetKb: 19,
	})),
]

for (const { name, bytes, budgetKb } of downloads) {
	const size = `${inKb(bytes).padStart(8)} of ${String(budgetKb).padStart(3)} kB`
	console.log(`${bytes > budgetKb * BYTES_PER_KB ? '✗' : '✓'} ${size}  ${name}`)
}
const atOnce = reach(entry, layout, dashboard, createCampaign)
for (const [unstyled, file] of [
	[componentsWithoutStyles(atOnce, [FIRST_MANTINE]), FIRST_MANTINE],
	[componentsWithoutStyles(new Set(Object.keys(manifest)), [FIRST_MANTINE, LATE_MANTINE]), LATE_MANTINE],
] as const) {
	if (unstyled.length === 0) continue
	process.exitCode = 1
	console.log(`No styles for ${unstyled.join(', ')} of Mantine: import them in ${file}.`)
}
const over = downloads.filter(({ bytes, budgetKb }) => bytes > budgetKb * BYTES_PER_KB)
if (over.length > 0) {
	process.exitCode = 1
	console.log(`Too large: ${over.map(describe).join('; ')}. Load what is not needed at once with import().`)
} else {
	const closest = Map.groupBy(downloads, ({ budgetKb }) => budgetKb).values()
	console.log([...closest].map((group) => describe(group.toSorted((a, b) => b.bytes - a.bytes)[0])).join('; '))
}

/**
 * Returns the Mantine components in these chunks whose styles none of the stylesheets imports. Mantine writes the same class
 * hash into a component's code and into its styles.
 */
function componentsWithoutStyles(chunks: Set<string>, stylesheets: string[]): string[] {
	const folder = new URL('../node_modules/@mantine/core/styles/', import.meta.url)
	const imported = stylesheets.map((file) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')).join('')
	const code = scriptsOf(chunks)
		.filter((file) => file.endsWith('.js'))
		.map((file) => readFileSync(new URL(file, built), 'utf8'))
		.join('')
	return readdirSync(folder)
		.filter((file) => /^[A-Z]\w+\.css$/.test(file) && !imported.includes(`/${file}'`))
		.filter((file) => {
			const classes = readFileSync(new URL(file, folder), 'utf8').match(/\bm_[0-9a-f]{4,8}\b/g) ?? []
			return classes.some((name) => code.includes(name))
		})
		.map((file) => file.replace('.css', ''))
		.filter((name) => !NEVER_SHOWN.includes(name))
}

function describe(download: Download | undefined): string {
	return download ? `${download.name} ${inKb(download.bytes)} of ${download.budgetKb} kB` : ''
}

function inKb(bytes: number): string {
	return (bytes / BYTES_PER_KB).toFixed(1)
}

/** Returns the file to which `vite.config.ts` gives this name. Throws when the build has no such file. */
function named(group: string): string {
	const found = Object.keys(manifest).find((key) => manifest[key]?.name === group && key.endsWith('.js'))
	if (!found) throw new Error(`The build has no file named ${group}: see vite.config.ts, or this check.`)
	return found
}

function chunkOf(screen: string): string {
	const found = Object.keys(manifest).find((name) => name.endsWith(`/${screen}.tsx`))
	if (!found) throw new Error(`The build has no chunk of its own for ${screen}.tsx: see the routes, or this check.`)
	return found
}

/** Returns these chunks with all their static imports. */
function reach(...names: string[]): Set<string> {
	const reached = new Set<string>()
	const add = (name: string) => {
		if (reached.has(name)) return
		reached.add(name)
		for (const imported of manifest[name]?.imports ?? []) add(imported)
	}
	for (const name of names) add(name)
	return reached
}

function scriptsOf(names: Set<string>): string[] {
	return [...names].map((name) => manifest[name]?.file ?? '')
}

function stylesOf(names: Set<string>): string[] {
	return [...new Set([...names].flatMap((name) => manifest[name]?.css ?? []))]
}

function sizeOf(files: string[]): number {
	return files.reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, built))).length, 0)
}

function nameOf(screen: string): string {
	return screen.replace(/^.*\/|\.tsx$/g, '')
}
