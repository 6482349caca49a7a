import { dirname, join } from 'node:path/posix'
import { isCode, isTest, lineAt, type Problem, type Rule, type Source } from './source.ts'

/**
 * Import order within a feature's server, from the top: a file may import files of the lines below its own and of its own
 * folder. A line names folders or single files. Routes are above all lines, and so is the service unless a line names it; a
 * file that no line names is below all.
 */
const STAGES: Record<string, string[][]> = {
	auth: [['second-factor'], ['passwords'], ['sessions'], ['retention'], ['installation']],
	statements: [['pdf']],
	whatsapp: [['credentials', 'reencrypt'], ['webhooks'], ['meta-check'], ['service'], ['limits'], ['codes']],
	contacts: [['import'], ['service'], ['person'], ['contacts'], ['groups', 'fields', 'opt-outs'], ['erasure']],
	templates: [['creation', 'sync'], ['message']],
	delivery: [
		['restore'],
		['sending'],
		['claims'],
		['sweeps'],
		['settlement'],
		['lifecycle'],
		['limits', 'orders', 'replies', 'template-route'],
		['months'],
		['message'],
	],
	audiences: [['person'], ['recipients'], ['segments']],
	'header-files': [['upload'], ['match'], ['sets']],
	campaigns: [['report'], ['creation']],
	wallet: [['reconciliation', 'reconciliation-queries'], ['receipts']],
	payments: [['webhook', 'poll'], ['settle'], ['service'], ['judge'], ['provider']],
	privacy: [['account']],
	replies: [['automatic']],
	chats: [
		['control-groups', 'state'],
		['control-group-queries'],
		['phone-app'],
		['inbound'],
		['person'],
		['automatic'],
		['sending', 'media'],
		['settlement'],
		['replies'],
		['charges'],
	],
	developer: [['v1'], ['test-keys'], ['campaigns'], ['docs'], ['orders'], ['keys', 'webhooks']],
}
const LAYERS = ['routes', 'service']

const IMPORT = /\b(?:from |import\()'(\.{1,2}\/[^']+)'/g
const SIDE = /^src\/features\/([^/]+)\/(server|web)\/(.+)$/

interface Place {
	feature: string
	side: string
	/** Name of the folder, or of a file outside any folder. */
	name: string
	isFolder: boolean
}

function placeOf(path: string): Place | null {
	const [, feature = '', side = '', rest = ''] = SIDE.exec(path) ?? []
	if (rest === '') return null
	const slash = rest.indexOf('/')
	const name = slash < 0 ? rest.replace(/\.[^.]+$/, '') : rest.slice(0, slash)
	return { feature, side, name, isFolder: slash >= 0 }
}

function orderOf(feature: string): string[][] {
	const stages = STAGES[feature] ?? []
	return [['routes'], ...(stages.flat().includes('service') ? [] : [['service']]), ...stages]
}

/** Returns the number of the line, from 0 for the routes; a file that no line names is one below the last line. */
function levelOf({ feature, name, isFolder }: Place): number {
	const order = orderOf(feature)
	const kind = isFolder ? undefined : LAYERS.find((layer) => name.endsWith(`-${layer}`))
	const level = order.findIndex((names) => names.includes(kind ?? name))
	return level < 0 ? order.length : level
}

const importsPointDown: Rule = (file) => {
	const from = placeOf(file.path)
	if (!from || !isCode(file) || isTest(file)) return []
	return [...file.text.matchAll(IMPORT)].flatMap((match): Problem[] => {
		const to = placeOf(join(dirname(file.path), match[1] ?? ''))
		const message = to && to.side === from.side ? problemWith(from, to) : null
		return message ? [{ path: file.path, line: lineAt(file.text, match.index), message }] : []
	})
}

function problemWith(from: Place, to: Place): string | null {
	if (from.name === to.name && from.isFolder === to.isFolder) return null
	if (from.side === 'web') {
		if (!from.isFolder || !to.isFolder) return null
		return `The screen ${from.name} does not import the screen ${to.name}: move what both need to web/.`
	}
	const [level, imported] = [levelOf(from), levelOf(to)]
	const isSiblingFolder = level === imported && from.isFolder && to.isFolder
	if (level < imported || (level === imported && !isSiblingFolder)) return null
	const order = [...orderOf(from.feature).map((names) => names.join(', ')), 'queries'].join(' → ')
	return `${order}, never up: move what both need down.`
}

const stagesAreDeclared: Rule = (file) => {
	const place = placeOf(file.path)
	if (!place?.isFolder || place.side !== 'server' || !isCode(file)) return []
	if (STAGES[place.feature]?.flat().includes(place.name)) return []
	const message = `"${place.name}" is not a known stage of ${place.feature}: give it its place in the order in scripts/structure/stage-rules.ts.`
	return [{ path: file.path, line: 1, message }]
}

/** Reports stages without a file. */
export function unusedStages(files: Source[]): Problem[] {
	const path = 'scripts/structure/stage-rules.ts'
	if (!files.some((file) => file.path === path)) return []
	const places = files.flatMap((file) => placeOf(file.path) ?? [])
	const isUsed = (feature: string, name: string) =>
		places.some((place) => place.feature === feature && place.side === 'server' && place.name === name)
	return Object.entries(STAGES).flatMap(([feature, names]) =>
		names
			.flat()
			.filter((name) => !isUsed(feature, name))
			.map((name) => ({ path, line: 1, message: `The stage "${name}" of ${feature} does not exist: remove it.` })),
	)
}

export const stageRules = [importsPointDown, stagesAreDeclared]
