import type { Sql } from '#lib/server/db.ts'
import { Statement } from '#lib/server/statement.ts'

/**
 * Returns `sql` that runs each statement, and collects the statements whose plan involves a machine other than the one at
 * `port`.
 */
export function explainPlans(sql: Sql, port: number): { sql: Sql; elsewhere: string[]; count: () => number } {
	const elsewhere: string[] = []
	let explainedCount = 0
	const tag = (strings: TemplateStringsArray, ...values: unknown[]) =>
		new Statement(strings, values, async () => {
			const rows = await sql`explain (costs off) ${new Statement(strings, values)}`
			const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
			explainedCount++
			if (!isOfOneMachine(plan, port)) elsewhere.push(`${strings.join('?')}\n${plan}`)
			return sql(strings, ...values)
		})
	return {
		sql: Object.assign(tag as unknown as Sql, { unsafe: sql.unsafe, notify: sql.notify, vault: sql.vault }),
		elsewhere,
		count: () => explainedCount,
	}
}

function isOfOneMachine(plan: string, port: number): boolean {
	if (plan.includes('Distributed Subplan')) return false
	// Rows that the coordinator creates are sent only to the account's shard.
	if (/INSERT\/SELECT method: pull to coordinator\n {2}-> {2}(?:Sort\n.*\n {8}-> {2})?Function Scan/.test(plan))
		return true
	const ports = [...plan.matchAll(/Node: host=\S+ port=(\d+)/g)].map((match) => Number(match[1]))
	return plan.includes('Task Count: 1') && ports.length === 1 && ports[0] === port
}
