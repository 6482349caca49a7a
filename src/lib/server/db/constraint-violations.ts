import { DatabaseError } from 'pg'

const UNIQUE_VIOLATION = '23505'

/**
 * Whether PostgreSQL refused a row because of this unique index or constraint. On a distributed table its name carries the
 * shard's number, at times in the message alone.
 */
export function violates(error: unknown, constraint: string): boolean {
	if (!(error instanceof DatabaseError) || error.code !== UNIQUE_VIOLATION) return false
	const name = error.constraint ?? /unique constraint "([^"]+)"/.exec(error.message)?.[1] ?? ''
	return name === constraint || name.replace(/_\d+$/, '') === constraint
}
