import { rupeesFromPaise } from '#lib/money.ts'
import type { AdminActionRow } from '../audit-queries.ts'
import type { Member } from '../queries.ts'
import type { SessionRow } from './session-queries.ts'

export function presentMember({ id, name, email, role, seat, isActive }: Member, balancePaise: number) {
	return { _id: id, id, name, email, role, seat, isActive, walletBalance: rupeesFromPaise(balancePaise) }
}

export function presentSession({ userAgent, ip, createdAt, lastSeenAt, ...session }: SessionRow, tokenHash: Buffer) {
	return { device: deviceOf(userAgent), ip, createdAt, lastSeenAt, isThis: session.tokenHash.equals(tokenHash) }
}

export function presentAdminAction(row: AdminActionRow) {
	const { id, actorName, actorEmail, subjectName, subjectEmail, ...action } = row
	const subject = subjectName === null ? null : { name: subjectName, email: subjectEmail ?? '' }
	return { ...action, _id: id, actor: { name: actorName, email: actorEmail }, subject }
}

// The order matters: most browsers also name Chrome or Safari, and Android also names Linux.
const BROWSERS: [RegExp, string][] = [
	[/\bEdg(?:A|iOS)?\//, 'Edge'],
	[/\bOPR\//, 'Opera'],
	[/\bSamsungBrowser\//, 'Samsung Internet'],
	[/\b(?:Firefox|FxiOS)\//, 'Firefox'],
	[/(?:Chrome|CriOS)\//, 'Chrome'],
	[/ Safari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
	[/\bAndroid\b/, 'Android'],
	[/\biPhone\b/, 'iPhone'],
	[/\biPad\b/, 'iPad'],
	[/\bWindows\b/, 'Windows'],
	[/\bCrOS\b/, 'ChromeOS'],
	[/\bMac OS X\b/, 'Mac'],
	[/\bLinux\b/, 'Linux'],
]

/** Returns a device such as "Chrome on Windows"; "Unknown device" when no rule matches. */
export function deviceOf(userAgent: string): string {
	const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1]
	const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
	return browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'Unknown device')
}
