import type { Scope } from '../contract.ts'

/** Text of each scope on the screen. */
export const SCOPE_TEXTS: Record<Scope, string> = {
	'messages:write': 'Send messages',
	'messages:read': 'Read the status of messages',
	'campaigns:write': 'Start campaigns and read reports',
	'campaigns:read': 'Only read campaigns and reports',
	'contacts:write': 'Add and change contacts, groups and opt-outs',
	'contacts:read': 'Only read contacts, groups and opt-outs',
	'templates:read': 'Read templates',
	'account:read': 'Read balance and statement',
}
