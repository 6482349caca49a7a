import postgres from 'postgres'

/** Whether PostgreSQL refused a row because of this constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
	return error instanceof postgres.PostgresError && error.constraint_name === constraint
}
