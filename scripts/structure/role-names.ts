import { features } from './features.ts'
import { isCode, isInFeatureServer, isTest, type Rule } from './source.ts'

/** What a file in a feature's server folder may be. A new name is a decision: add it here when none of these fits. */
const roles = new Set([
	'routes',
	'service',
	'queries',
	'account-schedule',
	'audience',
	'audit',
	'auto-pause',
	'backoff',
	'changes',
	'circuit-breaker',
	'cloud-api',
	'create',
	'credentials',
	'delivery-writer',
	'dispatcher',
	'export',
	'gate',
	'graph-client',
	'import',
	'housekeeping',
	'ingest',
	'jobs',
	'ledger',
	'leases',
	'mails',
	'media',
	'message-changes',
	'message-id',
	'meta-check',
	'meta-template',
	'money',
	'notices',
	'numbers',
	'open',
	'opener',
	'pacer',
	'passwords',
	'present',
	'receipt-pdf',
	'receipt-text',
	'recorder',
	'recovery',
	'render',
	'reply-classifier',
	'routing',
	'sender',
	'sender-directory',
	'send-log',
	'send-loop',
	'search-text',
	'start',
	'sessions',
	'settle',
	'silence',
	'status-reports',
	'sweeps',
	'sync',
	'transitions',
	'warnings',
	'webhook',
])
// A role may be told apart by a word before it: sending-queries.ts, import-routes.ts.
const divisible = ['queries', 'routes', 'service', 'jobs', 'webhook']

const drawers = /(?:^|\/)(?:utils?|helpers?|common|misc|shared)(?:\/|\.[a-z.]+$)/
const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+)+$/
const upward = {
	queries: /from '\.\/(?:[a-z-]+-)?(?:service|routes)\.ts'/g,
	service: /from '\.\/(?:[a-z-]+-)?routes\.ts'/g,
}

const closedRoles: Rule = (file) => {
	if (!isInFeatureServer(file) || !isCode(file) || isTest(file)) return []
	const role = file.name.replace(/\.ts$/, '')
	if (roles.has(role) || divisible.some((kind) => role.endsWith(`-${kind}`))) return []
	const message = `"${role}" is not a known role: take a name from scripts/structure/role-names.ts, or add this one there.`
	return [{ path: file.path, line: 1, message }]
}

const knownFeatures: Rule = (file) => {
	const feature = /^src\/features\/([^/]+)\//.exec(file.path)?.[1]
	if (feature === undefined || features.includes(feature)) return []
	const message = `"${feature}" is not a known feature: give it its place in the order in scripts/structure/features.ts.`
	return [{ path: file.path, line: 1, message }]
}

const noDrawers: Rule = (file) => {
	if (!isCode(file)) return []
	const at = { path: file.path, line: 1 }
	const drawer = drawers.test(file.path)
		? [{ ...at, message: 'A drawer for everything: name the file for the thing it is about.' }]
		: []
	const barrel = /^index\.(ts|tsx|mjs)$/.test(file.name)
		? [
				{
					...at,
					message: 'A barrel: import each thing from the file that defines it, and name files for what they hold.',
				},
			]
		: []
	const spelled = kebab.test(file.name) ? [] : [{ ...at, message: 'File names are kebab-case: contact-list.tsx' }]
	return [...drawer, ...barrel, ...spelled]
}

const layersLookDown: Rule = (file) => {
	if (!isInFeatureServer(file) || isTest(file)) return []
	const layer = /(?:^|-)(queries|service)\.ts$/.exec(file.name)?.[1] as keyof typeof upward | undefined
	if (!layer) return []
	const message = 'routes → service → queries, never up: move what both need down.'
	return [...file.text.matchAll(upward[layer])].map((match) => ({
		path: file.path,
		line: file.text.slice(0, match.index).split('\n').length,
		message,
	}))
}

export const nameRules = [closedRoles, knownFeatures, noDrawers, layersLookDown]
