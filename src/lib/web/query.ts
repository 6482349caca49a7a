import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query'
import type { Endpoint } from '#lib/endpoint.ts'
import { ApiError, call, type ArgList, type Args } from './api.ts'

/** One per page load. A refusal (4xx) is an answer and is never asked for again; what did not answer is, twice. */
export const queryClient = new QueryClient({
	defaultOptions: {
		queries: {
			staleTime: 15_000,
			retry: (failures, error) => !isRefusal(error) && failures < 2,
			retryDelay: (attempt) => 500 * 2 ** attempt,
		},
		mutations: { retry: false },
	},
})

function isRefusal(error: unknown): boolean {
	return error instanceof ApiError && error.status >= 400 && error.status < 500
}

interface KeyParts {
	params?: unknown
	query?: unknown
}

/** What `useQuery` needs to read `endpoint`: `useQuery(query(campaigns.list, { query: { page } }))`. */
export function query<E extends Endpoint>(endpoint: E, ...args: ArgList<E>) {
	const { params = {}, query: search = {} } = (args[0] ?? {}) as KeyParts
	return queryOptions({
		queryKey: [endpoint.path, params, search],
		queryFn: ({ signal }) => call(endpoint, ...([{ ...args[0], signal }] as unknown as ArgList<E>)),
	})
}

/** As `query`, and the old page stays in view while the next one loads. */
export function paged<E extends Endpoint>(
	endpoint: E,
	...args: ArgList<E>
): ReturnType<typeof query<E>> & { placeholderData: typeof keepPreviousData } {
	return { ...query(endpoint, ...args), placeholderData: keepPreviousData }
}

/** What `useMutation` needs: `useMutation({ ...mutation(users.remove), onSuccess })`, then `mutate({ params: { id } })`. */
export function mutation<E extends Endpoint>(endpoint: E) {
	return { mutationFn: (args: Args<E>) => call(endpoint, ...([args] as unknown as ArgList<E>)) }
}

/** Fetches anew what is on screen of these endpoints, and forgets the rest of them, whatever their pages and searches. */
export async function invalidate(...endpoints: Endpoint[]): Promise<void> {
	await Promise.all(endpoints.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })))
}
