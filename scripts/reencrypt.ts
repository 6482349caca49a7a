import { readEnvOrExit } from '#app/server/env.ts'
import { reencryptKeyCheck } from '#features/auth/server/installation/secret-key.ts'
import { reencryptSecondFactors } from '#features/auth/server/second-factor/second-factor-service.ts'
import { reencryptErasureKeys } from '#features/contacts/server/erasure/erased.ts'
import { reencryptAddresses } from '#features/developer/server/webhooks/addresses.ts'
import { reencryptSenders } from '#features/whatsapp/server/reencrypt.ts'
import { plural } from '#lib/numbers.ts'
import { connect } from '#lib/server/db.ts'
import { findSchemaDifference } from '#lib/server/db/schema/schema.ts'
import { createVault } from '#lib/server/secrets.ts'
import { openDatabase } from './open-database.ts'

/**
 * `npm run reencrypt`: encrypts with SECRET_KEY every secret that a key of SECRET_KEYS_OLD encrypted, so that the old keys can be
 * removed. May run while the product runs, and may be repeated. Exits with 1 if no key decrypts one of the secrets.
 */
const env = readEnvOrExit()
const { url, stop } = await openDatabase()
const db = connect(url, { max: 1, name: 'reencrypt' })

try {
	const difference = await findSchemaDifference(db)
	if (difference) throw new Error(difference.problem)
	const vault = createVault(env.SECRET_KEY, env.SECRET_KEYS_OLD)
	await reencryptKeyCheck(db, vault)
	const senders = await reencryptSenders(db, vault)
	const factors = await reencryptSecondFactors(db, vault)
	const erasures = await reencryptErasureKeys(db, vault)
	const webhooks = await reencryptAddresses(db, vault)
	console.log(
		`${plural(senders.reencrypted, 'account')} and ${plural(factors.reencrypted, 'second factor')} encrypted anew.`,
	)
	for (const accountId of senders.unreadable)
		console.log(
			`Account ${accountId}: no key decrypts its credentials. Add the key to SECRET_KEYS_OLD, or enter them again.`,
		)
	for (const accountId of factors.unreadable)
		console.log(
			`Account ${accountId}: no key decrypts its second factor. Add the key to SECRET_KEYS_OLD, or reset the factor.`,
		)
	for (const accountId of erasures.unreadable)
		console.log(
			`Account ${accountId}: no key decrypts what its erased people are known by. Add the key to SECRET_KEYS_OLD: without it, nobody can be added or written to.`,
		)
	for (const accountId of webhooks.unreadable)
		console.log(
			`Account ${accountId}: no key decrypts the secret of a webhook. Add the key to SECRET_KEYS_OLD, or make a new secret.`,
		)
	const unreadable = [senders, factors, erasures, webhooks].flatMap((done) => done.unreadable)
	process.exitCode = unreadable.length > 0 ? 1 : 0
} catch (error) {
	console.error(error instanceof Error ? error.message : error)
	process.exitCode = 2
} finally {
	await db.end()
	await stop()
}
