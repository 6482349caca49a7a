import { useQuery } from '@tanstack/react-query'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { allGroups } from './use-group-options.ts'

/** Beside a choice of groups, when there is nothing to choose because they could not be read. */
export function MissingGroups() {
	return <MissingPart message="The groups could not be loaded." readings={[useQuery(allGroups)]} />
}
