import { useQuery } from '@tanstack/react-query'
import { ownFields, type FieldRow } from '#features/contacts/own-fields-contract.ts'
import { query } from '#lib/web/query.ts'

const NONE: FieldRow[] = []

/** What the account's contacts have besides names and numbers. */
export function useOwnFields(): FieldRow[] {
	return useQuery(query(ownFields.list)).data?.fields ?? NONE
}
