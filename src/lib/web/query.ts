import { keepPreviousData, notifyManager, QueryClient, queryOptions } from '@tanstack/react-query'
import type { Endpoint } from '#lib/endpoint.ts'
import { ApiError, call, GATEWAY_ERRORS, type ArgList, type Args } from './api.ts'
import { isConnected, onReconnect } from './connection.ts'
import { readToken } from './session.ts'

/**
 * The page's query client. Retries a call without an answer twice, and no error response, since its screen offers
 * Retry. Without a network a query fails instead of pausing: all queries are refetched when the network returns.
 */
export const queryClient = new QueryClient({
	defaultOptions: {
		queries: {
			staleTime: 15_000,
			networkMode: 'always',
			retry: (failures, error) => isUnanswered(error) && failures < 2 && isConnected(),
			retryDelay: (attempt) => 500 * 2 ** attempt,
		},
		mutations: { networkMode: 'always', retry: false },
	},
})

// Updates in a microtask, so that a button is busy before the second click of a double click.
notifyManager.setScheduler(queueMicrotask)

onReconnect(() => void queryClient.invalidateQueries())

/** Returns true without an answer, or with a proxy's answer for a server that is down. */
function isUnanswered(error: unknown): boolean {
	return error instanceof ApiError && (error.status === 0 || GATEWAY_ERRORS.includes(error.status))
}

/** Adds refetching after a failure, for queries whose screen has no Retry button, such as those in the header. */
export function selfRetrying<Options extends object>(options: Options) {
	return {
		...options,
		refetchInterval: ({ state }: { state: { status: string } }) => state.status === 'error' && RETRY_INTERVAL_MS,
	} as const
}

const RETRY_INTERVAL_MS = 15_000

interface KeyParts {
	params?: unknown
	query?: unknown
}

/** Returns the options of `useQuery` for `endpoint`: `useQuery(query(campaigns.list, { query: { page } }))`. */
export function query<E extends Endpoint>(endpoint: E, ...args: ArgList<E>) {
	const { params = {}, query: search = {} } = (args[0] ?? {}) as KeyParts
	return queryOptions({
		queryKey: [endpoint.path, params, search],
		queryFn: ({ signal }) => call(endpoint, ...([{ ...args[0], signal }] as unknown as ArgList<E>)),
	})
}

/** Options of a query for the values of a form: read anew when the form opens, and never while a person edits it. */
export const FORM_VALUES = {
	gcTime: 0,
	staleTime: Infinity,
	refetchOnWindowFocus: false,
	refetchOnReconnect: false,
} as const

/** Returns the options of `query` for the values of a form. An old answer would be shown as the stored values, and saved again. */
export function formQuery<E extends Endpoint>(endpoint: E, ...args: ArgList<E>) {
	const { queryKey, queryFn } = query(endpoint, ...args)
	return queryOptions({ queryKey: [...queryKey, 'form'], queryFn, ...FORM_VALUES })
}

/** Returns the options of `query`, with the old page shown while the next one loads. */
export function paged<E extends Endpoint>(
	endpoint: E,
	...args: ArgList<E>
): ReturnType<typeof query<E>> & { placeholderData: typeof keepPreviousData } {
	return { ...query(endpoint, ...args), placeholderData: keepPreviousData }
}

/**
 * Returns the options of `useMutation`: `useMutation({ ...mutation(users.remove), onSuccess })`, then `mutate({ params:
 * { id } })`.
 */
export function mutation<E extends Endpoint>(endpoint: E) {
	return { mutationFn: (args: Args<E>) => call(endpoint, ...([args] as unknown as ArgList<E>)) }
}

/** Marks all queries as stale and refetches the mounted ones, unless the session has ended. */
export async function invalidateAll(): Promise<void> {
	// A refetch without a session would only fail and repeat its message.
	if (readToken() !== null) await queryClient.invalidateQueries()
}

/** Marks all queries of these endpoints as stale, whatever their parameters, and refetches the mounted ones. */
export async function invalidate(...endpoints: Endpoint[]): Promise<void> {
	// Without a session each refetch would only fail and repeat its message.
	if (readToken() === null) return
	await Promise.all(endpoints.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })))
}
