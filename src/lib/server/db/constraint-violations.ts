import { DatabaseError } from 'pg'

const UNIQUE_VIOLATION = '23505'

/**
 * Returns true when the error is a violation of this unique index or constraint. On a distributed table the name
 * carries a shard number, sometimes only in the message.
 */
export function violates(error: unknown, constraint: string): boolean {
	if (!(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) return false
	const name = error.constraint ?? /unique constraint "([^"]+)"/.exec(error.message)?.[1] ?? ''
	return name === constraint || name.replace(/_\d+$/, '') === constraint
}
