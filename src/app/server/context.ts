import type { RestoreGenerations } from '#features/delivery/server/message/message-id.ts'
import type { PaymentCounters } from '#features/payments/server/counters.ts'
import type { PaymentProvider } from '#features/payments/server/provider/provider.ts'
import type { Links } from '#features/templates/server/links.ts'
import type { CloudApi } from '#features/whatsapp/server/graph-client.ts'
import type { Db } from '#lib/server/db.ts'
import type { Listener } from '#lib/server/db/channels/listener.ts'
import type { DatabaseWatch } from '#lib/server/db/hosts/database-watch.ts'
import type { Log } from '#lib/server/log.ts'
import type { Mailer } from '#lib/server/mail.ts'
import type { Vault } from '#lib/server/secrets.ts'
import type { AccountStorage } from '#lib/server/storage/account-storage.ts'
import type { Hooks } from './compose.ts'
import type { Env } from './env.ts'

/**
 * Dependencies that the parts of a process share. A feature declares the fields it needs; `composeHooks` creates the
 * hooks.
 */
export interface AppContext extends Hooks {
	env: Env
	log: Log
	db: Db
	restoreGenerations: RestoreGenerations
	links: Links
	watch: DatabaseWatch
	listener: Listener
	vault: Vault
	cloudApi: CloudApi
	storage: AccountStorage
	mailer: Mailer
	/** Null when users cannot add money online. */
	paymentProvider: PaymentProvider | null
	paymentCounters: PaymentCounters
}
