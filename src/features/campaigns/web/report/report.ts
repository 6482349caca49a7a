import type { UseQueryResult } from '@tanstack/react-query'
import type { campaigns } from '#features/campaigns/contract.ts'
import type { ResponseOut } from '#lib/endpoint.ts'
import { cutTo } from '#lib/text/characters.ts'

/** A campaign with its figures and a page of its messages. */
export type Report = ResponseOut<typeof campaigns.refresh>

export interface ReportProps {
	report: Report
	query: UseQueryResult<Report>
}

/** Maximum characters of the name of a group or segment. */
export const MAX_NAME_LENGTH = 100

/** Returns the name of a list of a campaign's recipients: "Diwali offer: not read". A long campaign name is cut. */
export function listName(campaign: string, suffix: string): string {
	return `${cutTo(campaign, MAX_NAME_LENGTH - suffix.length - 2)}: ${suffix}`
}
