import { rupeesFromPaise } from '#lib/money.ts'
import type { AdminAction, OpenSession, SessionUser } from '../contract.ts'
import type { AdminActionRow } from './audit-queries.ts'
import type { Member } from './queries.ts'
import type { SessionRow } from './session-queries.ts'

export function presentMember(member: Member, balancePaise: number): SessionUser {
	const { name, email, role, isActive } = member
	const id = String(member.id)
	return { _id: id, id, name, email, role, isActive, walletBalance: rupeesFromPaise(balancePaise) }
}

export function presentSession(row: SessionRow, tokenHash: Buffer): OpenSession {
	return {
		device: deviceOf(row.userAgent),
		ip: row.ip,
		createdAt: row.createdAt.toISOString(),
		lastSeenAt: row.lastSeenAt.toISOString(),
		isThis: row.tokenHash.equals(tokenHash),
	}
}

export function presentAdminAction(row: AdminActionRow): AdminAction {
	const { id, action, details, ip, createdAt, actorName, actorEmail, subjectName, subjectEmail } = row
	return {
		_id: String(id),
		action,
		actor: { name: actorName, email: actorEmail },
		subject: subjectName === null ? null : { name: subjectName, email: subjectEmail ?? '' },
		details,
		ip,
		createdAt: createdAt.toISOString(),
	}
}

// In this order: most browsers also call themselves Chrome or Safari, and Android also calls itself Linux.
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

/** "Chrome on Windows", for a person to recognise; what no rule knows is "Unknown device". */
export function deviceOf(userAgent: string): string {
	const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1]
	const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1]
	return browser && system ? `${browser} on ${system}` : (browser ?? system ?? 'Unknown device')
}
