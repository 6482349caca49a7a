import { findAll, isCode, isProduct, isTest, type Rule } from './source.ts'

const GRAPH_EDGES =
	'messages|media|uploads|phone_numbers|message_templates|subscribed_apps|whatsapp_business_profile|template_analytics'
const GRAPH_PATH = new RegExp(
	`graph\\.facebook\\.com|[\`'"]/?(?:v\\d+\\.\\d+/)?\\$\\{[^}]*\\}/(?:${GRAPH_EDGES})\\b|/(?:message_templates|subscribed_apps|whatsapp_business_profile)\\b`,
	'g',
)

const onlyCloudApiKnowsGraph: Rule = (file) => {
	const isClient = /^src\/features\/whatsapp\/server\/cloud-api[a-z-]*\.ts$/.test(file.path)
	if (!isProduct(file) || isClient || file.path === 'src/app/server/env.ts') return []
	return findAll(
		file,
		GRAPH_PATH,
		"Only cloud-api.ts of the feature whatsapp knows Meta's paths: add a function there and call it.",
	)
}

const ENVIRONMENT_READERS = new Set(['src/app/server/env.ts', 'src/app/server/payment-env.ts', 'simulator/main.ts'])

const onlyEnvReadsTheEnvironment: Rule = (file) => {
	const isRunning = /^(src|simulator|embedded)\//.test(file.path)
	if (!isCode(file) || !isRunning || isTest(file) || ENVIRONMENT_READERS.has(file.path)) return []
	const message =
		'Only src/app/server/env.ts reads the environment, once and checked: add the variable there and pass its value in.'
	return findAll(
		file,
		/\bprocess\s*\??\.\s*env\b|\bprocess\[['"]env|\{[^}]*\benv\b[^}]*\} = process\b|\benv\b[^\n]*from 'node:process'/g,
		message,
	)
}

const textsAreBounded: Rule = (file) =>
	isProduct(file) &&
	/^src\/(?:lib|app|features\/[^/]+)\/server\//.test(file.path) &&
	!ENVIRONMENT_READERS.has(file.path)
		? findAll(
				file,
				/\bz\.(?:string|email|url|iso\.\w+)\(/g,
				'What is read from outside needs a maximum: write Text(…) of lib/fields.ts.',
			)
		: []

// The brackets keep the pattern from matching this file.
const UNFINISHED = /\b(?:T[O]DO|FIX[M]E|X[X]X)\b/g
const MACHINE_PATH = /(?<![\w.:/-])\/(?:wor[k]\/(?:main|shared|\.library)|home\/[a-z]|Users\/[A-Za-z])/g

const nothingUnfinished: Rule = (file) =>
	file.name === 'package-lock.json'
		? []
		: findAll(file, UNFINISHED, 'Finish it now, or write it down where the team plans its work.')

const noMachinePaths: Rule = (file) =>
	findAll(file, MACHINE_PATH, 'A path of one machine: make it relative to this file (import.meta.url) or to DATA_DIR.')

const lockNamesNoRegistry: Rule = (file) => {
	if (file.name !== 'package-lock.json' && file.name !== '.npmrc') return []
	const message = 'This names a registry: run npm install with the omit-lockfile-registry-resolved of .npmrc in force.'
	return findAll(file, /"resolved": "https?:[^"]*"|^\s*\S*registry\s*=.*$/gm, message)
}

export const placeRules = [
	onlyCloudApiKnowsGraph,
	onlyEnvReadsTheEnvironment,
	textsAreBounded,
	nothingUnfinished,
	noMachinePaths,
	lockNamesNoRegistry,
]
