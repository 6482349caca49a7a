// What a visitor downloads, gzipped, against what a phone on a slow line can take. Reads what the last build left.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

interface Chunk {
	file: string
	isEntry?: boolean
	imports?: string[]
	dynamicImports?: string[]
	css?: string[]
}

interface Figure {
	name: string
	bytes: number
	budgetKb: number
}

const built = new URL('../dist/web/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', built), 'utf8')) as Record<string, Chunk>

const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? ''
// The routes stand in the entry, so that what it loads lazily are the screens; their own lazy parts do not count.
const routes = manifest[entry]?.dynamicImports ?? []
const layout = chunkOf('layout')
const login = chunkOf('login')
const firstScreens = ['user-dashboard', 'admin-dashboard'].map(chunkOf)
const others = routes.filter((name) => ![layout, login, ...firstScreens].includes(name))

/** The chunks that are loaded by the time somebody has signed in: what another screen shares with them is not its own. */
const known = reach(entry, layout, login, ...firstScreens)
/** Nor is what several screens share, such as dialogs: it comes with the first of them, once. */
const SHARED_BY = 3
const reaches = others.map((screen) => reach(screen))
const shared = new Set(
	reaches.flatMap((all) => [...all]).filter((name) => reaches.filter((all) => all.has(name)).length >= SHARED_BY),
)

const figures: Figure[] = [
	{ name: 'login, scripts', bytes: sizeOf(scriptsOf(reach(entry, login))), budgetKb: 195 },
	...firstScreens.map((screen) => ({
		name: `${nameOf(screen)} with the shell, scripts`,
		bytes: sizeOf(scriptsOf(reach(entry, layout, screen))),
		budgetKb: 235,
	})),
	...others.map((screen) => ({
		name: `${nameOf(screen)}, own scripts`,
		bytes: sizeOf(scriptsOf(reach(screen).difference(known).difference(shared))),
		budgetKb: 30,
	})),
	...[login, ...firstScreens, ...others].map((screen) => ({
		name: `${nameOf(screen)}, all styles`,
		bytes: sizeOf(stylesOf(reach(entry, layout, screen))),
		budgetKb: 26,
	})),
]

for (const { name, bytes, budgetKb } of figures) {
	const figure = `${inKb(bytes).padStart(8)} of ${String(budgetKb).padStart(3)} kB`
	console.log(`${bytes > budgetKb * 1000 ? '✗' : '✓'} ${figure}  ${name}`)
}
const over = figures.filter(({ bytes, budgetKb }) => bytes > budgetKb * 1000)
if (over.length > 0) {
	process.exitCode = 1
	console.log(`Too large: ${over.map(told).join('; ')}. Load what is not needed at once with import().`)
} else {
	const closest = Map.groupBy(figures, ({ budgetKb }) => budgetKb).values()
	console.log([...closest].map((group) => told(group.toSorted((a, b) => b.bytes - a.bytes)[0])).join('; '))
}

function told(figure: Figure | undefined): string {
	return figure ? `${figure.name} ${inKb(figure.bytes)} of ${figure.budgetKb} kB` : ''
}

function inKb(bytes: number): string {
	return (bytes / 1000).toFixed(1)
}

function chunkOf(screen: string): string {
	const found = routes.find((name) => name.endsWith(`/${screen}.tsx`))
	if (!found) throw new Error(`The build has no chunk of its own for ${screen}.tsx: see the routes, or this check.`)
	return found
}

/** These chunks, and all that are loaded before they run. */
function reach(...names: string[]): Set<string> {
	const reached = new Set<string>()
	const visit = (name: string) => {
		if (reached.has(name)) return
		reached.add(name)
		for (const imported of manifest[name]?.imports ?? []) visit(imported)
	}
	for (const name of names) visit(name)
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
