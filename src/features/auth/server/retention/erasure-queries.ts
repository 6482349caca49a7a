import { transaction, type Db, type Sql } from '#lib/server/db.ts'
import { insertAdminAction } from '../audit-queries.ts'

/** Replacement for the name of an erased user. */
const ERASED_NAME = 'Erased account'

/**
 * Erases a deleted user from tables that every node holds, and returns the number of rows. Deletes sessions, mailed links
 * and second factor, replaces the name in `users`, and replaces name and details in audit entries about the user. Retains the
 * name of an admin in audit entries about other people.
 */
export async function eraseUser(db: Db, userId: number): Promise<number> {
	return transaction(db, async (sql) => {
		const gone = [
			await sql`delete from sessions where user_id = ${userId}`,
			await sql`delete from password_resets where user_id = ${userId}`,
			await sql`delete from email_changes where user_id = ${userId}`,
			await sql`delete from second_factors where user_id = ${userId}`,
			await sql`delete from recovery_codes where user_id = ${userId}`,
			await sql`
				update users
				set name = ${ERASED_NAME}, email = '', password_hash = '', business_name = null, business_address = null, business_state = null, gstin = null,
					links_stopped_reason = null,
					proved_email = null, email_unproved_until = null
				where id = ${userId} and deleted_at is not null and email <> ''
			`,
		]
		return gone.reduce((sum, { count }) => sum + count, await eraseFromTrail(sql, userId))
	})
}

async function eraseFromTrail(sql: Sql, userId: number): Promise<number> {
	// An owner's actions on colleagues are the owner's, not an admin's.
	const own = sql`(actor_id = subject_id or action like 'colleague-%')`
	await sql`set local audit.erasure = 'on'`
	const [named] = await sql<{ total: number }[]>`
		select count(*) as total from admin_actions where subject_id = ${userId} and subject_email <> ''
	`
	if (!named?.total) return 0
	await sql`
		update admin_actions
		set subject_name = ${ERASED_NAME}, subject_email = '', details = null,
			actor_name = case when ${own} then ${ERASED_NAME} else actor_name end,
			actor_email = case when ${own} then '' else actor_email end, ip = case when ${own} then null else ip end
		where subject_id = ${userId} and subject_email <> ''
	`
	return named.total
}

/**
 * Marks a deleted user as erased and records the erasure in the audit trail. The actor is the admin who deleted the user, or
 * the user when that admin is unknown.
 */
export async function markErased(db: Db, { id, deletedAt }: { id: number; deletedAt: Date }): Promise<void> {
	await transaction(db, async (sql) => {
		await sql`update users set erased_at = now() where id = ${id}`
		const [deletion] = await sql<{ actorId: number }[]>`
			select actor_id as "actorId" from admin_actions
			where subject_id = ${id} and action = 'user-deleted'
			order by id desc
			limit 1
		`
		const details = `user ID ${id}, deleted on ${deletedAt.toISOString().slice(0, 10)}`
		const actorId = deletion?.actorId ?? id
		await insertAdminAction(sql, { actorId, action: 'data-erased', subjectId: id, details, ip: null })
	})
}
