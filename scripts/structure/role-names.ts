import { FEATURES } from './features.ts'
import { isCode, isInFeatureServer, isTest, type Problem, type Rule, type Source } from './source.ts'

/** What a file in a feature's server folder may be. A new name is a decision: add it here when none of these fits. */
const ROLES = new Set([
	'routes',
	'service',
	'queries',
	'account-changes',
	'account-schedule',
	'attachments',
	'audience-file',
	'auto-pause',
	'backoff',
	'block-size',
	'changes',
	'chat-key',
	'circuit-breaker',
	'claims',
	'cloud-api',
	'cloud-api-templates',
	'component-update',
	'concurrency-limit',
	'cloud-api-media',
	'content-reader',
	'counter-changes',
	'create',
	'credentials',
	'delivery-reader',
	'delivery-writer',
	'deliver',
	'dispatcher',
	'failure-limit',
	'font-shaping',
	'file-analysis',
	'export',
	'file-answer',
	'graph-client',
	'header-file',
	'hourly-sync',
	'import',
	'in-flight-window',
	'ingest',
	'late-replies',
	'ledger',
	'mails',
	'media-fetcher',
	'message-changes',
	'message-columns',
	'message-id',
	'meta-body',
	'message-reader',
	'merge-values',
	'message-sources',
	'meta-check',
	'meta-template',
	'money',
	'month-statement',
	'notices',
	'numbers',
	'open',
	'opener',
	'opt-out-replies',
	'opt-outs',
	'pacer',
	'passwords',
	'pdf-document',
	'pdf-table',
	'pdf-text',
	'present',
	'price',
	'receipt-pdf',
	'reconciliation',
	'receive',
	'recorder',
	'recovery',
	'refusal',
	'remove',
	'render',
	'renderer-cache',
	'replies',
	'reply-classifier',
	'reported-faults',
	'repricing',
	'required-sender',
	'routing',
	'sample-download',
	'samples',
	'search-text',
	'send',
	'send-log',
	'send-loop',
	'send-message',
	'send-template',
	'sender',
	'sender-directory',
	'sender-run',
	'sessions',
	'settle',
	'silence',
	'statement-file',
	'statement-pdf',
	'status-reports',
	'submit',
	'sweeps',
	'sync',
	'transitions',
	'test-message',
	'warnings',
	'webhook',
	'woff',
	'work',
	'write-campaign',
])
// These may carry a word before them: claim-queries.ts, import-routes.ts.
const QUALIFIED_ROLES = ['channel', 'queries', 'routes', 'service']

const CATCH_ALL = /(?:^|\/)(?:utils?|helpers?|common|misc|shared)(?:\/|\.[a-z.]+$)/
const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+)+$/

const roleOf = ({ name }: Source) => name.replace(/\.ts$/, '')

const closedRoles: Rule = (file) => {
	if (!isInFeatureServer(file) || !isCode(file) || isTest(file)) return []
	const role = roleOf(file)
	if (ROLES.has(role) || QUALIFIED_ROLES.some((kind) => role.endsWith(`-${kind}`))) return []
	const message = `"${role}" is not a known role: take a name from scripts/structure/role-names.ts, or add this one there.`
	return [{ path: file.path, line: 1, message }]
}

const knownFeatures: Rule = (file) => {
	const feature = /^src\/features\/([^/]+)\//.exec(file.path)?.[1]
	if (feature === undefined || FEATURES.includes(feature)) return []
	const message = `"${feature}" is not a known feature: give it its place in the order in scripts/structure/features.ts.`
	return [{ path: file.path, line: 1, message }]
}

const noCatchAlls: Rule = (file) => {
	if (!isCode(file)) return []
	const at = { path: file.path, line: 1 }
	const catchAll = CATCH_ALL.test(file.path)
		? [{ ...at, message: 'A catch-all: name the file for the thing it is about.' }]
		: []
	const barrel = /^index\.(ts|tsx|mjs)$/.test(file.name)
		? [
				{
					...at,
					message: 'A barrel: import each thing from the file that defines it, and name files for what they hold.',
				},
			]
		: []
	const spelled = KEBAB_CASE.test(file.name) ? [] : [{ ...at, message: 'File names are kebab-case: contact-list.tsx' }]
	return [...catchAll, ...barrel, ...spelled]
}

/** Reports roles without a file: a new file could take one without a decision. */
export function unusedRoles(files: Source[]): Problem[] {
	const path = 'scripts/structure/role-names.ts'
	if (!files.some((file) => file.path === path)) return []
	const used = new Set(files.filter(isInFeatureServer).map((file) => roleOf(file)))
	return [...ROLES.difference(used)].map((role) => ({
		path,
		line: 1,
		message: `No file has the role "${role}": remove it from the list.`,
	}))
}

export const nameRules = [closedRoles, knownFeatures, noCatchAlls]
