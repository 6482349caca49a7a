import type { UseQueryResult } from '@tanstack/react-query'
import type { campaigns } from '#features/campaigns/contract.ts'
import type { ResponseOut } from '#lib/endpoint.ts'

/** A campaign with its figures and a page of its messages. */
export type Report = ResponseOut<typeof campaigns.refresh>

export interface ReportProps {
	report: Report
	query: UseQueryResult<Report>
}
