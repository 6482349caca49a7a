import type { Db } from '#lib/server/db.ts'
import { retriedTransaction } from '#lib/server/db/deadlocks.ts'
import { handlerOf, jobKind } from '#lib/server/jobs/jobs.ts'
import type { Mailer } from '#lib/server/mail.ts'
import { randomToken, sha256 } from '#lib/server/secrets.ts'
import { authPaths } from '../paths.ts'
import { insertEmailLink, lockAddresses } from './email-change-queries.ts'
import * as queries from './queries.ts'
import { deleteResets, insertReset, lockResets } from './reset-queries.ts'
import { securityMails } from './security-mails.ts'

const HOUR_SECONDS = 3600
/** Validity of an invitation in seconds: long enough for a weekend's absence. */
const INVITE_SECONDS = 3 * 24 * HOUR_SECONDS
/** Maximum number of reset mails per user and hour. */
const MAX_LINKS = 5

/**
 * Job that mails a reset link. Its data has only the typed address, known or not, so that a request takes the same
 * steps for every address and the queue never holds a token.
 */
export const resetMailJob = jobKind<{ email: string }>('reset-mail')

/** Job that notifies `to`, the last proved address before the change, of the change of address. */
export const emailChangedJob = jobKind<{ userId: number; to: string; proof: 'password' | 'admin' | 'none' }>(
	'email-changed-mail',
)

/** Job that mails a user without a password a link to choose one. */
export const inviteMailJob = jobKind<{ userId: number }>('invite-mail')

export interface MailContext {
	db: Db
	mailer: Mailer
	env: { PUBLIC_URL: string }
}

// Mails contain no text that a user typed, such as a name, since a user could type a link and have us mail it to any address.
// Lines stay short, so that mail programs and the .eml file show a link in one piece.

/** Returns a link with the token in the fragment (#). Browsers do not send the fragment, so the token reaches no log. */
function linkTo({ env }: MailContext, path: string, token: string): string {
	return `${env.PUBLIC_URL.replace(/\/$/, '')}${path}#${token}`
}

/**
 * Creates a reset link for the user of this address and mails it; does nothing for an unknown or inactive user, or
 * after `MAX_LINKS` mails in an hour. A repetition after a crash mails another link.
 */
export async function sendResetMail(context: MailContext, { email }: { email: string }): Promise<void> {
	const { db, mailer } = context
	const person = await queries.findByEmail(db, email)
	if (!person?.isActive) return
	const token = randomToken()
	const reset = { tokenHash: sha256(token), userId: person.id, seconds: HOUR_SECONDS, most: MAX_LINKS }
	const isAdded = await retriedTransaction(db, async (sql) => {
		await lockResets(sql, person.id)
		return insertReset(sql, reset)
	})
	if (!isAdded) return
	await mailer.send({
		to: person.resetEmail,
		subject: 'Reset your password',
		text: [
			'Somebody asked to reset the password of your account for WhatsApp\nBulk Message. To choose a new one, open this link within one hour:',
			linkTo(context, authPaths.reset, token),
			'It works once. If you did not ask for this, ignore this email:\nyour password stays unchanged.',
			...(person.isEmailProved
				? []
				: [
						'The email address of your account was changed a few days ago. If\nthat was not you, undo it by the link in our email about it.',
					]),
			'',
		].join('\n\n'),
	})
}

/**
 * Mails an invited user the link to choose a password, and invalidates the earlier link. Does nothing for a user who
 * has a password or may not sign in.
 */
export async function sendInviteMail(context: MailContext, { userId }: { userId: number }): Promise<void> {
	const token = randomToken()
	const link = { tokenHash: sha256(token), userId, seconds: INVITE_SECONDS, most: 1 }
	const person = await retriedTransaction(context.db, async (sql) => {
		await lockResets(sql, userId)
		if (!(await queries.waitsForPassword(sql, userId))) return undefined
		await deleteResets(sql, userId)
		await insertReset(sql, link)
		return queries.findMember(sql, userId)
	})
	// The user has chosen a password, was deactivated or was deleted in the meantime.
	if (person === undefined) return
	const isColleague = person.worksIn !== null
	const text = [
		isColleague
			? 'A business has invited this email address to work in its account at\nWhatsApp Bulk Message. To accept, choose a password by this link within\nthree days:'
			: 'An administrator has created an account for this email address at\nWhatsApp Bulk Message. To choose its password, open this link within\nthree days:',
		linkTo(context, authPaths.reset, token),
		`It works once. Then sign in with this address and your password. If\nthe link is too old, ask ${isColleague ? 'the business' : 'your administrator'} for another one.`,
		'If you did not expect this, ignore this email.',
		'',
	]
	const subject = isColleague ? 'You are invited to an account' : 'Choose a password for your account'
	await context.mailer.send({ to: person.email, subject, text: text.join('\n\n') })
}

const CHANGED = 'The email address of your account for WhatsApp Bulk Message was\nchanged'
const BY_PASSWORD = `${CHANGED}, by somebody who knows its password. This address can no\nlonger sign in.\n\nIf that was not you, contact your administrator at once.`
const BY_ADMIN = `${CHANGED} by an administrator. This address can no longer sign\nin.\n\nIf you did not expect that, contact your administrator.`

/**
 * Mails the change of address to `to`, the last proved address before the change. The mail about an unproved change
 * includes the links to agree to the change or undo it.
 */
async function sendEmailChangedMail(
	context: MailContext,
	{ userId, to, proof }: { userId: number; to: string; proof: 'password' | 'admin' | 'none' },
): Promise<void> {
	const subject = 'Your email address was changed'
	if (proof !== 'none') {
		await context.mailer.send({ to, subject, text: `${proof === 'admin' ? BY_ADMIN : BY_PASSWORD}\n` })
		return
	}
	const token = randomToken()
	const isPending = await retriedTransaction(context.db, async (sql) => {
		const addresses = await lockAddresses(sql, userId)
		if (addresses?.provedEmail !== to) return false
		await insertEmailLink(sql, { tokenHash: sha256(token), userId, newEmail: addresses.email })
		return true
	})
	// The change was undone or proved in the meantime.
	if (!isPending) return
	const text = [
		`${CHANGED} by somebody who was signed in. For 7 days this address\ncan also sign in, and only this address gets links to reset the password.`,
		'If that was NOT you, undo the change. This also signs out everybody\nwho is signed in to your account, and revokes the API keys and webhooks\nmade since:',
		linkTo(context, `${authPaths.emailChange}/undo`, token),
		'If it was you, confirm it, so that only the new address can sign in:',
		linkTo(context, `${authPaths.emailChange}/agree`, token),
		'After 7 days only the new address can sign in, even without your answer.',
		'',
	]
	await context.mailer.send({ to, subject, text: text.join('\n\n') })
}

/** Returns the handlers of all mail jobs of accounts. */
export const accountMails = (context: MailContext) => [
	handlerOf(resetMailJob, ({ data }) => sendResetMail(context, data)),
	handlerOf(inviteMailJob, ({ data }) => sendInviteMail(context, data)),
	handlerOf(emailChangedJob, ({ data }) => sendEmailChangedMail(context, data)),
	...securityMails(context),
]
