import type { Scope } from '../contract.ts'

/** Text of each scope on the screen. */
export const SCOPE_TEXTS: Record<Scope, string> = {
	'messages:write': 'Send messages',
	'messages:read': 'Read what became of messages',
	'campaigns:write': 'Start and follow campaigns',
	'campaigns:read': 'Only follow campaigns',
	'contacts:write': 'Keep contacts, groups and opt-outs',
	'contacts:read': 'Only read contacts, groups and opt-outs',
	'templates:read': 'Read templates',
	'account:read': 'Read balance and statement',
}
