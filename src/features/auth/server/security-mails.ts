import type { Sql } from '#lib/server/db.ts'
import { addJobs, handlerOf, jobKind } from '#lib/server/jobs/jobs.ts'
import type { Mailer } from '#lib/server/mail.ts'
import { lockAddresses } from './email-change-queries.ts'

const ACCOUNT = 'your account for WhatsApp Bulk Message'
const PASSWORD_STOLEN =
	'If that was not you, somebody knows your password: choose a new one by\n"Forgot password" on the sign-in page, and contact your administrator at once.'
const PROGRAMS_STOLEN =
	'If that was not you, choose a new password by "Forgot password" on the\nsign-in page, then open Developers and press "Revoke everything".'

/** Subject and text of each mail about an account's security. They contain no text that a user typed. */
const MAILS = {
	'second-factor-added': {
		subject: 'Two-step login was set up for your account',
		text: `Signing in to ${ACCOUNT} now\nasks for a code of an authenticator app after the password.\n\nIf that was not you, somebody knows your password: contact your\nadministrator at once.`,
	},
	'second-factor-removed': {
		subject: 'Two-step login of your account was removed',
		text: `Signing in to ${ACCOUNT} now\nasks only for the password.\n\nIf that was not you, somebody knows your password and has had your\ncodes: change the password, and contact your administrator at once.`,
	},
	'second-factor-reset': {
		subject: 'Two-step login of your account was reset',
		text: `An administrator has removed the two-step login of\n${ACCOUNT}. Signing in asks\nonly for the password until you set up another one, in Settings.\n\nIf you did not ask for this, contact your administrator at once.`,
	},
	'password-changed': {
		subject: 'Your password was changed',
		text: `The password of ${ACCOUNT}\nwas changed by a person who was signed in and knew the old one.\n\n${PASSWORD_STOLEN}`,
	},
	'password-reset': {
		subject: 'Your password was reset',
		text: `The password of ${ACCOUNT}\nwas reset by a link from an email. Everybody was signed out.\n\nIf that was not you, somebody reads your emails: secure your mailbox,\nand contact your administrator at once.`,
	},
	'api-key-made': {
		subject: 'An API key was made for your account',
		text: `A new API key of ${ACCOUNT}\nlets a program use it. Settings show which one.\n\n${PROGRAMS_STOLEN}`,
	},
	'colleague-invited': {
		subject: 'A colleague was invited to your account',
		text: `Another person may now work in ${ACCOUNT}.\nSettings, part People, show who it is.\n\nIf that was not you, remove the person there, and choose a new password\nby "Forgot password" on the sign-in page.`,
	},
	'webhook-added': {
		subject: 'A webhook was added to your account',
		text: `Events of ${ACCOUNT}\nare now sent to a new address. Developers shows which one.\n\n${PROGRAMS_STOLEN}`,
	},
	'webhook-changed': {
		subject: 'A webhook of your account was changed',
		text: `A webhook of ${ACCOUNT}\nhas got another address or another secret. Developers shows its address.\n\n${PROGRAMS_STOLEN}`,
	},
	'data-downloaded': {
		subject: 'The data of your deleted account was downloaded',
		text: `An administrator has downloaded all data of ${ACCOUNT},
which was deleted.

If you did not ask for this, contact your administrator.`,
	},
	'programs-revoked': {
		subject: 'All API keys and webhooks of your account were revoked',
		text: `All API keys and webhooks of\n${ACCOUNT} were revoked. Programs\nthat used them are refused from now on.\n\nIf that was not you, contact your administrator at once.`,
	},
} as const

export type SecurityMail = keyof typeof MAILS

const securityMailJob = jobKind<{ to: string; mail: SecurityMail }>('security-mail')

/** Job kind of the previous release. Jobs that it queued may still wait. */
const secondFactorJob = jobKind<{ to: string; change: 'added' | 'removed' | 'reset' }>('second-factor-mail')

/** Queues a mail to the user's proved address, in the transaction of the change. */
export async function mailPerson(sql: Sql, userId: number, mail: SecurityMail): Promise<void> {
	const addresses = await lockAddresses(sql, userId)
	if (addresses) await queueMail(sql, addresses.provedEmail ?? addresses.email, mail)
}

/** Queues a mail to an address, such as that of a deleted user. */
export function queueMail(sql: Sql, to: string, mail: SecurityMail): Promise<void> {
	return addJobs(sql, securityMailJob, [{ to, mail }])
}

export const securityMails = ({ mailer }: { mailer: Mailer }) => {
	const send = (to: string, mail: SecurityMail) => {
		const { subject, text } = MAILS[mail]
		return mailer.send({ to, subject, text: `${text}\n` })
	}
	return [
		handlerOf(securityMailJob, ({ data }) => send(data.to, data.mail)),
		handlerOf(secondFactorJob, ({ data }) => send(data.to, `second-factor-${data.change}`)),
	]
}
