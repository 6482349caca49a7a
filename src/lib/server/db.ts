import postgres from 'postgres'

/** A pool. `Sql` is what queries take: the pool or a transaction of it. */
export type Db = postgres.Sql<{ bigint: number }>
export type Sql = postgres.ISql<{ bigint: number }>

/** The account that a query is about. Minted by the session gate and by queries across owners, nowhere else. */
export type OwnerId = number & { readonly owner: unique symbol }

export interface DbOptions {
	/** Connections at most. */
	max?: number
	/** Keeps a connection for as long as it lasts, instead of renewing it every half hour or so. */
	lasting?: boolean
	/** Shown in pg_stat_activity. */
	name?: string
}

/** bigint columns come as numbers: ids and paise stay below 2^53, and one that did not would be an error here. */
export function connect(url: string, options: DbOptions = {}): Db {
	return postgres(url, {
		max: options.max ?? 10,
		...(options.lasting && { max_lifetime: null }),
		onnotice: () => {},
		connection: { application_name: options.name ?? 'whatsapp-bulk-message' },
		types: {
			bigint: {
				to: 20,
				from: [20],
				serialize: String,
				parse: (text: string) => {
					const value = Number(text)
					if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`)
					return value
				},
			},
		},
	})
}

/** Runs `work` in one transaction; what it throws rolls everything back. */
export function transaction<T>(db: Db, work: (sql: Sql) => Promise<T>): Promise<T> {
	return db.begin(work) as Promise<T>
}
